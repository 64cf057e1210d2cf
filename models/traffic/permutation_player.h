// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/packet_source.h"
#include "permutation/step_machine.h"
#include "router/invariant.h"
#include "traffic/message_lanes.h"

namespace flitcast {

/// Plays the phases of a permutation on a network: a phase begins in the cycle after the last
/// arrival of the phase before it, and all its packets are created in that cycle.
///
/// The k-th packet that a node sends in a phase leaves by port k of the node, modulo its ports. The
/// tag of a packet is its number in the instance, by which the queues of routers must order them
/// (NetworkParams::ordered_by_tag).
class PermutationPlayer : public PacketSource {
 public:
  /// `phases`, without packets that are already at their destinations, and `paths` must outlive the
  /// player; `paths` provides the topology and the headers of the packets.
  /// @param length  Flits of every packet.
  PermutationPlayer(const Schedule& phases, const MovePaths& paths, std::uint32_t length)
      : phases_(phases),
        paths_(paths),
        length_(length),
        lanes_(phases, paths.topology().node_count(), 1) {
    enter_phase();
  }

  Cycle first(NodeId node) override { return lanes_.has(node, lanes_.due()) ? Cycle{0} : kNever; }

  Cycle create(NodeId node, Cycle, std::vector<PacketRequest>& packets) override {
    std::size_t sent = 0;
    lanes_.take(node, lanes_.due(), [&](std::size_t message) {
      const Message& move = phases_.message(message);
      PacketRequest request{move.to, length_, packet_of(move), packet_of(move)};
      request.port = static_cast<std::uint16_t>(sent++ % paths_.topology().node_ports());
      request.ties = paths_.ties(packet_of(move));
      request.route_field = paths_.route_field(move);
      packets.push_back(request);
    });
    return kNever;
  }

  bool wants_deliveries() const override { return true; }

  /// Throws InvariantError for a packet that the phase does not send there, or that arrives twice.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    const std::uint64_t packet = delivery.packet.tag;
    const bool due = packet < message_of_.size() && message_of_[packet] != kNotDue;
    if (!due || delivery.packet.payload != packet ||
        phases_.message(message_of_[packet]).to != delivery.node) {
      throw InvariantError("a packet that the permutation does not send arrived at a node");
    }
    message_of_[packet] = kNotDue;
    if (!lanes_.receive()) return;
    const std::uint64_t end = index(delivery.arrival) + 1;
    phase_cycles_.push_back(end - begin_);
    begin_ = end;
    lanes_.next_round([&](NodeId node) { wake_ups.push_back({node, delivery.arrival + 1}); });
    enter_phase();
  }

  /// True if the last phase has ended.
  bool finished() const { return lanes_.finished(); }
  /// Cycles from the start to the end of the last arrival.
  std::uint64_t cycles() const { return begin_; }
  /// By phase: cycles from its start to the end of its last arrival; 0 for a phase without moves.
  const std::vector<std::uint64_t>& phase_cycles() const { return phase_cycles_; }

 private:
  static constexpr std::uint32_t kNotDue = ~std::uint32_t{0};

  void enter_phase() {
    phase_cycles_.resize(lanes_.round(), 0);
    if (finished()) return;
    for (std::size_t m = phases_.begin(lanes_.round()); m < phases_.end(lanes_.round()); ++m) {
      const std::uint32_t packet = packet_of(phases_.message(m));
      if (packet >= message_of_.size()) message_of_.resize(packet + 1, kNotDue);
      message_of_[packet] = static_cast<std::uint32_t>(m);
    }
  }

  const Schedule& phases_;
  const MovePaths& paths_;
  const std::uint32_t length_;
  MessageLanes lanes_;
  std::uint64_t begin_ = 0;  // The first cycle of the current phase.
  // By packet: its message in the phase, if it has not arrived yet.
  std::vector<std::uint32_t> message_of_;
  std::vector<std::uint64_t> phase_cycles_;
};

}  // namespace flitcast
