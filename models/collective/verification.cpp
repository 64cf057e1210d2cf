// SPDX-License-Identifier: Apache-2.0
#include "collective/verification.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "base/sequences.h"
#include "collective/paths.h"
#include "config/wording.h"
#include "topology/adjacency.h"

namespace flitcast {

namespace {

template <class Id>
std::string number(Id id) {
  return std::to_string(index(id));
}

std::string text_of(ChunkId item) {
  const std::string block =
      block_of(item) == 0 ? "" : " of block " + std::to_string(block_of(item));
  if (!is_sum(item)) return "chunk " + number(item);
  return (is_result(item) ? "the result" : "its sum") + block;
}

std::string text_of(const Items& items) {
  return joined(mapped(items, [](const ChunkId item) { return text_of(item); }), " and ");
}

/// The abstract machine: the knowledge of every node, and the rules of a round.
class Machine {
 public:
  Machine(const Topology& topology, const Schedule& schedule, const Demand& demand,
          const Discipline& discipline)
      : topology_(topology),
        schedule_(schedule),
        demand_(demand),
        discipline_(discipline),
        has_paths_(discipline.switching != Switching::kAnyNetwork),
        adjacency_(has_paths_ ? std::optional<Adjacency>(topology) : std::nullopt),
        chunks_(demand.chunks()),
        rows_(demand.adds_up() ? demand.blocks() : 1),
        columns_(chunks_ / rows_),
        known_(demand.nodes * rows_, columns_),
        channel_uses_(topology.channels().size()),
        sends_(demand.nodes),
        receipts_(demand.nodes) {}

  Verification run() {
    if (!demand_.keeps_own_apart()) {
      for (std::uint32_t c = 0; c < chunks_; ++c) {
        known_.set(row(demand_.origin(ChunkId{c}), c), c % columns_);
      }
    }
    verification_.transmissions = schedule_.size();
    for (std::uint32_t round = 0; round < schedule_.rounds(); ++round) play(round);
    for (std::uint32_t node = 0; node < demand_.nodes; ++node) check_end(NodeId{node});
    return std::move(verification_);
  }

 private:
  struct Receipt {
    NodeId node;
    std::size_t message;
    std::size_t first_sum;  // The index in sums_ of the first sum that the message carries.
  };

  // The row of known_ with a node's knowledge of a chunk or a sum.
  std::size_t row(NodeId node, std::size_t chunk) const {
    return index(node) * rows_ + chunk / columns_;
  }
  std::size_t row_of_sum(NodeId node, ChunkId sum) const {
    return index(node) * rows_ + block_of(sum);
  }
  bool knows(NodeId node, std::size_t chunk) const {
    return known_.test(row(node, chunk), chunk % columns_);
  }

  // Delivers after all messages are checked, because a round uses only the knowledge from before
  // it.
  void play(std::uint32_t round) {
    round_ = round;
    verification_.new_per_round.push_back(0);
    verification_.longest_path_per_round.push_back(0);
    arriving_.clear();
    sums_.clear();
    longest_ = 0;
    for (std::size_t n = schedule_.begin(round); n < schedule_.end(round); ++n) check(n);
    const bool empty = schedule_.begin(round) == schedule_.end(round);
    if (empty && !has_paths_ && is_shown()) {
      verification_.violations.push_back({Fault::kEmptyRound, at_round() + "no node sends"});
    }
    verification_.serial_blocks += longest_;
    deliver();
  }

  void check(std::size_t number) {
    const Receivers receivers = schedule_.receivers(number);
    std::size_t& longest = verification_.longest_path_per_round.back();
    longest = std::max(longest, schedule_.path(number).size());
    verification_.receipts += receivers.size();
    longest_ = std::max(longest_, schedule_.items(number).size());
    verification_.total_blocks += schedule_.items(number).size();
    if (!exists(number)) return;
    if (receivers.size() == 0 || (receivers.size() > 1 && !discipline_.multicast)) {
      report(Fault::kManyReceivers, number,
             ", so to " + std::to_string(receivers.size()) + " nodes");
    }
    if (schedule_.items(number).size() > 1 && !discipline_.combining) {
      report(Fault::kManyItems, number, ", which have to travel alone");
    }
    if (discipline_.ports != kAllPorts) count_ports(number);
    const bool holds = holds_all(number);
    if (!travels(number) || !holds) return;
    for (const NodeId to : receivers) arriving_.push_back({to, number, sums_.size()});
    if (demand_.adds_up()) take_sums(number);
  }

  bool holds_all(std::size_t number) {
    if (demand_.adds_up()) return true;
    const NodeId from = schedule_.message(number).from;
    const Items items = schedule_.items(number);
    const auto held = [&](ChunkId item) { return knows(from, index(item)); };
    if (all_of(items, held)) return true;
    report(Fault::kSenderLacksChunk, number, " but does not hold it");
    return false;
  }

