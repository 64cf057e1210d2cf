// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "router/arbitration.h"
#include "router/wormhole_core.h"

namespace flitcast {

/// A packet whose destination is its output port and whose slot is its number.
inline std::vector<Flit> make_packet(unsigned number, unsigned output, unsigned length) {
  std::vector<Flit> flits(length);
  for (unsigned f = 0; f < length; ++f) {
    flits[f].destination = NodeId{output};
    flits[f].packet = PacketSlot{number};
    flits[f].remaining = static_cast<std::uint16_t>(length - 1 - f);
    flits[f].head = f == 0;
  }
  return flits;
}

/// A flit that has won the switch.
struct Departure {
  std::uint64_t cycle = 0;
  unsigned output = 0;
  unsigned vc = 0;
  unsigned slot = 0;  ///< Slot of a head in the ring downstream.
  unsigned packet = 0;
  unsigned remaining = 0;

  friend bool operator==(const Departure& a, const Departure& b) {
    return a.cycle == b.cycle && a.output == b.output && a.vc == b.vc && a.slot == b.slot &&
           a.packet == b.packet && a.remaining == b.remaining;
  }
};

/// A buffer slot that has become free.
struct Freed {
  std::uint64_t cycle = 0;
  unsigned input = 0;
  unsigned vc = 0;

  friend bool operator==(const Freed& a, const Freed& b) {
    return a.cycle == b.cycle && a.input == b.input && a.vc == b.vc;
  }
};

/// The events from index `first` on, sorted by cycle and port. The order in which a core reports
/// events of one cycle has no meaning.
template <class Told>
std::vector<Told> by_port(const std::vector<Told>& told, unsigned Told::*port,
                          std::size_t first = 0) {
  std::vector<Told> sorted(told.begin() + static_cast<std::ptrdiff_t>(first), told.end());
  std::stable_sort(sorted.begin(), sorted.end(), [port](const Told& a, const Told& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.*port < b.*port;
  });
  return sorted;
}

/// One core without neighbours: a test feeds the arrivals of a cycle, ends the cycle with tick(),
/// and reads the departures. All outputs are connected. `Bench`, which derives from it, is the host
/// of the core.
template <class Core, class Bench, class Left = Departure>
class BenchOf {
  // Declared before the core, which uses them.
  std::vector<std::byte> storage_;
  detail::BumpAllocator arena_;

 public:
  BenchOf(const RouterParams& params, unsigned inputs, unsigned outputs)
      : storage_(storage_bytes<Core>({params, inputs, outputs})),
        arena_(storage_.data()),
        core({params, inputs, outputs}, arena_) {
    for (unsigned output = 0; output < outputs; ++output) core.connect_output(output);
  }
  BenchOf(BenchOf&&) noexcept = default;  // A copy would share the storage.

  void arrive(unsigned input, unsigned vc, const Flit& flit) {
    const unsigned i = core.vc_index(input, vc);
    core.land(i, flit);
    core.accept(Core::Mask::of(i));
    due_ = true;
  }
  void credit(unsigned output, unsigned vc) {
    core.credit(Core::Mask::of(core.vc_index(output, vc)));
    due_ = true;
  }
  void tick() {
    if (due_ || !lazy) {
      Bench& bench = static_cast<Bench&>(*this);
      bench.take_arrivals();
      due_ = core.tick(bench, cycle);
      ++ticks;
    }
    ++cycle;
  }
  void ticks_until(std::uint64_t end) {
    while (cycle < end) tick();
  }
  static constexpr bool kPaced = true;  // Channels may take more than one cycle per flit.
  void return_credit(const InputVc& in) { freed.push_back({cycle, in.port, in.vc}); }
  void take_arrivals() {}  ///< Empty, because arrive() has passed them to the core.

  Core core;
  bool lazy = false;  ///< True: tick only after an arrival or if the last tick left work.
  std::uint64_t cycle = 0;
  std::uint64_t ticks = 0;
  std::vector<Left> departures;
  std::vector<Freed> freed;

 protected:
  bool due_ = false;
};

/// Every route allows the VCs of `offered`.
template <int kWords = 1, template <int> class Core = WormholeCore>
class CoreBench : public BenchOf<Core<kWords>, CoreBench<kWords, Core>> {
  using Base = BenchOf<Core<kWords>, CoreBench<kWords, Core>>;

 public:
  CoreBench(const RouterParams& params, unsigned inputs, unsigned outputs)
      : Base(params, inputs, outputs), offered(vc_range(0, params.virtual_channels)) {}

  Route route(unsigned, unsigned, const Flit& head) const {
    return {PortId{static_cast<std::uint16_t>(index(head.destination))}, offered};
  }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    Base::departures.push_back(
        {Base::cycle, output, vc, flit.head ? slot : 0, index(flit.packet), flit.remaining});
  }

  Standing standing(const Flit& head) const { return standing_of(index(head.packet)); }

  VcSet offered;
  /// The standing of a packet by its number.
  std::function<Standing(unsigned)> standing_of = [](unsigned) { return Standing{}; };
};

}  // namespace flitcast
