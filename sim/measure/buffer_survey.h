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

/// The samples of one input VC's buffer.
struct SurveyedBuffer {
  RouterId router{};
  PortId port{};
  VcId vc{};
  std::uint64_t held = 0;  ///< Sum over samples of the flits held (packets, in routers that store
                           ///< packets as a whole).
  std::uint32_t most = 0;  ///< The largest number of flits in a sample.
  std::uint64_t stalled = 0;  ///< Samples in which the first flit did not leave in the next cycle.
};

/// The samples of all buffers of a network.
struct BufferSamples {
  std::uint64_t samples = 0;
  bool whole_packets = false;
  std::vector<SurveyedBuffer> buffers;  ///< Samples by router, port and VC.
};

extern const FigureTable<BufferSamples> kBufferFigures;
/// The meanings of the members of the list `buffers.vcs`.
std::vector<FigureMeaning> buffer_member_meanings();

/// Samples the buffers of all routers periodically, and checks one cycle after each sample which
/// first flits are still there. Each look() visits every VC.
class BufferSurvey final : public Observer {
 public:
  /// @param cycles      Cycles from one sample to the next, at least 1.
  /// @param inspection  A view of the network.
  BufferSurvey(std::uint64_t cycles, std::unique_ptr<const Inspection> inspection);

  /// Starts sampling in cycle `now`; close() ends the sampling, unless the window may go on.
  void open(Cycle now) { sample_at_ = now; }
  void close(const Network& network, bool goes_on);

  Cycle next() const override { return std::min(sample_at_, stalls_at_); }
  void look(const Network& network) override;

  /// The samples until close().
  const BufferSamples& samples() const { return closed_; }

 private:
  /// The flit at the front of a buffer; there is none if `flits` is 0.
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
  BufferSamples closed_;
  std::vector<Front> fronts_;  // Front flits in the last sample.
  Cycle sample_at_ = kNever;
  Cycle stalls_at_ = kNever;  // The cycle after the last sample, until fronts are compared.
};

}  // namespace flitcast
