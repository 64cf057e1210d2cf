// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/flit.h"

namespace flitcast {

/// Checks the order of flits on the virtual channels of one channel: a head, then the flits that it
/// announced, counting down to the tail, with no other packet of the VC in between.
class PacketOrder {
 public:
  explicit PacketOrder(unsigned virtual_channels) : due_(virtual_channels) {}

  /// Takes the next flit of an existing VC. Returns null if the flit is in order; otherwise returns
  /// the error and leaves the state unchanged.
  const char* take(unsigned vc, const Flit& flit) {
    Due& due = due_[vc];
    if (const char* const wrong = compare(due, flit)) return wrong;
    due = {flit.packet, flit.remaining};
    return nullptr;
  }

  /// True if the head of a packet has arrived on the VC and its tail has not.
  bool inside(unsigned vc) const { return due_[vc].flits != 0; }

 private:
  struct Due {
    PacketSlot packet{};
    std::uint32_t flits = 0;  ///< Flits of the packet that have yet to arrive.
  };

  static const char* compare(const Due& due, const Flit& flit) {
    if (flit.head) return due.flits == 0 ? nullptr : "head inside a packet";
    if (due.flits == 0) return "flit without a head";
    if (flit.packet != due.packet) return "flit of another packet";
    return flit.remaining + 1U == due.flits ? nullptr : "flit out of its packet's order";
  }

  std::vector<Due> due_;
};

}  // namespace flitcast
