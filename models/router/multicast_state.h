// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// How far one branch of the packet at the front of an input VC has come.
enum class BranchStage : std::uint8_t {
  kNone,      ///< The packet does not leave by this output, or has no route yet.
  kAsking,    ///< It wants one of the VCs of BranchState::vcs.
  kHolding,   ///< It holds VC BranchState::vc; the front flit, if any, has yet to leave by it.
  kCopied,    ///< It holds that VC; the front flit has left by it, but not by another branch.
  kFinished,  ///< The tail has left by it and the VC is free again, but not by another branch.
};

/// One way by which the packet at the front of an input VC leaves the router.
struct BranchState {
  static constexpr std::uint8_t kNoVc = kMaxVirtualChannels - 1;  // Its successor is VC 0.

  VcSet vcs = 0;                  ///< Output VCs that the packet may ask for.
  std::uint16_t route_field = 0;  ///< Flit::route_field of the copy of the head.
  std::uint8_t vc = kNoVc;        ///< The output VC granted last; held in kHolding and kCopied.
  BranchStage stage = BranchStage::kNone;
};

static_assert(sizeof(BranchState) == 8, "eight branches to a cache line");

/// What a router that copies flits adds to the state that all routers share.
///
/// An input VC waits for every branch of its packet: for one of `vcs` in kAsking, for a credit of
/// `vc` in kHolding; the two other stages wait for nothing. InputVc::route_port and route_vcs tell
/// of the first branch only (route_vcs == 0: no route yet), InputVc::output of the VC granted last
/// (kNone: none yet), until the packet has left by all of its branches.
struct MulticastState : RouterState {
  BranchState* branches = nullptr;  ///< output_ports for each input VC index.

  const BranchState& branch(unsigned input, unsigned output_port) const {
    return branches[input * output_ports + output_port];
  }
  /// Index of the output VC that a branch holds.
  unsigned output_of(unsigned input, unsigned output_port) const {
    return vc_index(output_port, branch(input, output_port).vc);
  }
};

}  // namespace flitcast
