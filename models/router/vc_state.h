// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "routing/routing.h"

namespace flitcast {

/// An input virtual channel: a ring of flits and the way of the packet at its front.
struct InputVc {
  static constexpr std::uint16_t kNone = 0xffff;

  VcSet route_vcs = 0;            ///< Output VCs the front packet may ask for; 0: no route yet.
  std::uint16_t route_port = 0;   ///< Output port of the front packet.
  std::uint16_t output = kNone;   ///< Index of the output VC it holds; kNone: none yet.
  std::uint16_t head = 0;         ///< Ring position of the front flit.
  std::uint16_t count = 0;        ///< Flits in the ring.
  std::uint16_t last_output = 0;  ///< Output VC granted last: the round-robin pointer.
  std::uint8_t port = 0;          ///< Its own place, kept at hand for the hot path.
  std::uint8_t vc = 0;
};

static_assert(sizeof(InputVc) == 16, "four input VCs to a cache line");

/// An output virtual channel: the credits for, and the owner of, the input VC at the link's far
/// end.
struct OutputVc {
  static constexpr std::uint16_t kNone = 0xffff;

  std::uint16_t credits = 0;     ///< Free slots downstream, as far as known here.
  std::uint16_t owner = kNone;   ///< Index of the input VC whose packet holds it; kNone: free.
  std::uint16_t slot = 0;        ///< Ring position downstream that the next flit goes to.
  std::uint16_t last_input = 0;  ///< Input VC granted last: the round-robin pointer.
};

/// The round-robin pointers of switch allocation at one port.
struct SwitchPointers {
  std::uint8_t last_vc = 0;      ///< Input side: VC served last.
  std::uint8_t last_output = 0;  ///< Input side: output served last.
  std::uint8_t last_input = 0;   ///< Output side: input served last.
};

}  // namespace flitcast
