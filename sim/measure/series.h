// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/figures.h"
#include "base/probe.h"
#include "network/check/inspection.h"
#include "topology/channel_numbering.h"

namespace flitcast {

/// The number of deliveries so far, and the sum of their cycles since the creation of their
/// packets.
struct DeliverySum {
  std::uint64_t deliveries = 0;
  std::uint64_t cycles = 0;
};

/// A run divided into spans of equal length, from cycle 0 on; the last may be shorter.
struct Series {
  std::uint64_t cycles = 0;  ///< Length of a span.
  std::size_t nodes = 0;

  /// The counters at the end of a span; the first entry is the start of the run.
  struct Moment {
    Cycle at{};
    Totals totals;
    DeliverySum arrived;
    std::vector<std::uint64_t>
        links;  ///< Flits so far, by ChannelNumbering; empty for large networks.
    std::vector<std::uint64_t> routers;  ///< Flits in the buffers of each router; empty for large
                                         ///< networks and those that do not show buffers.
    std::optional<std::uint64_t>
        buffered;  ///< Flits in all buffers; absent for networks that do not show buffers.
  };
  std::vector<Moment> moments;

  std::size_t spans() const { return moments.empty() ? 0 : moments.size() - 1; }
  std::uint64_t last_cycles() const {
    return spans() == 0 ? 0 : moments.back().at - moments[spans() - 1].at;
  }  ///< Length of the last span.
  /// The flits sent on a channel in each span; empty for large networks.
  std::vector<std::uint64_t> of_link(std::size_t channel) const;
};

extern const FigureTable<Series> kSeriesFigures;

/// Records a series of at most kMostSpans spans and an incomplete one; if there would be more,
/// pairs of spans are merged.
class SeriesRecorder final : public Observer {
 public:
  static constexpr std::size_t kMostSpans = 256;
  /// Limits up to which channels and routers are recorded individually.
  static constexpr std::size_t kMostChannels = 16384;
  static constexpr std::size_t kMostRouters = 1024;

  /// @param cycles   Length of a span, at least 1.
  /// @param arrived  Called at the end of every span.
  SeriesRecorder(const Network& network, const Topology& topology, std::uint64_t cycles,
                 std::function<DeliverySum()> arrived);

  Cycle next() const override { return next_; }
  void look(const Network& network) override;

  /// The series, with the incomplete span at the end of the run.
  Series take(const Network& network);

 private:
  void add_moment(const Network& network);
  void join_spans();

  const Topology& topology_;
  const ChannelNumbering channels_;
  std::function<DeliverySum()> arrived_;
  std::unique_ptr<const Inspection> inspection_;
  Series series_;
  Cycle next_{};
};

}  // namespace flitcast