  void take_sums(std::size_t number) {
    const NodeId from = schedule_.message(number).from;
    for (const ChunkId item : schedule_.items(number)) {
      sums_.push_back(known_.set_of(row_of_sum(from, item)));
      if (demand_.keeps_own_apart()) sums_.back().set(index(from));
    }
  }

  // True if nodes and items of the message exist and its receivers differ from its sender.
  bool exists(std::size_t number) {
    const Message& message = schedule_.message(number);
    const Receivers receivers = schedule_.receivers(number);
    const auto unknown = [this](NodeId node) { return index(node) >= demand_.nodes; };
    if (unknown(message.from) || any_of(receivers, unknown)) {
      report(Fault::kNoSuchNode, number, ", but one of them does not exist");
      return false;
    }
    const Items items = schedule_.items(number);
    if (any_of(items, [this](ChunkId item) { return !is_there(item); })) {
      report(Fault::kNoSuchChunk, number, ", but the operation is not about that");
      return false;
    }
    if (has_paths_ || !contains(receivers, message.from)) return true;
    report(Fault::kToItself, number, ", hence to itself");
    return false;
  }

  // True if the operation has the item.
  bool is_there(ChunkId item) const {
    if (is_sum(item) != demand_.adds_up()) return false;
    return is_sum(item) ? block_of(item) < rows_ : index(item) < chunks_;
  }

  void count_ports(std::size_t number) {
    const NodeId from = schedule_.message(number).from;
    if (sends_.add(index(from), round_) > discipline_.ports) {
      report(Fault::kSendLimit, number, ", one message more than its ports may send");
    }
    for (const NodeId to : schedule_.receivers(number)) {
      if (receipts_.add(index(to), round_) <= discipline_.ports) continue;
      report(Fault::kReceiveLimit, number,
             ", one message more than node " + flitcast::number(to) + " may receive");
    }
  }

  // True if the message reaches its receiver; counts the uses of its channels.
  bool travels(std::size_t number) {
    if (!has_paths_) return true;
    const Path path = schedule_.path(number);
    if (discipline_.switching == Switching::kStoreAndForward && path.size() > 1) {
      report(Fault::kLongPath, number, " over more than one channel");
    }
    RouterId at{index(schedule_.message(number).from)};
    bool broken = path.size() == 0;
    for (const PortId output : path) {
      const std::uint32_t channel = leaving(at, output);
      broken = channel == Adjacency::kNone;
      if (broken) break;
      if (channel_uses_.add(channel, round_) > 1) {
        report(Fault::kLinkShared, number,
               " over the channel that leaves router " + flitcast::number(at) + " by output " +
                   flitcast::number(output) + ", which is taken");
      }
      at = topology_.channels()[channel].to.router;
    }
    if (broken) {
      report(Fault::kBrokenPath, number, " along a path that is empty or leaves the network");
      return false;
    }
    if (index(at) == index(schedule_.message(number).to)) return true;
    report(Fault::kWrongReceiver, number, ", but the path ends elsewhere");
    return false;
  }

  std::uint32_t leaving(RouterId router, PortId output) const {
    if (index(output) >= topology_.output_count(router)) return Adjacency::kNone;
    return adjacency_->leaving(router, output);
  }

  void deliver() {
    std::size_t& news = verification_.new_per_round.back();
    for (const Receipt& receipt : arriving_) {
      if (!tells_news(receipt)) continue;
      if (news++ == 0) verification_.last_news.clear();
      verification_.last_news.push_back(receipt.message);
    }
    verification_.duplicates += arriving_.size() - news;
    if (news > 0) verification_.rounds = round_ + 1;
  }

  bool tells_news(const Receipt& receipt) {
    bool news = false;
    std::size_t sum = receipt.first_sum;
    for (const ChunkId item : schedule_.items(receipt.message)) {
      news |= is_sum(item) ? adds_news(receipt.node, item, sums_[sum++])
                           : tells_news(receipt.node, index(item));
    }
    return news;
  }

  bool tells_news(NodeId node, std::size_t chunk) {
    const bool held = knows(node, chunk);
    known_.set(row(node, chunk), chunk % columns_);
    return !held;
  }

  bool adds_news(NodeId node, ChunkId item, const BitSet& sum) {
    BitSet own = known_.set_of(row_of_sum(node, item));
    const bool is_new = !own.contains(sum);
    if (!is_result(item) && !demand_.is_union() && own.intersects(sum)) {
      if (is_shown()) {
        verification_.violations.push_back(
            {Fault::kCountedTwice, at_round() + "node " + number(node) +
                                       " adds a sum that shares contributions with its own"});
      }
    }
    if (is_result(item)) own.clear();
    own |= sum;
    known_.assign(row_of_sum(node, item), own);
    return is_new;
  }

  void check_end(NodeId node) {
    const auto [begin, end] = demand_.wanted(node);
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      if (!knows(node, chunk)) report_end(Fault::kUnserved, node, " lacks", chunk);
    }
    const ChunkRange summed = demand_.summed(node);
    for (std::size_t chunk = summed.begin; chunk < summed.end; ++chunk) {
      const bool wanted = chunk >= begin && chunk < end;
      if (!wanted && knows(node, chunk)) {
        report_end(Fault::kExcess, node, " has in its sum", chunk);
      }
    }
  }

