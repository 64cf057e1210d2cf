// SPDX-License-Identifier: Apache-2.0
#include "network/check/wait_graph.h"

#include <algorithm>

namespace flitcast {

void WaitGraph::add_wait(Member waiter, const std::vector<Member>& causes) {
  const auto wait = static_cast<std::uint32_t>(waits_.size());
  waits_.push_back({waiter, causes.front()});
  for (const Member cause : causes) causes_.push_back({cause, wait});
}

WaitGraph::Waiters WaitGraph::waiters() const {
  std::vector<Member> of_waits;
  of_waits.reserve(waits_.size());
  for (const Wait& wait : waits_) of_waits.push_back(wait.waiter);
  std::sort(of_waits.begin(), of_waits.end());
  Waiters waiters;
  for (const Member member : of_waits) {
    if (waiters.empty() || waiters.back().member != member) waiters.push_back({member});
    ++waiters.back().open;
  }
  return waiters;
}

WaitGraph::Waiters::iterator WaitGraph::find(Waiters& waiters, Member member) {
  const auto found =
      std::lower_bound(waiters.begin(), waiters.end(), member,
                       [](const Waiter& one, Member sought) { return one.member < sought; });
  return found != waiters.end() && found->member == member ? found : waiters.end();
}

// Finds the waits that are over in the end. Starts with the members that do not wait.
std::vector<bool> WaitGraph::waits_over(Waiters& waiters) {
  const auto before = [](const Cause& a, const Cause& b) { return a.member < b.member; };
  std::sort(causes_.begin(), causes_.end(), before);
  std::vector<bool> over(waits_.size(), false);
  std::vector<Member> movers;
  for (const Cause& cause : causes_) {
    const bool met = !movers.empty() && movers.back() == cause.member;
    if (!met && find(waiters, cause.member) == waiters.end()) movers.push_back(cause.member);
  }
  while (!movers.empty()) {
    const auto [begin, end] =
        std::equal_range(causes_.begin(), causes_.end(), Cause{movers.back(), 0}, before);
    movers.pop_back();
    for (auto cause = begin; cause != end; ++cause) {
      if (over[cause->wait]) continue;
      over[cause->wait] = true;
      const auto waiter = find(waiters, waits_[cause->wait].waiter);
      if (--waiter->open == 0) movers.push_back(waiter->member);
    }
  }
  return over;
}

// A blocked member waits for a blocked member, so following the waits leads to a cycle.
std::vector<WaitGraph::Member> WaitGraph::cyclic_wait() {
  Waiters waiters = this->waiters();
  const std::vector<bool> over = waits_over(waiters);
  for (std::uint32_t wait = 0; wait < waits_.size(); ++wait) {
    if (!over[wait]) find(waiters, waits_[wait].waiter)->blocker = waits_[wait].cause;
  }
  const auto blocked = std::find_if(waiters.begin(), waiters.end(),
                                    [](const Waiter& waiter) { return waiter.blocker != kNone; });
  if (blocked == waiters.end()) return {};
  std::vector<bool> met(waiters.size(), false);
  const auto position = [&](Member member) { return find(waiters, member) - waiters.begin(); };
  auto start = blocked - waiters.begin();
  for (; !met[start]; start = position(waiters[start].blocker)) met[start] = true;
  std::vector<Member> cycle{waiters[start].member};
  for (Member member = waiters[start].blocker; member != cycle.front();
       member = waiters[position(member)].blocker) {
    cycle.push_back(member);
  }
  return cycle;
}

}  // namespace flitcast
