// SPDX-License-Identifier: Apache-2.0
#include "permutation/step_machine.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/random.h"
#include "base/sequences.h"

namespace flitcast {

bool is_there(const Topology& topology, const Message& move) {
  const Attachment& home = topology.attachment(move.from);
  return move.from == move.to && home.injection.router == home.ejection.router;
}

Schedule without_those_there(const Topology& topology, const Schedule& phases) {
  Schedule moving;
  for (std::size_t phase = 0; phase < phases.rounds(); ++phase) {
    moving.begin_round();
    for (const Message& move : phases.messages(phase)) {
      if (!is_there(topology, move)) moving.add(move.from, move.to, move.chunk);
    }
  }
  return moving;
}

std::uint8_t MovePaths::ties(std::uint32_t packet) const {
  if (routing_.tie_dimensions() == 0) return 0;
  return static_cast<std::uint8_t>(Random::stream(seed_, packet).next() >> 56);
}

std::uint16_t MovePaths::route_field(const Message& move) const {
  if (!choices_.empty()) return choices_[packet_of(move)];
  const std::uint32_t choices = routing_.choices(move.from, move.to);
  if (choices == 1) return 0;
  Random random = Random::stream(seed_, packet_of(move));
  random.next();  // The first number is the one of ties().
  return routing_.choice(move.from, move.to, static_cast<std::uint32_t>(random.next() % choices));
}

void MovePaths::append(const Message& move, std::vector<std::uint32_t>& channels) {
  const std::size_t limit = channels.size() + topology_.channels().size();
  Endpoint at = topology_.attachment(move.from).injection;
  VcId vc{static_cast<std::uint8_t>(__builtin_ctz(routing_.injection_vcs(move.from, move.to)))};
  const std::uint8_t coins = ties(packet_of(move));
  const std::uint16_t field = route_field(move);
  for (;;) {
    const Route route = routing_.route({at.router, at.port, vc, move.to, coins, field});
    const std::uint32_t channel = adjacency_.leaving(at.router, route.output);
    if (channel == Adjacency::kNone) return;
    if (channels.size() == limit) throw std::invalid_argument("the routing runs in cycles");
    fewest_vcs_ = std::min(fewest_vcs_, static_cast<std::size_t>(__builtin_popcount(route.vcs)));
    vc = to_id<VcId>(__builtin_ctz(route.vcs));
    channels.push_back(channel);
    at = topology_.channels()[channel].to;
  }
}

void StepMachine::find_paths(const Messages& phase, PhaseOutcome& outcome) {
  channels_.clear();
  first_.assign(1, 0);
  for (const Message& move : phase) {
    if (!is_there(paths_.topology(), move)) paths_.append(move, channels_);
    outcome.longest_path = std::max(outcome.longest_path, channels_.size() - first_.back());
    first_.push_back(channels_.size());
  }
  std::vector<std::size_t> load(paths_.topology().channels().size());
  for (const std::uint32_t channel : channels_) {
    outcome.congestion = std::max(outcome.congestion, ++load[channel]);
  }
}

PhaseOutcome StepMachine::run(const Messages& phase) {
  PhaseOutcome outcome;
  find_paths(phase, outcome);
  const Topology& topology = paths_.topology();
  queues_.resize(topology.channels().size());
  stored_.assign(topology.channels().size(), 0);
  held_.assign(topology.router_count(), 0);
  outcome.delays.resize(phase.size());
  for (std::uint32_t m = 0; m < phase.size(); ++m) {
    if (first_[m] != first_[m + 1]) join(phase, m, static_cast<std::uint32_t>(first_[m]), 0);
  }
  for (std::uint32_t step = 1; !active_.empty(); ++step) {
    measure_queues(outcome);
    send_heads();
    arrive(phase, step, outcome);
  }
  return outcome;
}

namespace {

// The heap functions of the standard library keep the last element in this order at the front.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return std::tie(a.rank, a.joined, a.packet) > std::tie(b.rank, b.joined, b.packet);
};

}  // namespace

void StepMachine::join(const Messages& phase, std::uint32_t move, std::uint32_t place,
                       std::uint32_t step) {
  const std::uint32_t channel = channels_[place];
  const Endpoint output = paths_.topology().channels()[channel].from;
  const std::uint32_t packet = packet_of(phase[move]);
  const std::uint32_t rank =
      priority_.rank({output.router, output.port, phase[move].to, PacketId{packet}, Cycle{step}});
  std::vector<Waiting>& queue = queues_[channel];
  if (queue.empty()) active_.push_back(channel);
  queue.push_back({rank, step, packet, move, place});
  std::push_heap(queue.begin(), queue.end(), kLater);
}