  // The texts of faults are made only for those that are shown, because a bad schedule has
  // millions.
  bool is_shown() { return ++verification_.faults <= Verification::kMostViolations; }

  std::string at_round() const { return "round " + std::to_string(round_ + 1) + ": "; }

  void report(Fault fault, std::size_t number, const std::string& what) {
    if (!is_shown()) return;
    std::string to;
    for (const NodeId node : schedule_.receivers(number)) to += " node " + flitcast::number(node);
    const Message& message = schedule_.message(number);
    verification_.violations.push_back(
        {fault, at_round() + "node " + flitcast::number(message.from) + " sends " +
                    text_of(schedule_.items(number)) + " to" + to + what});
  }

  void report_end(Fault fault, NodeId node, const char* what, std::size_t chunk) {
    if (!is_shown()) return;
    verification_.violations.push_back(
        {fault, "node " + number(node) + what + " chunk " + std::to_string(chunk) + " at the end"});
  }

  const Topology& topology_;
  const Schedule& schedule_;
  const Demand& demand_;
  const Discipline& discipline_;
  const bool has_paths_;
  const std::optional<Adjacency> adjacency_;  // Absent if messages have no paths.
  const std::size_t chunks_;
  const std::size_t rows_;     // The rows of a node: one for each sum, or one for all its chunks.
  const std::size_t columns_;  // Chunks in a row.
  BitMatrix known_;            // The chunks that a node holds, or that its sums contain.
  Tally channel_uses_;
  Tally sends_;
  Tally receipts_;
  std::vector<Receipt> arriving_;  // The receipts at the end of this round.
  std::vector<BitSet> sums_;       // The sums that messages of this round carry.
  std::uint32_t round_ = 0;
  std::size_t longest_ = 0;  // The number of items of the longest message of this round.
  Verification verification_;
};

// If messages have paths, the machine identifies a node with its router.
void check_arguments(const Topology& topology, const Demand& demand, const Discipline& discipline) {
  const bool has_paths = discipline.switching != Switching::kAnyNetwork;
  if (demand.nodes > topology.node_count() || (has_paths && demand.nodes < topology.node_count())) {
    throw std::invalid_argument("the operation is for " + std::to_string(demand.nodes) +
                                " nodes, but " + topology.name() + " has " +
                                std::to_string(topology.node_count()));
  }
  if (index(demand.source) >= demand.nodes) {
    throw std::invalid_argument(topology.name() + " has no node " + number(demand.source));
  }
  if (discipline.ports == 0) throw std::invalid_argument("a node needs at least one port");
  if (has_paths && !nodes_sit_at_routers(topology)) {
    throw std::invalid_argument("paths are defined where node n sits at router n, unlike in " +
                                topology.name());
  }
  if (demand.chunks() > kMostVerified / demand.nodes) {
    throw std::length_error("nodes times chunks exceed the machine's 2^36 entries");
  }
}

}  // namespace

const char* to_text(Fault fault) {
  static constexpr std::array kTexts{
      // The texts are in the order of the enumerators.
      "no such node", "no such chunk",  "to itself",     "many receivers", "many items",
      "broken path",  "wrong receiver", "long path",     "empty round",    "sender lacks chunk",
      "link shared",  "send limit",     "receive limit", "counted twice",  "unserved",
      "excess",       "rounds",         "transmissions", "duplicates",     "serial blocks",
      "total blocks"};
  return kTexts[static_cast<std::size_t>(fault)];
}

Verification verify(const Topology& topology, const Schedule& schedule, const Demand& demand,
                    const Discipline& discipline) {
  check_arguments(topology, demand, discipline);
  return Machine(topology, schedule, demand, discipline).run();
}

Verification verify(const Topology& topology, const Schedule& schedule, const Demand& demand,
                    const Discipline& discipline, const Claim& claim) {
  Verification verification = verify(topology, schedule, demand, discipline);
  const auto hold_to = [&](std::optional<std::size_t> claimed, std::size_t actual, Fault fault) {
    if (!claimed || actual == *claimed) return;
    ++verification.faults;
    if (verification.violations.size() == Verification::kMostViolations) return;
    verification.violations.push_back({fault, std::to_string(actual) + " " + to_text(fault) +
                                                  ", but " + std::to_string(*claimed) +
                                                  " are claimed"});
  };
  const bool within = claim.at_most && verification.rounds <= claim.rounds;
  if (!within) hold_to(claim.rounds, verification.rounds, Fault::kRounds);
  hold_to(claim.transmissions, verification.transmissions, Fault::kTransmissions);
  hold_to(claim.duplicates, verification.duplicates, Fault::kDuplicates);
  hold_to(claim.serial_blocks, verification.serial_blocks, Fault::kSerialBlocks);
  hold_to(claim.total_blocks, verification.total_blocks, Fault::kTotalBlocks);
  return verification;
}

}  // namespace flitcast
