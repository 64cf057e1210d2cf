// SPDX-License-Identifier: Apache-2.0
#include "collective/verification.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "base/bit_matrix.h"
#include "base/sequences.h"
#include "base/shared_sets.h"
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
          const Discipline& discipline, const Placement& placement)
      : topology_(topology),
        schedule_(schedule),
        demand_(demand),
        discipline_(discipline),
        placement_(placement),
        first_router_(through_routers() ? demand.nodes : 0),
        senders_(first_router_ + (through_routers() ? topology.router_count() : demand.nodes)),
        has_paths_(discipline.switching != Switching::kAnyNetwork),
        adjacency_(has_paths_ ? std::optional<Adjacency>(topology) : std::nullopt),
        chunks_(demand.chunks()),
        blocks_(demand.blocks()),
        held_(demand.adds_up() ? 0 : senders_, chunks_),
        own_sums_(demand.adds_up() ? senders_ * blocks_ : 0),
        sets_(demand.nodes, kMostVerified / 8),
        channel_uses_(topology.channels().size()),
        sends_(demand.nodes),
        receipts_(demand.nodes) {}

  Verification run() {
    for (std::uint32_t c = 0; c < chunks_ && !demand_.adds_up(); ++c) {
      held_.set(index(demand_.origin(ChunkId{c})), c);
    }
    const std::size_t of_nodes = demand_.adds_up() ? demand_.nodes * blocks_ : 0;
    for (std::size_t n = 0; n < of_nodes && !demand_.keeps_own_apart(); ++n) {
      own_sums_[n] = sets_.range(n / blocks_, 1);
    }
    verification_.transmissions = schedule_.size();
    for (std::uint32_t round = 0; round < schedule_.rounds(); ++round) play(round);
    for (std::uint32_t node = 0; node < demand_.nodes; ++node) check_end(NodeId{node});
    verification_.stored = sets_.stored();
    return std::move(verification_);
  }

 private:
  struct Receipt {
    NodeId node;
    std::size_t message;
    std::size_t first_sum;  // The index in sums_ of the first sum that the message carries.
  };

  bool through_routers() const { return discipline_.switching == Switching::kThroughRouters; }
  bool is_router(NodeId sender) const {
    return through_routers() && index(sender) >= first_router_;
  }

  /// The nodes whose contributions to a block are in the sum of a node.
  SharedSet& own_sum(NodeId node, std::size_t block) {
    return own_sums_[index(node) * blocks_ + block];
  }
  bool knows(NodeId node, std::size_t chunk) {
    if (!demand_.adds_up()) return held_.test(index(node), chunk);
    return sets_.test(own_sum(node, chunk / demand_.nodes), chunk % demand_.nodes);
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
    if (empty && !has_paths_)
      tell(Fault::kEmptyRound, [&] { return at_round() + "no node sends"; });
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
    return all_of(items, held) || report(Fault::kSenderLacksChunk, number, " but does not hold it");
  }

  void take_sums(std::size_t number) {
    const NodeId from = schedule_.message(number).from;
    for (const ChunkId item : schedule_.items(number)) {
      sums_.push_back(own_sum(from, block_of(item)));
      if (!demand_.keeps_own_apart()) continue;
      sums_.back() = sets_.united(sums_.back(), sets_.range(index(from), 1));
    }
  }

  // True if nodes and items of the message exist and its receivers differ from its sender.
  bool exists(std::size_t number) {
    const Message& message = schedule_.message(number);
    const Receivers receivers = schedule_.receivers(number);
    const auto unknown = [this](NodeId node) { return index(node) >= senders_; };
    if (unknown(message.from) || any_of(receivers, unknown)) {
      return report(Fault::kNoSuchNode, number, ", but one of them does not exist");
    }
    const Items items = schedule_.items(number);
    if (any_of(items, [this](ChunkId item) { return !is_there(item); })) {
      return report(Fault::kNoSuchChunk, number, ", but the operation is not about that");
    }
    return has_paths_ || !contains(receivers, message.from) ||
           report(Fault::kToItself, number, ", hence to itself");
  }

  // True if the operation has the item.
  bool is_there(ChunkId item) const {
    if (is_sum(item) != demand_.adds_up()) return false;
    return is_sum(item) ? block_of(item) < blocks_ : index(item) < chunks_;
  }

  void count_ports(std::size_t number) {
    const NodeId from = schedule_.message(number).from;
    if (!is_router(from) && sends_.add(index(from), round_) > discipline_.ports) {
      report(Fault::kSendLimit, number, ", one message more than its ports may send");
    }
    for (const NodeId to : schedule_.receivers(number)) {
      if (is_router(to) || receipts_.add(index(to), round_) <= discipline_.ports) continue;
      report(Fault::kReceiveLimit, number,
             ", one message more than node " + flitcast::number(to) + " may receive");
    }
  }

  // True if the message reaches its receiver; counts the uses of its channels.
  bool travels(std::size_t number) {
    if (!has_paths_) return true;
    const Path path = schedule_.path(number);
    if (discipline_.switching != Switching::kWormhole && path.size() > 1) {
      report(Fault::kLongPath, number, " over more than one channel");
    }
    const Message& message = schedule_.message(number);
    if (through_routers() && !(is_router(message.from) && is_router(message.to))) {
      return joins_node(number);
    }
    RouterId at = to_id<RouterId>(index(message.from) - first_router_);
    constexpr const char* kBroken = " along a path that is empty or leaves the network";
    if (path.size() == 0) return report(Fault::kBrokenPath, number, kBroken);
    for (const PortId output : path) {
      const std::uint32_t channel = leaving(at, output);
      if (channel == Adjacency::kNone) return report(Fault::kBrokenPath, number, kBroken);
      if (channel_uses_.add(channel, round_) > 1) {
        report(Fault::kLinkShared, number,
               " over the channel that leaves router " + flitcast::number(at) + " by output " +
                   flitcast::number(output) + ", which is taken");
      }
      at = topology_.channels()[channel].to.router;
    }
    return first_router_ + index(at) == index(message.to) ||
           report(Fault::kWrongReceiver, number, ", but the path ends elsewhere");
  }

  // True if the message goes from a node to the router where it injects, or to a node from the
  // router where it ejects.
  bool joins_node(std::size_t number) {
    const auto [from, to, chunk] = schedule_.message(number);
    const NodeId node = placement_.node(is_router(from) ? to : from);
    const NodeId router = is_router(from) ? from : to;
    const Attachment& attachment = topology_.attachment(node);
    const Endpoint end = is_router(from) ? attachment.ejection : attachment.injection;
    return (is_router(router) && index(router) - first_router_ == index(end.router)) ||
           report(Fault::kBrokenPath, number, ", but no channel joins them");
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
    const bool is_new = !held_.test(index(node), chunk);
    held_.set(index(node), chunk);
    return is_new;
  }

  bool adds_news(NodeId node, ChunkId item, const SharedSet& sum) {
    SharedSet& own = own_sum(node, block_of(item));
    const SharedSet both = sets_.united(own, sum);
    const bool is_new = both.size > own.size;
    const bool shares = both.size < std::uint64_t{own.size} + sum.size;
    if (!is_result(item) && !demand_.is_union() && shares) {
      tell(Fault::kCountedTwice, [&] {
        return at_round() + "node " + number(node) +
               " adds a sum that shares contributions with its own";
      });
    }
    own = is_result(item) ? sum : both;
    return is_new;
  }

  void check_end(NodeId node) {
    if (demand_.adds_up() && has_exact_sums(node)) return;
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

  /// True if the sums that the node wants have all contributions that they must have, and no other.
  bool has_exact_sums(NodeId node) {
    const auto [begin, end] = demand_.wanted(node);
    const ChunkRange summed = demand_.summed(node);
    for (std::size_t first = summed.begin; first < summed.end; first += demand_.nodes) {
      const std::size_t from = std::max(begin, first);
      const std::size_t count = std::min(end, first + demand_.nodes) - from;
      const SharedSet& sum = own_sum(node, first / demand_.nodes);
      if (!(sum == sets_.range(from % demand_.nodes, count))) return false;
    }
    return true;
  }

  // The texts of faults are made only for those that are shown, because a bad schedule has
  // millions.
  template <class Text>
  void tell(Fault fault, Text&& text) {
    if (++verification_.faults > Verification::kMostViolations) return;
    verification_.violations.push_back({fault, text()});
  }

  std::string at_round() const { return "round " + std::to_string(round_ + 1) + ": "; }

  /// Reports a fault of a message. Returns false, for a message that brings nothing.
  bool report(Fault fault, std::size_t number, const std::string& what) {
    tell(fault, [&] {
      std::string to;
      for (const NodeId node : schedule_.receivers(number)) to += " node " + flitcast::number(node);
      return at_round() + "node " + flitcast::number(schedule_.message(number).from) + " sends " +
             text_of(schedule_.items(number)) + " to" + to + what;
    });
    return false;
  }

  void report_end(Fault fault, NodeId node, const char* what, std::size_t chunk) {
    tell(fault, [&] {
      return "node " + number(node) + what + " chunk " + std::to_string(chunk) + " at the end";
    });
  }

  const Topology& topology_;
  const Schedule& schedule_;
  const Demand& demand_;
  const Discipline& discipline_;
  const Placement& placement_;
  const std::size_t first_router_;  // The number of router 0 as a sender.
  const std::size_t senders_;       // Nodes, and routers that take part.
  const bool has_paths_;
  const std::optional<Adjacency> adjacency_;  // Absent if messages have no paths.
  const std::size_t chunks_;
  const std::size_t blocks_;
  BitMatrix held_;                   // By node: the chunks that it holds, but for contributions.
  std::vector<SharedSet> own_sums_;  // By node and block: the nodes with contributions to its sum.
  SharedSets sets_;                  // The sets of nodes with contributions to sums.
  Tally channel_uses_;
  Tally sends_;
  Tally receipts_;
  std::vector<Receipt> arriving_;  // The receipts at the end of this round.
  std::vector<SharedSet> sums_;    // The sums that messages of this round carry.
  std::uint32_t round_ = 0;
  std::size_t longest_ = 0;  // The number of items of the longest message of this round.
  Verification verification_;
};

// If messages have paths between nodes, the machine identifies a node with its router.
void check_arguments(const Topology& topology, const Demand& demand, const Discipline& discipline) {
  const bool has_paths = discipline.switching < Switching::kAnyNetwork;
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
  const std::size_t bits =
      demand.adds_up() ? 8 * sizeof(SharedSet) * demand.blocks() : demand.chunks();
  if (bits > kMostVerified / demand.nodes) {
    throw std::length_error("what nodes know would take more than 2^36 bits");
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
                    const Discipline& discipline, const Placement& placement) {
  check_arguments(topology, demand, discipline);
  return Machine(topology, schedule, demand, discipline, placement).run();
}

Verification verify(const Topology& topology, const Schedule& schedule, const Demand& demand,
                    const Discipline& discipline, const Claim& claim, const Placement& placement) {
  Verification verification = verify(topology, schedule, demand, discipline, placement);
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
