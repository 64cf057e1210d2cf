// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "base/flit.h"

namespace flitcast {

/// What is around a store-and-forward router on a bench: at each input somebody who sends packets
/// of random lengths to random nodes as credits allow, at each output somebody who gives credits
/// back whenever it pleases him. Every 200 cycles each of them draws a new mood, from hardly ever
/// to always, so that queues fill, drain and idle, and many packets arrive together.
class StoreForwardNeighbours {
 public:
  struct Shape {
    unsigned ports = 3;
    unsigned nodes = 2;
    unsigned virtual_channels = 1;
    unsigned places = 1;
    unsigned max_length = 1;
    unsigned packet_numbers = 16;  ///< More than the router has places.
  };
  struct Token {
    unsigned vc = 0;
    Flit flit{};
  };

  explicit StoreForwardNeighbours(const Shape& shape)
      : shape_(shape), in_use_(shape.packet_numbers) {
    reset();
  }

  /// As the router: nothing under way, all credits at home.
  void reset() {
    inputs_.assign(shape_.ports * shape_.virtual_channels, Sender{{}, shape_.places});
    outputs_.assign(shape_.ports * shape_.virtual_channels, 0);
    std::fill(in_use_.begin(), in_use_.end(), false);
    in_moods_.assign(shape_.ports, 1);
    out_moods_.assign(shape_.ports, 1);
    cycle_ = 0;
  }

  /// Once a cycle, before the four below.
  void begin_cycle() {
    if (cycle_++ % 200 != 0) return;
    for (unsigned& mood : in_moods_) mood = 1U << random_() % 5;
    for (unsigned& mood : out_moods_) mood = 1U << random_() % 8;
  }

  /// The flit that comes to an input in this cycle, if any.
  std::optional<Token> send(unsigned port) {
    if (random_() % in_moods_[port] != 0) return {};
    const unsigned vc = draw(shape_.virtual_channels);
    Sender& sender = inputs_[port * shape_.virtual_channels + vc];
    if (sender.flits_left == 0 && !start(sender)) return {};
    --sender.flits_left;
    Flit flit = sender.head;
    flit.head = sender.flits_left == flit.remaining;
    flit.remaining = static_cast<std::uint16_t>(sender.flits_left);
    return Token{vc, flit};
  }
  void credit(unsigned port, unsigned vc) {
    ++inputs_[port * shape_.virtual_channels + vc].credits;
  }

  /// The VC for which a credit comes to an output in this cycle, if any.
  std::optional<unsigned> give_credit(unsigned port) {
    if (random_() % out_moods_[port] != 0) return {};
    const unsigned vc = draw(shape_.virtual_channels);
    unsigned& stored = outputs_[port * shape_.virtual_channels + vc];
    if (stored == 0) return {};
    --stored;
    return vc;
  }
  void receive(unsigned port, unsigned vc, const Flit& flit) {
    if (!flit.tail()) return;
    ++outputs_[port * shape_.virtual_channels + vc];
    in_use_[index(flit.packet)] = false;
    ++packets_received;
  }

  std::uint64_t packets_received = 0;

 private:
  struct Sender {
    Flit head{};
    unsigned credits = 0;
    unsigned flits_left = 0;
  };

  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

  bool start(Sender& sender) {
    const unsigned number = draw(shape_.packet_numbers);
    if (sender.credits == 0 || in_use_[number]) return false;
    in_use_[number] = true;
    --sender.credits;
    sender.flits_left = 1 + draw(shape_.max_length);
    sender.head = Flit{};
    sender.head.destination = NodeId{draw(shape_.nodes)};
    sender.head.packet = PacketSlot{number};
    sender.head.remaining = static_cast<std::uint16_t>(sender.flits_left - 1);
    return true;
  }

  const Shape shape_;
  std::mt19937 random_{5};
  std::uint64_t cycle_ = 0;
  std::vector<Sender> inputs_;     // Per input VC.
  std::vector<unsigned> outputs_;  // Packets that have come by each output VC, credits due.
  std::vector<bool> in_use_;       // Packet numbers.
  std::vector<unsigned> in_moods_;
  std::vector<unsigned> out_moods_;
};

}  // namespace flitcast
