// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/splitting.h"

#include <algorithm>
#include <cstdint>

namespace flitcast {

namespace {

/// Of `places` places on one side of an owner, those of the part next to it.
std::int64_t near_share(std::int64_t places, int parts_per_side) {
  return (places + parts_per_side - 1) / parts_per_side;
}

}  // namespace

Strip centred_strip(std::int64_t first, std::int64_t size) {
  return {first + (size - 1) / 2, (size - 1) / 2, size / 2};
}

std::vector<HandedStrip> split(Strip& strip, int parts_per_side) {
  const std::int64_t parts = 2 * parts_per_side + 1;
  const std::int64_t width = (strip.size() + parts - 1) / parts;
  const Strip middle{strip.owner, std::min(strip.below, (width - 1) / 2),
                     std::min(strip.above, width / 2)};

  std::vector<HandedStrip> handed;
  const auto hand_over = [&handed](std::int64_t first, std::int64_t size, bool far) {
    if (size > 0) handed.push_back({centred_strip(first, size), far});
  };
  const std::int64_t above = strip.above - middle.above;
  const std::int64_t near_above = near_share(above, parts_per_side);
  const std::int64_t first_above = strip.owner + middle.above + 1;
  hand_over(first_above, near_above, false);
  hand_over(first_above + near_above, above - near_above, true);

  const std::int64_t below = strip.below - middle.below;
  const std::int64_t near_below = near_share(below, parts_per_side);
  const std::int64_t first_below = strip.owner - strip.below;
  hand_over(first_below + below - near_below, near_below, false);
  hand_over(first_below, below - near_below, true);

  strip = middle;
  return handed;
}

RingTask ring_task(const Grid& grid, std::size_t dimension, NodeId owner,
                   const std::vector<NodeId>& targets) {
  const auto size = static_cast<std::int64_t>(grid.size(dimension));
  const auto place = [&](NodeId node) {
    return static_cast<std::int64_t>(grid.coordinate(node, dimension));
  };
  const auto steps = [&](NodeId node) {
    const std::int64_t up = (place(node) - place(owner) + size) % size;
    return 2 * up <= size ? up : up - size;
  };
  RingTask task{targets, 0};
  task.nodes.push_back(owner);
  std::sort(task.nodes.begin(), task.nodes.end(),
            [&](NodeId a, NodeId b) { return steps(a) < steps(b); });
  task.nodes.erase(std::unique(task.nodes.begin(), task.nodes.end()), task.nodes.end());
  const auto place_of_owner = std::find(task.nodes.begin(), task.nodes.end(), owner);
  task.owner = static_cast<std::size_t>(place_of_owner - task.nodes.begin());
  return task;
}

namespace {

/// A strip of a ring task's nodes.
struct Share {
  const RingTask* task;
  Strip strip;

  NodeId owner() const { return task->nodes[static_cast<std::size_t>(strip.owner)]; }
};

Share whole(const RingTask& task) {
  const auto below = static_cast<std::int64_t>(task.owner);
  const auto size = static_cast<std::int64_t>(task.nodes.size());
  return {&task, {below, below, size - 1 - below}};
}

}  // namespace

void split_rings(BroadcastBuilder& broadcast, const std::vector<RingTask>& tasks) {
  std::vector<Share> shares;
  for (const RingTask& task : tasks) shares.push_back(whole(task));
  const auto busy = [](const Share& share) { return share.strip.size() > 1; };
  while (std::any_of(shares.begin(), shares.end(), busy)) {
    broadcast.begin_round();
    for (std::size_t i = 0, owners = shares.size(); i < owners; ++i) {
      for (const HandedStrip& part : split(shares[i].strip, 1)) {
        const Share handed{shares[i].task, part.strip};
        const bool up = part.strip.owner > shares[i].strip.owner;
        broadcast.send(shares[i].owner(), handed.owner(), up ? Ties::kUpwards : Ties::kDownwards);
        shares.push_back(handed);
      }
    }
  }
}

}  // namespace flitcast
