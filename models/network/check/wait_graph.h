// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace flitcast {

/// The waits among numbered members. A member moves on when all of its waits are over; a wait is
/// over when any of its causes moves on. Hence a member without waits moves on.
///
/// Routers need both rules: a head takes any of several VCs, a packet leaves by all of its
/// branches.
class WaitGraph {
 public:
  using Member = std::uint32_t;
  static constexpr Member kNone = ~Member{0};

  /// A graph of members 0 .. members - 1 without waits. Members that neither wait nor are waited
  /// for take no memory.
  explicit WaitGraph(std::size_t members) : members_(members) {}

  /// Adds a member and returns its number.
  Member add_member() { return static_cast<Member>(members_++); }
  /// Adds a wait that is over when any of its causes moves on; ignores a wait with a cause kNone,
  /// which is over.
  /// @param causes  At least one.
  void add_wait(Member waiter, const std::vector<Member>& causes);

  /// A cycle of members that can never move on, each waiting for the next and the last for the
  /// first; empty if all members can move on. Time: a sort of all causes and a visit to each.
  std::vector<Member> cyclic_wait();

 private:
  struct Wait {
    Member waiter;
    Member cause;  // The first cause of the wait.
  };
  /// A member that is a cause of a wait, with the index of the wait in waits_.
  struct Cause {
    Member member;
    std::uint32_t wait;
  };
  struct Waiter {
    std::uint32_t open = 0;  // Number of waits of this waiter that are not over.
    Member blocker = kNone;  // A cause of a wait that is never over.
  };
  using Waiters = std::map<Member, Waiter>;

  std::vector<bool> waits_over(Waiters& waiters);

  std::size_t members_;
  std::vector<Wait> waits_;
  std::vector<Cause> causes_;
};

}  // namespace flitcast
