// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "router/core_bench.h"
#include "router/multicast_core.h"

namespace flitcast {

/// Branches to all `outputs`, which may request the VCs `vcs` at each. The route field of a copy is
/// its output, so that a test can distinguish copies.
inline std::vector<Branch> branches_to(const std::vector<unsigned>& outputs, VcSet vcs) {
  std::vector<Branch> branches;
  for (const unsigned output : outputs) {
    branches.push_back({PortId{static_cast<std::uint16_t>(output)}, vcs,
                        static_cast<std::uint16_t>(100 + output)});
  }
  return branches;
}

/// A MulticastCore without neighbours.
template <int kWords = 1>
class MulticastBench : public BenchOf<MulticastCore<kWords>, MulticastBench<kWords>> {
  using Base = BenchOf<MulticastCore<kWords>, MulticastBench<kWords>>;

 public:
  using Base::Base;

  /// The flits of a new packet, numbered from 0 in order of calls.
  std::vector<Flit> packet_by(std::vector<Branch> branches, unsigned length) {
    sets.push_back(std::move(branches));
    return make_packet(static_cast<unsigned>(sets.size() - 1), 0, length);
  }
  std::vector<Flit> packet(const std::vector<unsigned>& outputs, unsigned length) {
    return packet_by(branches_to(outputs, vc_range(0, Base::core.virtual_channels)), length);
  }

  void branches(unsigned, unsigned, const Flit& head, Branches& branches) const {
    for (const Branch& branch : sets[index(head.packet)]) branches.add(branch);
  }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    Base::departures.push_back(
        {Base::cycle, output, vc, flit.head ? slot : 0, index(flit.packet), flit.remaining});
    flits.push_back(flit);
  }

  std::vector<std::vector<Branch>> sets;  ///< Branches per packet.
  std::vector<Flit> flits;                ///< Flits that departed.
};

}  // namespace flitcast
