// SPDX-License-Identifier: Apache-2.0
#include "collective/damage.h"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "support/test_catch.h"

namespace flitcast {

EditableRounds unpack(const Schedule& schedule) {
  EditableRounds rounds(schedule.rounds());
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t n = schedule.begin(round); n < schedule.end(round); ++n) {
      const Message& send = schedule.message(n);
      const Path path = schedule.path(n);
      rounds[round].push_back({send.from, send.to, send.chunk, {path.begin(), path.end()}});
    }
  }
  return rounds;
}

Schedule pack(const EditableRounds& rounds) {
  Schedule schedule;
  for (const auto& round : rounds) {
    schedule.begin_round();
    for (const EditableSend& send : round) {
      schedule.add(send.from, send.to, send.chunk, send.path);
    }
  }
  return schedule;
}

std::vector<SendFacts> facts(const Instance& instance) {
  using Holding = std::pair<NodeId, ChunkId>;
  const Schedule& schedule = instance.plan.schedule;
  std::vector<SendFacts> facts;
  // By holding: the rounds of its arrivals, ascending.
  std::map<Holding, std::vector<std::size_t>> arrivals;
  std::map<Holding, std::size_t> first_use;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t n = schedule.begin(round); n < schedule.end(round); ++n) {
      const Message& send = schedule.message(n);
      facts.push_back({send, round, n - schedule.begin(round), {}, false, {}});
      arrivals[{send.to, send.chunk}].push_back(round);
      first_use.insert({{send.from, send.chunk}, round});
    }
  }
  for (SendFacts& fact : facts) {
    const Holding sent{fact.send.from, fact.send.chunk};
    const Holding received{fact.send.to, fact.send.chunk};
    const NodeId origin = instance.demand.origin(fact.send.chunk);
    if (origin != fact.send.from) fact.arrived = arrivals.at(sent).front();
    fact.alone = origin != fact.send.to && arrivals.at(received).size() == 1;
    if (first_use.count(received) != 0) fact.needed = first_use.at(received);
  }
  return facts;
}

namespace {

template <class Predicate>
std::optional<Channel> find_channel(const Topology& topology, const Predicate& wanted) {
  const auto& channels = topology.channels();
  const auto found = std::find_if(channels.begin(), channels.end(), wanted);
  return found == channels.end() ? std::nullopt : std::optional<Channel>(*found);
}

}  // namespace

PortsInUse ports_in_use(const Schedule& schedule) {
  PortsInUse used;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    std::map<NodeId, std::size_t> sends;
    std::map<NodeId, std::size_t> receipts;
    for (std::size_t n = schedule.begin(round); n < schedule.end(round); ++n) {
      used.sends = std::max(used.sends, ++sends[schedule.message(n).from]);
      used.receipts = std::max(used.receipts, ++receipts[schedule.message(n).to]);
    }
  }
  return used;
}

std::vector<RouterId> routers_passed(const Topology& topology, NodeId from,
                                     const std::vector<PortId>& path) {
  std::vector<RouterId> passed{RouterId{index(from)}};
  for (const PortId output : path) {
    const auto channel = find_channel(topology, [&](const Channel& candidate) {
      return candidate.from == Endpoint{passed.back(), output};
    });
    passed.push_back(channel.value().to.router);
  }
  return passed;
}

std::optional<PortId> output_between(const Topology& topology, RouterId from, RouterId to) {
  const auto found = find_channel(topology, [&](const Channel& channel) {
    return channel.from.router == from && channel.to.router == to;
  });
  return found ? std::optional<PortId>(found->from.port) : std::nullopt;
}

std::optional<Channel> channel_leaving(const Topology& topology, NodeId node, NodeId other) {
  return find_channel(topology, [&](const Channel& channel) {
    return index(channel.from.router) == index(node) && index(channel.to.router) != index(other);
  });
}

std::optional<Channel> channel_entering(const Topology& topology, NodeId node, NodeId other) {
  return find_channel(topology, [&](const Channel& channel) {
    return index(channel.to.router) == index(node) && index(channel.from.router) != index(other);
  });
}

bool reports(const Verification& verification, Fault fault) {
  return std::any_of(verification.violations.begin(), verification.violations.end(),
                     [fault](const Violation& violation) { return violation.fault == fault; });
}

namespace {

/// Shuffles the sends, so that the first few are a random sample of all.
std::vector<SendFacts> shuffled_facts(const Instance& instance) {
  std::vector<SendFacts> sends = facts(instance);
  std::mt19937 random(1);
  for (std::size_t left = sends.size(); left > 1; --left) {
    std::swap(sends[left - 1], sends[random() % left]);
  }
  return sends;
}

/// Damages an instance at some sends and checks that the fault is found; returns whether any send
/// allowed the damage.
bool damaged(const Instance& instance, Fault fault, Spoil spoil) {
  constexpr int kEnough = 8;
  const EditableRounds original = unpack(instance.plan.schedule);
  EditableRounds rounds = original;
  int done = 0;
  for (const SendFacts& at : shuffled_facts(instance)) {
    if (!spoil(instance, at, rounds)) continue;
    INFO(instance.name() << ", damaged at round " << at.round + 1 << ": node "
                         << index(at.send.from) << " to node " << index(at.send.to));
    INFO("expected: " << to_text(fault));
    CHECK(reports(instance.verified(pack(rounds)), fault));
    rounds = original;
    if (++done == kEnough) break;
  }
  return done > 0;
}

}  // namespace

void check_reported(Fault fault, Filter filter, Spoil spoil, const Algorithms& immune) {
  Algorithms reached;
  Algorithms tried;
  for (const Instance& instance : collective_instances()) {
    if (!filter(instance)) continue;
    tried.insert(instance.algorithm);
    if (damaged(instance, fault, spoil)) reached.insert(instance.algorithm);
  }
  for (const std::string& algorithm : immune) tried.erase(algorithm);
  CHECK(reached == tried);
}

}  // namespace flitcast
