// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "base/flit.h"

namespace flitcast {

/// What is around a router on a bench: at each input somebody who sends packets of random lengths
/// by random outputs, on several VCs by turns, as credits allow; at each output somebody who gives
/// credits back whenever it pleases him. Every 200 cycles each of them draws a new mood, from
/// always to hardly ever, so that buffers fill, drain and idle, and together they draw an output
/// that they favour, how long packets get, and whether all send in the same cycles only.
///
/// A credit is good for a flit, or for a whole packet: then numbers of packets that are sent at the
/// same time differ, too, at some times in any bits and at others in the low ones only.
template <bool kPerPacket>
class RouterNeighbours {
 public:
  struct Shape {
    std::vector<bool> connected;                    ///< Per port.
    std::vector<std::vector<NodeId>> destinations;  ///< In groups: those by the same output.
    unsigned virtual_channels = 1;
    unsigned depth = 1;  ///< Credits of a VC.
    unsigned max_length = 1;
  };
  struct Token {
    unsigned vc = 0;
    Flit flit{};
  };

  explicit RouterNeighbours(const Shape& shape) : shape_(shape) { reset(); }

  /// As the router: nothing in flight, all credits at home.
  void reset() {
    const std::size_t ports = shape_.connected.size();
    senders_.assign(ports * shape_.virtual_channels, Sender{{}, shape_.depth, 0});
    held_.assign(ports * shape_.virtual_channels, 0);
    in_moods_.assign(ports, 1);
    out_moods_.assign(ports, 1);
    cycle_ = 0;
  }

  /// Once a cycle, before the others.
  void begin_cycle() {
    if (cycle_++ % 200 != 0) return;
    if (kPerPacket) {
      varying_ = draw(2) == 0 ? ~0U : 0xf;
      inverted_ = draw(2) == 0 ? ~0U : 0;
    }
    longest_ = draw(kPerPacket ? 2 : 4) == 0 ? shape_.max_length : 1;
    favoured_ = &any_of(shape_.destinations);
    beat_ = draw(4) == 0 ? 8 : 1;    // At times those who were served last ask in the same cycle.
    const bool open = draw(2) == 0;  // Everybody always: then the arbiters have most to do.
    for (unsigned& mood : in_moods_) mood = open ? 1 : 1U << draw(kPerPacket ? 5 : 4);
    for (unsigned& mood : out_moods_) mood = open ? 1 : 1U << draw(kPerPacket ? 8 : 6);
  }

  /// The flit that comes to an input in this cycle, if any.
  std::optional<Token> send(unsigned port) {
    if (!shape_.connected[port] || cycle_ % beat_ != 0 || draw(in_moods_[port]) != 0) return {};
    const unsigned vc = draw(shape_.virtual_channels);
    Sender& sender = senders_[port * shape_.virtual_channels + vc];
    const bool starts = sender.flits_left == 0;
    if (starts || !kPerPacket) {
      if (sender.credits == 0) return {};
      --sender.credits;
    }
    if (starts) start_packet(sender);
    Flit flit = sender.flit;
    flit.remaining = static_cast<std::uint16_t>(--sender.flits_left);
    sender.flit.head = false;
    if (!kPerPacket) sender.flit.hops = 0;  // As nodes send them.
    return Token{vc, flit};
  }
  /// A credit that the router has given back: good from the next cycle on.
  void take_credit(unsigned port, unsigned vc) {
    ++senders_[port * shape_.virtual_channels + vc].credits;
  }

  /// The VC for which a credit comes to an output in this cycle, if any.
  std::optional<unsigned> give_credit(unsigned port) {
    const unsigned vc = draw(shape_.virtual_channels);
    unsigned& held = held_[port * shape_.virtual_channels + vc];
    if (held == 0 || draw(out_moods_[port]) != 0) return {};
    --held;
    return vc;
  }
  void receive(unsigned port, unsigned vc, const Flit& flit) {
    if (!kPerPacket || flit.tail()) ++held_[port * shape_.virtual_channels + vc];
  }

 private:
  struct Sender {
    Flit flit{};  ///< The next one, but for `remaining`.
    unsigned credits = 0;
    unsigned flits_left = 0;
  };

  template <class T>
  const T& any_of(const std::vector<T>& all) {
    return all[draw(static_cast<unsigned>(all.size()))];
  }
  unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }

  void start_packet(Sender& sender) {
    sender.flits_left = 1 + draw(longest_);
    sender.flit.head = true;
    sender.flit.destination =
        any_of(beat_ > 1 || draw(2) == 0 ? *favoured_ : any_of(shape_.destinations));
    sender.flit.packet = PacketSlot{number()};
    sender.flit.hops = static_cast<std::uint16_t>(draw(65535));
    sender.flit.ties = static_cast<std::uint8_t>(draw(256));
    if (!kPerPacket) sender.flit.route_field = static_cast<std::uint16_t>(draw(65536));
  }

  // Of packets. The factor is odd: 16 packets in a row have different numbers.
  std::uint32_t number() {
    if (!kPerPacket) return static_cast<std::uint32_t>(random_());
    return (packets_++ * 0x9e3779b1U & varying_) ^ inverted_;
  }

  const Shape shape_;
  std::vector<Sender> senders_;
  std::vector<unsigned> held_;  // Credits in use downstream, per output VC.
  std::vector<unsigned> in_moods_;
  std::vector<unsigned> out_moods_;
  unsigned longest_ = 1;                           // Flits of a packet at present.
  unsigned beat_ = 1;                              // Flits come in one cycle of so many.
  const std::vector<NodeId>* favoured_ = nullptr;  // Every other packet goes there.
  std::uint64_t cycle_ = 0;
  std::uint32_t packets_ = 0;
  std::uint32_t varying_ = ~0U;  // Bits in which the numbers of packets differ at present;
  std::uint32_t inverted_ = 0;   // the others are 0 or, with this, 1.
  std::mt19937 random_{5};
};

using WormholeNeighbours = RouterNeighbours<false>;
using StoreForwardNeighbours = RouterNeighbours<true>;

}  // namespace flitcast
