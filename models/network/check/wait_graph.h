// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitcast {

/// Who waits for whom among numbered members. A member moves on when all of its waits are over; a
/// wait is over when any one of its causes moves on. Hence a member without waits moves on.
///
/// Routers need both: a head takes any of several VCs, a packet leaves by all of its branches.
class WaitGraph {
 public:
  using Member = std::uint32_t;
  static constexpr Member kNobody = ~Member{0};

  /// Members 0 .. members - 1, none of which waits. Those that neither wait nor are waited for take
  /// no memory.
  explicit WaitGraph(std::size_t members) : members_(members) {}

  /// One member more; returns its number.
  Member add_member() { return static_cast<Member>(members_++); }
  /// @param causes  At least one.
  void add_wait(Member waiter, const std::vector<Member>& causes);

  /// Members none of which can ever move on, each waiting for the next and the last for the first;
  /// nothing if all members move on in the end. Time: a sort of all causes, and a visit to each.
  std::vector<Member> cyclic_wait();

 private:
  struct Wait {
    Member waiter;
    Member cause;  // The first of them.
  };
  /// A member is a cause of a wait.
  struct Cause {
    Member member;
    std::uint32_t wait;
  };
  /// A member that waits.
  struct Waiter {
    Member member;
    std::uint32_t open = 0;    // So many of its waits are not over.
    Member blocker = kNobody;  // A cause of one that never will be.
  };
  using Waiters = std::vector<Waiter>;  // In rising order.

  Waiters waiters() const;
  static Waiters::iterator find(Waiters& waiters, Member member);
  std::vector<bool> waits_over(Waiters& waiters);

  std::size_t members_;
  std::vector<Wait> waits_;
  std::vector<Cause> causes_;
};

}  // namespace flitcast
