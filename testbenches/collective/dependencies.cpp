// SPDX-License-Identifier: Apache-2.0
#include "collective/dependencies.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace flitcast {

namespace {

using End = NodeId Message::*;

/// The numbers of all sends, grouped by the node at one end and in ascending order within a group.
class Grouping {
 public:
  Grouping(const Schedule& schedule, std::size_t nodes, End end)
      : first_(nodes + 1), numbers_(schedule.size()) {
    for (std::size_t n = 0; n < schedule.size(); ++n) ++first_[node(schedule, n, end) + 1];
    for (std::size_t v = 0; v < nodes; ++v) first_[v + 1] += first_[v];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t n = 0; n < schedule.size(); ++n) {
      numbers_[next[node(schedule, n, end)]++] = static_cast<std::uint32_t>(n);
    }
  }

  struct Numbers {
    const std::uint32_t* first;
    const std::uint32_t* last;
    const std::uint32_t* begin() const { return first; }
    const std::uint32_t* end() const { return last; }
  };
  Numbers of(std::size_t node) const {
    return {numbers_.data() + first_[node], numbers_.data() + first_[node + 1]};
  }

 private:
  static std::size_t node(const Schedule& schedule, std::size_t number, End end) {
    return index(schedule.message(number).*end);
  }

  std::vector<std::size_t> first_;  // By node: the index of its first number.
  std::vector<std::uint32_t> numbers_;
};

// By send: the number of the first send of its round.
std::vector<std::uint32_t> round_starts(const Schedule& schedule) {
  std::vector<std::uint32_t> starts(schedule.size());
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t n = schedule.begin(round); n < schedule.end(round); ++n) {
      starts[n] = static_cast<std::uint32_t>(schedule.begin(round));
    }
  }
  return starts;
}

void require_known(const Schedule& schedule, const Demand& demand) {
  for (std::size_t n = 0; n < schedule.size(); ++n) {
    const Message& send = schedule.message(n);
    if (index(send.from) >= demand.nodes || index(send.to) >= demand.nodes ||
        index(send.chunk) >= demand.chunks()) {
      throw std::invalid_argument("send " + std::to_string(n) + " names no node or chunk");
    }
  }
}

}  // namespace

std::vector<std::uint32_t> dependencies(const Schedule& schedule, const Demand& demand) {
  require_known(schedule, demand);
  const Grouping sent(schedule, demand.nodes, &Message::from);
  const Grouping received(schedule, demand.nodes, &Message::to);
  const std::vector<std::uint32_t> starts = round_starts(schedule);
  std::vector<std::uint32_t> result(schedule.size(), kNoSend);
  // By chunk, for the current node: the send that brought it.
  std::vector<std::uint32_t> brought_by(demand.chunks(), kNoSend);

  for (std::uint32_t v = 0; v < demand.nodes; ++v) {
    for (const std::uint32_t n : received.of(v)) {
      std::uint32_t& first = brought_by[index(schedule.message(n).chunk)];
      first = std::min(first, n);
    }
    for (const std::uint32_t n : sent.of(v)) {
      const ChunkId chunk = schedule.message(n).chunk;
      if (demand.origin(chunk) == NodeId{v}) continue;
      result[n] = brought_by[index(chunk)];
      if (result[n] >= starts[n]) {
        throw std::invalid_argument("node " + std::to_string(v) + " sends chunk " +
                                    std::to_string(index(chunk)) + " before it holds it");
      }
    }
    for (const std::uint32_t n : received.of(v)) {
      brought_by[index(schedule.message(n).chunk)] = kNoSend;
    }
  }
  return result;
}

}  // namespace flitcast
