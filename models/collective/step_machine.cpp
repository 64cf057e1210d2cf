// SPDX-License-Identifier: Apache-2.0
#include "collective/step_machine.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "collective/fault_text.h"
#include "topology/adjacency.h"

namespace flitcast {

namespace {

/// Counts events per item and round; a new round starts from nothing without any clearing.
class Tally {
 public:
  explicit Tally(std::size_t items) : entries_(items) {}

  /// Counts one more for `item`; returns how many that makes in `round`. Rounds must not decrease.
  std::uint32_t add(std::size_t item, std::uint32_t round) {
    Entry& entry = entries_[item];
    if (entry.round != round) entry = {round, 0};
    return ++entry.count;
  }

 private:
  struct Entry {
    std::uint32_t round = ~0U;
    std::uint32_t count = 0;
  };
  std::vector<Entry> entries_;
};

/// Who holds what: a bit for every node and chunk.
class Holdings {
 public:
  Holdings(std::size_t nodes, std::size_t chunks)
      : chunks_(chunks), words_((nodes * chunks + 63) / 64) {}

  bool has(NodeId node, ChunkId chunk) const {
    const std::size_t place = index(node) * chunks_ + index(chunk);
    return (words_[place / 64] >> place % 64 & 1) != 0;
  }
  /// Returns whether that is new.
  bool give(NodeId node, ChunkId chunk) {
    const std::size_t place = index(node) * chunks_ + index(chunk);
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    const bool is_new = (words_[place / 64] & bit) == 0;
    words_[place / 64] |= bit;
    return is_new;
  }

 private:
  std::size_t chunks_;
  std::vector<std::uint64_t> words_;
};

std::string text(std::uint64_t number) { return std::to_string(number); }

class Machine {
 public:
  Machine(const Topology& topology, const Schedule& schedule, const Demand& demand,
          const Discipline& discipline);
  Judgement run();

 private:
  struct Receipt {
    NodeId node;
    ChunkId chunk;
  };

  void start();
  void play(std::uint32_t round);
  void check(const Send& send, const Path& path);
  void count_ports(const Send& send);
  bool travels(const Send& send, const Path& path);
  std::uint32_t leaving(RouterId router, PortId output) const;
  void deliver();
  bool give(NodeId node, ChunkId chunk);
  void find_unserved();

  bool exists(const Send& send) const;
  void report(Fault fault, const Send& send, std::uint32_t channel = Adjacency::kNone);

