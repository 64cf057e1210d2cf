// SPDX-License-Identifier: Apache-2.0
#include "network/wait_graph.h"

#include <algorithm>

namespace flitcast {

WaitGraph::Member WaitGraph::add_member() {
  open_.push_back(0);
  first_.push_back(kNone);
  return static_cast<Member>(open_.size() - 1);
}

void WaitGraph::add_wait(Member waiter, const std::vector<Member>& causes) {
  const auto wait = static_cast<std::uint32_t>(waits_.size());
  waits_.push_back({waiter, causes.front()});
  ++open_[waiter];
  for (const Member cause : causes) {
    causes_.push_back({wait, first_[cause]});
    first_[cause] = static_cast<std::uint32_t>(causes_.size() - 1);
  }
}

// For each member that can never move on one that it waits for, kNobody for the others.
std::vector<WaitGraph::Member> WaitGraph::blockers() const {
  std::vector<std::uint32_t> open = open_;
  std::vector<bool> over(waits_.size(), false);
  std::vector<Member> movers;
  for (Member member = 0; member < open.size(); ++member) {
    if (open[member] == 0 && holds_up_others(member)) movers.push_back(member);
  }
  while (!movers.empty()) {
    const Member mover = movers.back();
    movers.pop_back();
    for (std::uint32_t cause = first_[mover]; cause != kNone; cause = causes_[cause].next) {
      const std::uint32_t wait = causes_[cause].wait;
      if (over[wait]) continue;
      over[wait] = true;
      if (--open[waits_[wait].waiter] == 0) movers.push_back(waits_[wait].waiter);
    }
  }
  std::vector<Member> blockers(open.size(), kNobody);
  for (std::uint32_t wait = 0; wait < waits_.size(); ++wait) {
    if (!over[wait]) blockers[waits_[wait].waiter] = waits_[wait].cause;
  }
  return blockers;
}

// Who is blocked waits for one who is blocked: following them must come round.
std::vector<WaitGraph::Member> WaitGraph::circle() const {
  if (waits_.empty()) return {};
  const std::vector<Member> next = blockers();
  const auto blocked =
      std::find_if(next.begin(), next.end(), [](Member blocker) { return blocker != kNobody; });
  if (blocked == next.end()) return {};
  std::vector<bool> met(next.size(), false);
  auto start = static_cast<Member>(blocked - next.begin());
  for (; !met[start]; start = next[start]) met[start] = true;
  std::vector<Member> circle{start};
  for (Member member = next[start]; member != start; member = next[member]) {
    circle.push_back(member);
  }
  return circle;
}

}  // namespace flitcast
