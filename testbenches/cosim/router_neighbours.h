// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "base/flit.h"

namespace flitcast {

/// Random neighbours of a router on a bench. At each input a sender injects packets of random
/// lengths to random outputs, on several VCs in turn, as credits allow; at each output a receiver
/// returns credits at random times. Every 200 cycles each of them draws a new rate, from always to
/// almost never, so that buffers fill, drain and idle, and all together draw a favoured output, the
/// length of packets, and whether all of them send in the same cycles only.
///
/// A credit stands for a flit, or for a whole packet. In the latter case the numbers of packets
/// that are sent at the same time also differ, at some times in all bits and at others only in the
/// low ones.
template <bool kPerPacket>
class RouterNeighbours {
 public:
  struct Shape {
    std::vector<bool> connected;                    ///< Per port.
    std::vector<std::vector<NodeId>> destinations;  ///< Groups, one for each output.
    unsigned virtual_channels = 1;
    unsigned depth = 1;  ///< Credits of a VC.
    unsigned max_length = 1;
  };
  struct Token {
    unsigned vc = 0;
    Flit flit{};
  };

  explicit RouterNeighbours(const Shape& shape) : shape_(shape) { reset(); }

  /// Resets the neighbours together with the router: nothing in flight, all credits returned.
  void reset() {
    const std::size_t ports = shape_.connected.size();
    senders_.assign(ports * shape_.virtual_channels, Sender{{}, shape_.depth, 0});
    held_.assign(ports * shape_.virtual_channels, 0);
    in_moods_.assign(ports, 1);
    out_moods_.assign(ports, 1);
    cycle_ = 0;
  }

  /// Must be called once per cycle, before the other functions.
  void begin_cycle() {
    if (cycle_++ % 200 != 0) return;
    if (kPerPacket) {
      varying_ = draw(2) == 0 ? ~0U : 0xf;
      inverted_ = draw(2) == 0 ? ~0U : 0;
    }
    longest_ = draw(kPerPacket ? 2 : 4) == 0 ? shape_.max_length : 1;
    favoured_ = &any_of(shape_.destinations);
    beat_ = draw(4) == 0 ? 8 : 1;  // At times the requesters served last request in the same cycle.
    const bool open = draw(2) == 0;  // If all send always, the arbiters have the most requests.
    for (unsigned& mood : in_moods_) mood = open ? 1 : 1U << draw(kPerPacket ? 5 : 4);
    for (unsigned& mood : out_moods_) mood = open ? 1 : 1U << draw(kPerPacket ? 8 : 6);
  }

  /// Returns the flit that enters an input in this cycle, if any.
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
    if (!kPerPacket) sender.flit.hops = 0;  // Nodes send flits with 0 hops.
    return Token{vc, flit};
  }
  /// Takes a credit that the router has returned; it is usable from the next cycle on.
  void take_credit(unsigned port, unsigned vc) {
    ++senders_[port * shape_.virtual_channels + vc].credits;
  }

  /// Returns the VC for which a credit enters an output in this cycle, if any.
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
    Flit flit{};  ///< Next flit, except for `remaining`.
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

  // Returns a packet number. The factor is odd, so that 16 consecutive packets have different
  // numbers.
  std::uint32_t number() {
    if (!kPerPacket) return static_cast<std::uint32_t>(random_());
    return (packets_++ * 0x9e3779b1U & varying_) ^ inverted_;
  }

  const Shape shape_;
  std::vector<Sender> senders_;
  std::vector<unsigned> held_;  // Credits in use downstream, per output VC.
  std::vector<unsigned> in_moods_;
  std::vector<unsigned> out_moods_;
  unsigned longest_ = 1;                           // Present maximum of flits in a packet.
  unsigned beat_ = 1;                              // Flits enter in one cycle of `beat_`.
  const std::vector<NodeId>* favoured_ = nullptr;  // Every other packet goes there.
  std::uint64_t cycle_ = 0;
  std::uint32_t packets_ = 0;
  std::uint32_t varying_ = ~0U;  // Bits in which the present packet numbers differ.
  std::uint32_t inverted_ = 0;   // Value of all other bits of packet numbers.
  std::mt19937 random_{5};
};

using WormholeNeighbours = RouterNeighbours<false>;
using StoreForwardNeighbours = RouterNeighbours<true>;

}  // namespace flitcast