void StepMachine::measure_queues(PhaseOutcome& outcome) {
  for (const std::uint32_t channel : active_) {
    const std::size_t length = queues_[channel].size();
    outcome.max_queue = std::max(outcome.max_queue, length);
    std::size_t& held = held_[index(paths_.topology().channels()[channel].from.router)];
    held += length - 1;
    outcome.max_held = std::max(outcome.max_held, held);
  }
  for (const std::uint32_t channel : active_) {
    held_[index(paths_.topology().channels()[channel].from.router)] = 0;
  }
}

void StepMachine::send_heads() {
  sent_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t channel : active_) {
    std::vector<Waiting>& queue = queues_[channel];
    std::pop_heap(queue.begin(), queue.end(), kLater);
    sent_.push_back(queue.back());
    queue.pop_back();
    if (!queue.empty()) active_[kept++] = channel;
  }
  active_.resize(kept);
}

// A packet occupies a slot behind the channel by which it came until it has moved to the next
// channel.
void StepMachine::arrive(const Messages& phase, std::uint32_t step, PhaseOutcome& outcome) {
  for (const Waiting& packet : sent_) {
    if (packet.place > first_[packet.move]) --stored_[channels_[packet.place - 1]];
  }
  for (const Waiting& packet : sent_) {
    const auto end = static_cast<std::uint32_t>(first_[packet.move + 1]);
    if (packet.place + 1 == end) {
      outcome.steps = std::max<std::size_t>(outcome.steps, step);
      outcome.delays[packet.move] = step - (end - static_cast<std::uint32_t>(first_[packet.move]));
      continue;
    }
    std::uint32_t& stored = stored_[channels_[packet.place]];
    outcome.max_stored = std::max<std::size_t>(outcome.max_stored, ++stored);
    join(phase, packet.move, packet.place + 1, step);
  }
}

namespace {

// The limit on pairs keeps the check from taking longer than the run.
constexpr std::size_t kMostPairs = std::size_t{1} << 28;

/// A move that uses a channel, and the place of the channel in StepMachine::channel().
struct User {
  std::uint32_t move = 0;
  std::size_t place = 0;
};

/// The last channel that two paths have in common.
struct Meeting {
  std::uint32_t with = 0;  // The number of the checked move + 1.
  std::size_t mine = 0;    // The index of the channel on the checked path.
  std::size_t theirs = 0;  // The index of the channel on the other path.
};

// By channel: the moves that use it.
std::vector<std::vector<User>> users_of(const StepMachine& machine, std::size_t moves) {
  std::vector<std::vector<User>> users;
  for (std::uint32_t m = 0; m < moves; ++m) {
    for (std::size_t place = machine.first(m); place < machine.first(m + 1); ++place) {
      const std::uint32_t channel = machine.channel(place);
      if (channel >= users.size()) users.resize(channel + 1);
      users[channel].push_back({m, place});
    }
  }
  return users;
}

}  // namespace

DelayTheorem check_delay_theorem(const StepMachine& machine, const PhaseOutcome& outcome) {
  const std::size_t moves = outcome.delays.size();
  const std::vector<std::vector<User>> users = users_of(machine, moves);
  DelayTheorem theorem;
  theorem.checked = sum_of<std::size_t>(users, [](const auto& some) {
                      return some.size() * some.size();
                    }) <= kMostPairs;
  if (!theorem.checked) return theorem;
  std::vector<Meeting> meetings(moves);  // By move: its last meeting with the checked move.
  for (std::uint32_t m = 0; m < moves; ++m) {
    std::size_t& others = theorem.sharing.emplace_back();
    for (std::size_t place = machine.first(m); place < machine.first(m + 1); ++place) {
      for (const User& user : users[machine.channel(place)]) {
        if (user.move == m) continue;
        Meeting& met = meetings[user.move];
        if (met.with != m + 1) {
          ++others;
        } else if (met.mine + 1 != place || met.theirs + 1 != user.place) {
          theorem.applies = false;
        }
        met = {m + 1, place, user.place};
      }
    }
    theorem.greatest_sharing = std::max(theorem.greatest_sharing, others);
    if (outcome.delays[m] > theorem.sharing[m]) ++theorem.violations;
  }
  return theorem;
}

}  // namespace flitcast
