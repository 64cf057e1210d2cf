// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/figures.h"
#include "base/flit.h"
#include "base/probe.h"
#include "network/check/inspection.h"

namespace flitcast {

/// The samples of the buffer of an input VC.
struct SurveyedBuffer {
  RouterId router{};
  PortId port{};
  VcId vc{};
  std::uint64_t held = 0;     ///< Flits (or packets, where routers keep them whole), over samples.
  std::uint32_t most = 0;     ///< Most flits in a sample.
  std::uint64_t stalled = 0;  ///< Samples in which its first flit did not leave in the next cycle.
};

/// All buffers of a network.
struct BufferSamples {
  std::uint64_t samples = 0;
  bool whole_packets = false;
  std::vector<SurveyedBuffer> buffers;  ///< By router, port and VC.
};

const FigureTable<BufferSamples>& buffer_figures();
/// The meanings of the members of the list `buffers.vcs`.
std::vector<FigureMeaning> buffer_member_meanings();

/// Looks into the buffers of all routers now and then, and again a cycle later to see whose first
/// flit is still there. Time: a visit to every VC for each look.
class BufferSurvey final : public Observer {
 public:
  /// @param cycles      From one sample to the next, at least 1.
  /// @param inspection  Of the network.
  BufferSurvey(std::uint64_t cycles, std::unique_ptr<const Inspection> inspection);

  /// Begins to take samples, in the cycle `now`, and ends.
  void open(Cycle now) { sample_at_ = now; }
  void close(const Network& network);

  Cycle next() const override { return std::min(sample_at_, stalls_at_); }
  void look(const Network& network) override;

  const BufferSamples& samples() const { return samples_; }

 private:
  /// The flit at the front of a buffer, for which there is none where `flits` is 0.
  struct Front {
    std::uint16_t flits = 0;
    std::uint8_t left = 0;
    PacketSlot packet{};
    std::uint16_t remaining = 0;
  };

  template <class Visit>
  void for_each_buffer(Visit&& visit);
  Front front_of(const RouterState& state, unsigned input) const;
  void take_sample();
  void count_stalls();

  const std::uint64_t cycles_;
  std::unique_ptr<const Inspection> inspection_;
  BufferSamples samples_;
  std::vector<Front> fronts_;  // In the sample taken last.
  Cycle sample_at_ = kNever;
  Cycle stalls_at_ = kNever;  // A cycle after the last sample, until that has been compared.
};

}  // namespace flitcast
