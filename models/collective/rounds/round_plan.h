// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// What a message of a round plan is about. A node knows a set of items: chunks of data, or the
/// contributions of which it has the combination; see RoundDemand.
enum class Carries {
  kChunk,    ///< One chunk that the sender holds.
  kPartial,  ///< The combination that the sender has; receivers combine it with their own.
  kResult,   ///< The same, but it takes the place of what receivers have.
};

/// One message of a round. Its receivers are with the plan.
struct RoundMessage {
  NodeId from{};
  Carries carries = Carries::kChunk;
  std::uint32_t chunk = 0;         ///< Of kChunk.
  std::size_t first_receiver = 0;  ///< Where its receivers start among the plan's.
};

/// Some of the nodes in a list.
class NodeRange {
 public:
  NodeRange(const NodeId* begin, const NodeId* end) : begin_(begin), end_(end) {}
  const NodeId* begin() const { return begin_; }
  const NodeId* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

 private:
  const NodeId* begin_;
  const NodeId* end_;
};

/// A collective operation as rounds of simultaneous messages between nodes, whatever network joins
/// them: the counterpart of Schedule, which counts on the paths of one topology.
///
/// In a round every node sends at most one message, to one node or to several, and receives at most
/// one; all messages use what was known before the round. So a round is a partial multicast
/// assignment, which a nonblocking multicast network carries without conflict. Messages are
/// numbered from 0 in the order of their rounds. 24 bytes a message and 4 a receiver.
class RoundPlan {
 public:
  /// Opens the next round; the messages added from now on belong to it.
  void begin_round() { round_begin_.push_back(messages_.size()); }
  void add(NodeId from, Carries carries, std::uint32_t chunk, const std::vector<NodeId>& receivers);
  void add_chunk(NodeId from, NodeId to, std::uint32_t chunk);
  void add_partial(NodeId from, NodeId to);

  std::size_t rounds() const { return round_begin_.size(); }
  std::size_t size() const { return messages_.size(); }
  /// The messages of a round are begin(round) .. end(round) - 1.
  std::size_t begin(std::size_t round) const { return round_begin_[round]; }
  std::size_t end(std::size_t round) const {
    return round + 1 < rounds() ? round_begin_[round + 1] : size();
  }

  const RoundMessage& message(std::size_t number) const { return messages_[number]; }
  NodeRange receivers(std::size_t number) const {
    const std::size_t last =
        number + 1 < size() ? messages_[number + 1].first_receiver : receivers_.size();
    return {receivers_.data() + messages_[number].first_receiver, receivers_.data() + last};
  }
  /// Receipts of the whole plan.
  std::size_t receipts() const { return receivers_.size(); }

 private:
  std::vector<std::size_t> round_begin_;
  std::vector<RoundMessage> messages_;
  std::vector<NodeId> receivers_;
};

/// One message a line: "round from what to...", rounds from 1, `what` the number of the chunk, or
/// "partial" or "result".
void write_rounds(std::ostream& out, const RoundPlan& plan);

}  // namespace flitcast
