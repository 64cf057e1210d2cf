// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "router/core_bench.h"
#include "router/multicast_core.h"

namespace flitcast {

/// The outputs of a packet, which may ask for the VCs `vcs` at each. The reach of a copy tells the
/// output, so that a test sees which copy it has.
inline std::vector<Branch> branches_to(const std::vector<unsigned>& outputs, VcSet vcs) {
  std::vector<Branch> branches;
  for (const unsigned output : outputs) {
    branches.push_back({PortId{static_cast<std::uint16_t>(output)}, vcs,
                        static_cast<std::uint16_t>(100 + output)});
  }
  return branches;
}

/// CoreBench for the core that copies. All outputs are connected.
template <int kWords = 1>
class MulticastBench {
  std::vector<std::byte> storage_;  // In front of the core, which works in it.

 public:
  MulticastBench(const RouterParams& params, unsigned inputs, unsigned outputs)
      : storage_(MulticastCore<kWords>::storage_bytes(params, inputs, outputs)),
        core(params, inputs, outputs, storage_.data()) {
    for (unsigned output = 0; output < outputs; ++output) core.connect_output(output);
  }

  MulticastBench(MulticastBench&&) = default;  // A copy would share the storage.

  /// The flits of a new packet, numbered from 0 in order of calls.
  std::vector<Flit> packet_by(std::vector<Branch> branches, unsigned length) {
    sets.push_back(std::move(branches));
    return make_packet(static_cast<unsigned>(sets.size() - 1), 0, length);
  }
  std::vector<Flit> packet(const std::vector<unsigned>& outputs, unsigned length) {
    return packet_by(branches_to(outputs, vc_range(0, core.virtual_channels)), length);
  }

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
  void branches(unsigned, unsigned, const Flit& head, Branches& branches) const {
    for (const Branch& branch : sets[index(head.packet)]) branches.add(branch);
  }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    departures.push_back({cycle, output, vc, slot, index(flit.packet), flit.remaining});
    flits.push_back(flit);
  }
  void return_credit(unsigned input, unsigned vc) { freed.push_back({cycle, input, vc}); }

  MulticastCore<kWords> core;
  std::vector<std::vector<Branch>> sets;  ///< Per packet.
  bool lazy = false;  ///< Tick only when something has arrived or the last tick left work.
  std::uint64_t cycle = 0;
  std::uint64_t ticks = 0;
  std::vector<Departure> departures;
  std::vector<Flit> flits;  ///< Of these departures.
  std::vector<Freed> freed;

 private:
  bool due_ = false;
};

}  // namespace flitcast