  const Topology& topology_;
  const Schedule& schedule_;
  const Demand& demand_;
  const Discipline& discipline_;
  const Adjacency adjacency_;
  const std::size_t chunks_;
  Holdings holdings_;
  Tally channel_uses_;
  Tally sends_;
  Tally receipts_;
  std::vector<Receipt> arriving_;  // At the end of this round.
  std::size_t wanted_ = 0;         // Pairs of a chunk and a node that wants and holds it.
  std::uint32_t round_ = 0;
  Judgement judgement_;
};

Machine::Machine(const Topology& topology, const Schedule& schedule, const Demand& demand,
                 const Discipline& discipline)
    : topology_(topology),
      schedule_(schedule),
      demand_(demand),
      discipline_(discipline),
      adjacency_(topology),
      chunks_(demand.chunks()),
      holdings_(topology.node_count(), chunks_),
      channel_uses_(topology.channels().size()),
      sends_(topology.node_count()),
      receipts_(topology.node_count()) {}

Judgement Machine::run() {
  start();
  judgement_.transmissions = schedule_.size();
  for (std::uint32_t round = 0; round < schedule_.rounds(); ++round) play(round);
  find_unserved();
  return std::move(judgement_);
}

void Machine::start() {
  for (std::uint32_t c = 0; c < chunks_; ++c) give(demand_.origin(ChunkId{c}), ChunkId{c});
}

bool Machine::give(NodeId node, ChunkId chunk) {
  const bool is_new = holdings_.give(node, chunk);
  if (is_new && demand_.wants(node, chunk)) ++wanted_;
  return is_new;
}

// Deliveries wait until all sends are checked: a round uses what was held before it.
void Machine::play(std::uint32_t round) {
  round_ = round;
  judgement_.new_per_round.push_back(0);
  judgement_.longest_path_per_round.push_back(0);
  arriving_.clear();
  for (std::size_t n = schedule_.begin(round); n < schedule_.end(round); ++n) {
    check(schedule_.send(n), schedule_.path(n));
  }
  deliver();
}

void Machine::check(const Send& send, const Path& path) {
  std::size_t& longest = judgement_.longest_path_per_round.back();
  longest = std::max(longest, path.size());
  if (!exists(send)) return report(Fault::kNoSuchNode, send);
  if (discipline_.ports != kAllPorts) count_ports(send);
  const bool holds = holdings_.has(send.from, send.chunk);
  if (!holds) report(Fault::kSenderLacksChunk, send);
  if (travels(send, path) && holds) arriving_.push_back({send.to, send.chunk});
}

void Machine::count_ports(const Send& send) {
  if (sends_.add(index(send.from), round_) > discipline_.ports) report(Fault::kSendLimit, send);
  if (receipts_.add(index(send.to), round_) > discipline_.ports) {
    report(Fault::kReceiveLimit, send);
  }
}

// Whether the message gets to where it claims to go; takes the channels on the way.
bool Machine::travels(const Send& send, const Path& path) {
  if (discipline_.switching == Switching::kStoreAndForward && path.size() > 1) {
    report(Fault::kLongPath, send);
  }
  if (path.size() == 0) {
    report(Fault::kBrokenPath, send);
    return false;
  }
  RouterId at{index(send.from)};
  for (const PortId output : path) {
    const std::uint32_t channel = leaving(at, output);
    if (channel == Adjacency::kNone) {
      report(Fault::kBrokenPath, send);
      return false;
    }
    if (channel_uses_.add(channel, round_) > 1) report(Fault::kLinkShared, send, channel);
    at = topology_.channels()[channel].to.router;
  }
  if (index(at) == index(send.to)) return true;
  report(Fault::kWrongReceiver, send);
  return false;
}

std::uint32_t Machine::leaving(RouterId router, PortId output) const {
  if (index(output) >= topology_.output_count(router)) return Adjacency::kNone;
  return adjacency_.leaving(router, output);
}

void Machine::deliver() {
  std::size_t& news = judgement_.new_per_round.back();
  for (const Receipt& receipt : arriving_) {
    if (give(receipt.node, receipt.chunk)) ++news;
  }
  judgement_.duplicates += arriving_.size() - news;
  if (news > 0) judgement_.rounds = round_ + 1;
}

// A chunk is owed either to all or to one; that count spares us the search when all are served.
void Machine::find_unserved() {
  const bool to_all =
      demand_.operation == Operation::kBroadcast || demand_.operation == Operation::kGossip;
  if (wanted_ == chunks_ * (to_all ? demand_.nodes : 1)) return;
  for (std::uint32_t n = 0; n < demand_.nodes; ++n) {
    for (std::uint32_t c = 0; c < chunks_; ++c) {
      const Send missing{NodeId{n}, NodeId{n}, ChunkId{c}};
      if (holdings_.has(missing.to, missing.chunk)) continue;
      if (demand_.wants(missing.to, missing.chunk)) report(Fault::kUnserved, missing);
    }
  }
}

bool Machine::exists(const Send& send) const {
  return index(send.from) < demand_.nodes && index(send.to) < demand_.nodes &&
         index(send.chunk) < chunks_;
}

// Texts are made for the few that are shown only: a bad schedule has millions of faults.
void Machine::report(Fault fault, const Send& send, std::uint32_t channel) {
  ++judgement_.faults;
  if (judgement_.violations.size() == Judgement::kMostViolations) return;
  const Channel* shared = channel == Adjacency::kNone ? nullptr : &topology_.channels()[channel];
  judgement_.violations.push_back({fault, describe(fault, round_ + 1, send, shared)});
}

// The machine identifies a node with its router; refuses what it cannot judge.
void require_judgeable(const Topology& topology, const Demand& demand,
                       const Discipline& discipline) {
  if (demand.nodes != topology.node_count()) {
    throw std::invalid_argument("the operation is for " + text(demand.nodes) + " nodes, but " +
                                topology.name() + " has " + text(topology.node_count()));
  }
  if (index(demand.source) >= demand.nodes) {
    throw std::invalid_argument(topology.name() + " has no node " + text(index(demand.source)));
  }
  if (discipline.ports == 0) throw std::invalid_argument("a node needs at least one port");
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    const Attachment& attachment = topology.attachment(NodeId{n});
    if (index(attachment.injection.router) != n || index(attachment.ejection.router) != n) {
      throw std::invalid_argument("schedules are defined where node n sits at router n; in " +
                                  topology.name() + " node " + text(n) + " does not");
    }
  }
}

}  // namespace

Judgement judge(const Topology& topology, const Schedule& schedule, const Demand& demand,
                const Discipline& discipline) {
  require_judgeable(topology, demand, discipline);
  return Machine(topology, schedule, demand, discipline).run();
}

Judgement judge(const Topology& topology, const Schedule& schedule, const Demand& demand,
                const Discipline& discipline, const Claim& claim) {
  Judgement judgement = judge(topology, schedule, demand, discipline);
  const auto hold_to = [&](std::size_t claimed, std::size_t actual, Fault fault) {
    if (actual == claimed) return;
    ++judgement.faults;
    if (judgement.violations.size() == Judgement::kMostViolations) return;
    judgement.violations.push_back(
        {fault, text(actual) + " " + to_text(fault) + ", but " + text(claimed) + " are claimed"});
  };
  if (!claim.at_most || judgement.rounds > claim.rounds) {
    hold_to(claim.rounds, judgement.rounds, Fault::kRounds);
  }
  if (claim.transmissions) {
    hold_to(*claim.transmissions, judgement.transmissions, Fault::kTransmissions);
  }
  if (claim.duplicates) hold_to(*claim.duplicates, judgement.duplicates, Fault::kDuplicates);
  return judgement;
}

}  // namespace flitcast
