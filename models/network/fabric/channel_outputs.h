// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "router/router_state.h"

namespace flitcast {

/// The sender's end of a delay line, on which flits or credits take `latency` cycles.
///
/// A channel is a set of addresses, not an object that flits pass through. Each receiver has an
/// event wheel: a ring of rows, one row per cycle, with a bit for each of its VCs. To send a flit,
/// the sender writes the head of the packet into the buffer slot that its credit reserves and sets
/// the bit of the receiving VC in the row of the cycle in which the flit is due. To return a
/// credit, a router sets a bit in the wheel of the upstream router. A second bitmap, with a bit per
/// receiver and row, wakes the receiver in that cycle.
///
/// Every partition that sends to a receiver writes a separate set of rows, and no value is read
/// in the cycle in which it is written. So neither the order of routers nor the number of threads
/// can change a result.
struct WheelOutput {
  std::uint64_t* word = nullptr;  ///< The port's word in row 0, followed by those of the other
                                  ///< rows; null if nothing is connected.
  std::byte* wake = nullptr;      ///< The receiver's byte in row 0 of the wake bitmap.
  /// Cycles from posting to the due cycle. At least 1, except for injections into circuits, which
  /// are read in the same cycle.
  std::uint32_t latency = 0;
  std::byte wake_bit{};        ///< The receiver's bit in its byte.
  std::uint8_t first_bit = 0;  ///< The bit of the port's VC 0 in its word.
  /// For flits: the receiver keeps one flit per due cycle instead of a ring per VC.
  bool flit_per_row = false;

  /// Makes `bit` of the word at `row_0`, and of the words of the other rows behind it, the wake
  /// bit.
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

/// The credit wires of a channel: the receiver of flits returns credits to the sender by them.
///
/// A sender only checks for a non-zero credit count. When a slot becomes free, at most `left` +
/// flit flight + credit flight credits of the VC are outstanding until this credit is due: those of
/// the `left` flits in the buffer, that of this slot, and those of the flits sent less than a flit
/// flight before that time. If this sum is less than the buffer depth, the sender has another
/// credit throughout. It cannot observe the return time, so the credit is returned immediately and
/// wakes no router.
struct CreditReturn : WheelOutput {
  /// With fewer flits left than this, the sender has another credit: buffer depth - flit flight -
  /// credit flight, at most 255. 0 if the sender checks for more than one credit, if a module may
  /// read the count before the credit is due, or if the sender belongs to another partition. The
  /// member lies in the padding of the base.
  std::uint8_t spare_below = 0;
  OutputVc* sender = nullptr;  ///< The sender's VC 0, followed by its other VCs.

  /// Returns the credit of a slot that has become free; `left` flits stay in the VC's buffer.
  void give_back(std::uint64_t now, std::uint32_t row_mask, unsigned vc, unsigned left) const {
    if (left < spare_below) {
      ++sender[vc].credits;
    } else {
      post(now, row_mask, vc);
    }
  }
};
static_assert(sizeof(CreditReturn) == sizeof(WheelOutput) + sizeof(void*));

/// The flit wires of a channel, at the sender.
struct FlitOutput {
  /// The ring of the receiving port's VC 0, followed by those of its other VCs; or one flit per
  /// row.
  Flit* ring = nullptr;
  WheelOutput end;
  std::uint64_t flits = 0;  ///< Flits sent so far.

  /// @param slot  Position in `ring` at which the receiver finds the flit, if it is a head.
  void send(std::uint64_t now, std::uint32_t row_mask, unsigned vc, unsigned slot,
            const Flit& flit) {
    const std::size_t row = end.row_due(now, row_mask);
    Flit nowhere;  // Takes the flits that the receiver only counts.
    Flit* const place = ring + select(end.flit_per_row, row, std::size_t{slot});
    copy_flit(flit, *select(flit.head | end.flit_per_row, place, &nowhere));
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
