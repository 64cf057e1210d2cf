// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "router/router_state.h"

namespace flitcast {

/// A channel is no object that flits pass through but a set of addresses: the sender writes the
/// head of a packet into the place that its credit reserves in the ring of the buffer, and sets the
/// receiving VC's bit in the receiver's row of the cycle in which a flit is due. Rows form a ring
/// indexed by cycle. A row has a copy for each partition that writes it, and nothing written in a
/// cycle is read in that cycle, so neither the order of the routers nor the number of threads can
/// change a result.
///
/// This is where such a bit goes, and the bit that wakes the receiver in that cycle. Words of the
/// same bits lie side by side, one for each row.
struct WheelOutput {
  std::uint64_t* word = nullptr;  ///< Of row 0; null where nothing is connected.
  std::byte* wake = nullptr;      ///< The receiver's byte of row 0 of the wake bitmap.
  /// Cycles from posting to the due cycle: at least 1, but for injections into circuits, which are
  /// read in the cycle.
  std::uint32_t latency = 0;
  std::byte wake_bit{};        ///< The receiver's in its byte.
  std::uint8_t first_bit = 0;  ///< Of the port's VC 0 in its word.
  /// Of flits, for senders that do not know: the receiver keeps one per due cycle, instead of a
  /// ring per VC.
  bool flit_per_row = false;

  /// `bit` of the word `row_0` and of those behind it are the receiver's.
  void wake_by(std::uint64_t* row_0, unsigned bit) {
    constexpr bool kLittle = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    wake = reinterpret_cast<std::byte*>(row_0) + (kLittle ? bit / 8 : 7 - bit / 8);
    wake_bit = std::byte{1} << (bit % 8);
  }
  std::size_t row_due(std::uint64_t now, std::uint32_t row_mask) const {
    return (now + latency) & row_mask;
  }
  void post(std::uint64_t now, std::uint32_t row_mask, unsigned vc) const {
    post(row_due(now, row_mask), vc);
  }
  void post(std::size_t row, unsigned vc) const {
    word[row] |= std::uint64_t{1} << ((first_bit + vc) & 63);
    wake[row * sizeof(std::uint64_t)] |= wake_bit;
  }
};

/// The sending end of the credit wires of a channel.
///
/// A sender asks of its credits for a VC whether there is one. Of `depth` credits those of the
/// `left` flits in the VC's buffer are away, that of the slot that gets free now, and those of the
/// flits that its sender has sent, or will send, less than a flight of a flit before this credit is
/// due: at most `left` + the flight of a flit + that of a credit. Where that is less than `depth`
/// the sender has a credit all the time, with this one or without it: nobody can tell when it comes
/// back, so it is given back at once and wakes nobody.
struct CreditReturn : WheelOutput {
  /// With fewer flits left than this the sender has another credit: `depth` less both flights, 255
  /// at most. 0 where it asks for more than one credit, where somebody may look at it before the
  /// credit is due, or where it belongs to another partition. In the padding behind the base.
  std::uint8_t spare_below = 0;
  OutputVc* sender = nullptr;  ///< Its VC 0, before the others.

  /// A slot of the VC's buffer is free again, which holds `left` flits.
  void give_back(std::uint64_t now, std::uint32_t row_mask, unsigned vc, unsigned left) const {
    if (left < spare_below) {
      ++sender[vc].credits;
    } else {
      post(now, row_mask, vc);
    }
  }
};
static_assert(sizeof(CreditReturn) == sizeof(WheelOutput) + sizeof(void*));

/// The sending end of a channel.
struct FlitOutput {
  Flit* ring = nullptr;  ///< Of the receiving port's VC 0, before the others; or one flit a row.
  WheelOutput end;
  std::uint64_t flits = 0;  ///< Sent so far.

  void send(std::uint64_t now, std::uint32_t row_mask, unsigned vc, unsigned place,
            const Flit& flit) {
    const std::size_t row = end.row_due(now, row_mask);
    if (flit.head | end.flit_per_row) copy_flit(flit, ring[end.flit_per_row ? row : place]);
    ++flits;
    end.post(row, vc);
  }
  /// Sends to a receiver that keeps one flit per due cycle.
  void send(std::uint64_t now, std::uint32_t row_mask, unsigned vc, const Flit& flit) {
    const std::size_t row = end.row_due(now, row_mask);
    copy_flit(flit, ring[row]);
    ++flits;
    end.post(row, vc);
  }
};

}  // namespace flitcast
