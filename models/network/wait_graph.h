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

  /// Members 0 .. members - 1, none of which waits.
  explicit WaitGraph(std::size_t members) : open_(members, 0), first_(members, kNone) {}

  /// One member more; returns its number.
  Member add_member();
  /// @param causes  At least one.
  void add_wait(Member waiter, const std::vector<Member>& causes);

  /// Members none of which can ever move on, each waiting for the next and the last for the first;
  /// nothing if all members move on in the end. Time: a visit to every cause.
  std::vector<Member> circle() const;

 private:
  struct Wait {
    Member waiter;
    Member cause;  // The first of them.
  };
  /// A member is a cause of a wait.
  struct Causes {
    std::uint32_t wait;
    std::uint32_t next;  // Of the same member, kNone behind the last.
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<Member> blockers() const;
  bool holds_up_others(Member member) const { return first_[member] != kNone; }

  std::vector<Wait> waits_;
  std::vector<Causes> causes_;
  std::vector<std::uint32_t> open_;   // Per member: how many waits it has,
  std::vector<std::uint32_t> first_;  // and the first of causes_ that is its own.
};

}  // namespace flitcast
