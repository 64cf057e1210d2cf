// SPDX-License-Identifier: Apache-2.0
#include "traffic/permutation_player.h"

#include <algorithm>

#include "router/invariant.h"

namespace flitcast {

namespace {

constexpr std::uint32_t kArrived = ~std::uint32_t{0};

}  // namespace

PermutationPlayer::PermutationPlayer(const std::vector<MovePhase>& phases, const MovePaths& paths,
                                     std::uint32_t length)
    : phases_(phases), paths_(paths), length_(length), of_node_(paths.topology().node_count() + 1) {
  enter_phase();
}

// Counting sort of the moves by node; phases without any take no time.
void PermutationPlayer::enter_phase() {
  for (; phase_ < phases_.size() && left_ == 0; ++phase_) {
    const std::vector<Move>& moves = phases_[phase_].moves;
    std::fill(of_node_.begin(), of_node_.end(), 0);
    for (const Move& move : moves) {
      if (move.packet >= move_of_.size()) move_of_.resize(move.packet + 1, kArrived);
      if (is_there(paths_.topology(), move)) continue;
      ++of_node_[index(move.from) + 1];
      ++left_;
    }
    if (left_ == 0) {
      phase_cycles_.push_back(0);
      continue;
    }
    for (std::size_t node = 1; node < of_node_.size(); ++node) of_node_[node] += of_node_[node - 1];
    moves_.resize(left_);
    std::vector<std::size_t> place = of_node_;
    for (std::uint32_t m = 0; m < moves.size(); ++m) {
      if (is_there(paths_.topology(), moves[m])) continue;
      moves_[place[index(moves[m].from)]++] = m;
      move_of_[moves[m].packet] = m;
    }
    return;
  }
}

Cycle PermutationPlayer::first(NodeId node) {
  return of_node_[index(node)] == of_node_[index(node) + 1] ? kNever : Cycle{0};
}

Cycle PermutationPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  const std::size_t begin = of_node_[index(node)];
  for (std::size_t i = begin; i < of_node_[index(node) + 1]; ++i) {
    const Move& move = phases_[phase_].moves[moves_[i]];
    PacketRequest request{move.to, length_, move.packet, move.packet};
    request.port = static_cast<std::uint16_t>((i - begin) % paths_.topology().node_ports());
    request.ties = paths_.ties(move.packet);
    request.route_field = paths_.route_field(move);
    packets.push_back(request);
  }
  return kNever;
}

void PermutationPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const std::uint64_t packet = delivery.packet.tag;
  const bool due = packet < move_of_.size() && move_of_[packet] != kArrived;
  if (!due || delivery.packet.payload != packet ||
      phases_[phase_].moves[move_of_[packet]].to != delivery.node) {
    throw InvariantError("a packet that the permutation does not send arrived at a node");
  }
  move_of_[packet] = kArrived;
  if (--left_ > 0) return;
  const std::uint64_t end = index(delivery.arrival) + 1;
  phase_cycles_.push_back(end - begin_);
  begin_ = end;
  ++phase_;
  enter_phase();
  for (std::uint32_t node = 0; node + 1 < of_node_.size() && left_ > 0; ++node) {
    if (first(NodeId{node}) != kNever) wake_ups.push_back({NodeId{node}, delivery.arrival + 1});
  }
}

}  // namespace flitcast
