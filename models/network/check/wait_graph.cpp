// SPDX-License-Identifier: Apache-2.0
#include "network/check/wait_graph.h"

#include <algorithm>
#include <set>

#include "base/sequences.h"

namespace flitcast {

void WaitGraph::add_wait(Member waiter, const std::vector<Member>& causes) {
  if (contains(causes, kNone)) return;
  const auto wait = static_cast<std::uint32_t>(waits_.size());
  waits_.push_back({waiter, causes.front()});
  for (const Member cause : causes) causes_.push_back({cause, wait});
}

// Returns, by wait, true if the wait ends eventually. Starts with the members that do not wait.
std::vector<bool> WaitGraph::waits_over(Waiters& waiters) {
  const auto before = [](const Cause& a, const Cause& b) { return a.member < b.member; };
  std::sort(causes_.begin(), causes_.end(), before);
  std::vector<bool> over(waits_.size(), false);
  std::vector<Member> movers;
  for (const Cause& cause : causes_) {
    const bool met = !movers.empty() && movers.back() == cause.member;
    if (!met && waiters.count(cause.member) == 0) movers.push_back(cause.member);
  }
  while (!movers.empty()) {
    const auto [begin, end] =
        std::equal_range(causes_.begin(), causes_.end(), Cause{movers.back(), 0}, before);
    movers.pop_back();
    for (auto cause = begin; cause != end; ++cause) {
      if (over[cause->wait]) continue;
      over[cause->wait] = true;
      const Member waiter = waits_[cause->wait].waiter;
      if (--waiters[waiter].open == 0) movers.push_back(waiter);
    }
  }
  return over;
}

// A blocked member waits for a blocked member, so following the waits leads to a cycle.
std::vector<WaitGraph::Member> WaitGraph::cyclic_wait() {
  Waiters waiters;
  for (const Wait& wait : waits_) ++waiters[wait.waiter].open;
  const std::vector<bool> over = waits_over(waiters);
  for (std::uint32_t wait = 0; wait < waits_.size(); ++wait) {
    if (!over[wait]) waiters[waits_[wait].waiter].blocker = waits_[wait].cause;
  }
  const auto* const blocked =
      first_where(waiters, [](const auto& entry) { return entry.second.blocker != kNone; });
  if (blocked == nullptr) return {};
  Member start = blocked->first;
  for (std::set<Member> met; met.insert(start).second;) start = waiters[start].blocker;
  std::vector<Member> cycle{start};
  for (Member member = waiters[start].blocker; member != start; member = waiters[member].blocker) {
    cycle.push_back(member);
  }
  return cycle;
}

}  // namespace flitcast
