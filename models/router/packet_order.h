// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/flit.h"

namespace flitcast {

/// The order of flits on the virtual channels of one channel: a head, then the flits that it has
/// announced, counting down to the tail, with no other packet of the VC in between.
class PacketOrder {
 public:
  explicit PacketOrder(unsigned virtual_channels) : due_(virtual_channels) {}

  /// The next flit of a VC, which must be one of them. Returns what is wrong with it, and leaves
  /// all as it was; or null.
  const char* take(unsigned vc, const Flit& flit) {
    Due& due = due_[vc];
    if (const char* const wrong = compare(due, flit)) return wrong;
    due = {flit.packet, flit.remaining};
    return nullptr;
  }

  /// Whether a head has come and its tail has not.
  bool inside(unsigned vc) const { return due_[vc].flits != 0; }

 private:
  struct Due {
    PacketSlot packet{};
    std::uint32_t flits = 0;  ///< That have yet to come of it.
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
