// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "router/wormhole_core.h"

namespace flitcast {

/// A packet whose output port stands in its destination and whose number in its slot.
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
  unsigned slot = 0;
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

/// One core without neighbours: a test says what arrives in a cycle, ends the cycle by tick(), and
/// reads what left. All outputs are connected and every route allows the VCs of `offered`.
template <int kWords = 1>
class CoreBench {
  std::vector<std::byte> storage_;  // In front of the core, which works in it.

 public:
  CoreBench(const RouterParams& params, unsigned inputs, unsigned outputs)
      : storage_(WormholeCore<kWords>::storage_bytes(params, inputs, outputs)),
        core(params, inputs, outputs, storage_.data()),
        offered(vc_range(0, params.virtual_channels)) {
    for (unsigned output = 0; output < outputs; ++output) core.connect_output(output);
  }

  CoreBench(CoreBench&&) = default;  // A copy would share the storage.

  void arrive(unsigned input, unsigned vc, const Flit& flit) {
    const unsigned i = core.vc_index(input, vc);
    core.slots[i * core.depth + core.tail_slot(i)] = flit;
    core.accept(BitMask<kWords>::of(i));
    due_ = true;
  }
  void credit(unsigned output, unsigned vc) {
    core.credit(BitMask<kWords>::of(core.vc_index(output, vc)));
    due_ = true;
  }
  void tick() {
    if (due_ || !lazy) {
      due_ = core.tick(*this, cycle);
      ++ticks;
    }
    ++cycle;
  }
  void ticks_until(std::uint64_t end) {
    while (cycle < end) tick();
  }

  // What the core asks of its surroundings.
  Route route(unsigned, unsigned, const Flit& head) const {
    return {PortId{static_cast<std::uint16_t>(index(head.destination))}, offered};
  }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    departures.push_back({cycle, output, vc, slot, index(flit.packet), flit.remaining});
  }
  void return_credit(unsigned input, unsigned vc) { freed.push_back({cycle, input, vc}); }

  WormholeCore<kWords> core;
  VcSet offered;
  bool lazy = false;  ///< Tick only when something has arrived or the last tick left work.
  std::uint64_t cycle = 0;
  std::uint64_t ticks = 0;
  std::vector<Departure> departures;
  std::vector<Freed> freed;

 private:
  bool due_ = false;
};

}  // namespace flitcast
