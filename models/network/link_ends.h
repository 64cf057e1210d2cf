// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flit.h"

namespace flitcast {

/// A channel is no object that flits pass through but a set of addresses: the sender writes the
/// flit into the buffer slot that its credit reserves, and sets the receiving VC's bit in the
/// receiver's row of the cycle in which the flit is due. Rows form a ring indexed by cycle. A row
/// has a copy for each region that writes it, and nothing written in a cycle is read in that cycle,
/// so neither the order of the routers nor the number of threads can change a result.
///
/// This is where such a bit goes, and the bit that wakes the receiver in that cycle. Words of the
/// same bits lie side by side, one for each row.
struct TokenEnd {
  std::uint64_t* word = nullptr;  ///< Of row 0; null where nothing is connected.
  std::uint64_t* wake = nullptr;  ///< The receiver's word of row 0 of the wake bitmap.
  std::uint64_t wake_bit = 0;
  std::uint32_t latency = 0;   ///< Cycles from posting to the due cycle, at least 1.
  std::uint8_t first_bit = 0;  ///< Of the port's VC 0 in its word.
  /// Of flits: the receiver keeps one per due cycle instead of a ring per VC.
  bool flit_per_row = false;

  void post(std::uint64_t now, std::uint32_t row_mask, unsigned vc) const {
    const std::size_t row = (now + latency) & row_mask;
    word[row] |= std::uint64_t{1} << (first_bit + vc);
    wake[row] |= wake_bit;
  }
};

/// The sending end of the credit wires of a channel.
using CreditEnd = TokenEnd;

/// The sending end of a channel.
struct FlitEnd {
  Flit* ring = nullptr;  ///< The receiving port's slots, or the sink of a node.
  TokenEnd end;
  std::uint64_t flits = 0;  ///< Sent so far.

  void send(std::uint64_t now, std::uint32_t row_mask, unsigned vc, unsigned ring_position,
            const Flit& flit) {
    const std::size_t row = (now + end.latency) & row_mask;
    copy_flit(flit, ring[end.flit_per_row ? row : ring_position]);
    ++flits;
    end.post(now, row_mask, vc);
  }
};

}  // namespace flitcast
