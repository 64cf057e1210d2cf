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

/// Deliveries so far, and the cycles that they took from the creation of their packets, in all.
struct DeliverySum {
  std::uint64_t deliveries = 0;
  std::uint64_t cycles = 0;
};

/// A run as a row of spans of the same length, from cycle 0 on. Spans that the run has not come to
/// the end of do not count.
struct Series {
  std::uint64_t cycles = 0;  ///< Length of a span.
  std::size_t nodes = 0;

  /// The counters at the end of a span; the first entry is the start of the run.
  struct Moment {
    Totals totals;
    DeliverySum arrived;
    std::vector<std::uint64_t> links;    ///< Flits so far by ChannelNumbering; of small networks.
    std::vector<std::uint64_t> routers;  ///< Flits in their buffers; of small networks that show
                                         ///< them.
    std::optional<std::uint64_t> buffered;  ///< In all buffers of networks that show them.
  };
  std::vector<Moment> moments;

  std::size_t spans() const { return moments.empty() ? 0 : moments.size() - 1; }
  /// Flits that a channel was sent, span by span; none for large networks.
  std::vector<std::uint64_t> of_link(std::size_t channel) const;
};

const FigureTable<Series>& series_figures();

/// Records a series of at most kMostSpans spans: when there would be more, two become one.
class SeriesRecorder final : public Observer {
 public:
  static constexpr std::size_t kMostSpans = 256;
  /// Most channels and routers that are recorded one by one.
  static constexpr std::size_t kMostChannels = 16384;
  static constexpr std::size_t kMostRouters = 1024;

  /// @param cycles   Of a span, at least 1.
  /// @param arrived  Asked at the end of every span.
  SeriesRecorder(const Network& network, const Topology& topology, std::uint64_t cycles,
                 std::function<DeliverySum()> arrived);

  Cycle next() const override { return next_; }
  void look(const Network& network) override;

  const Series& series() const { return series_; }

 private:
  void add_buffers(Series::Moment& moment) const;
  void join_spans();

  const Topology& topology_;
  const ChannelNumbering channels_;
  std::function<DeliverySum()> arrived_;
  std::unique_ptr<const Inspection> inspection_;
  Series series_;
  Cycle next_{};
};

/// Flits in the buffers of a router.
std::uint64_t buffered_flits(const Inspection& network, RouterId router);

}  // namespace flitcast
