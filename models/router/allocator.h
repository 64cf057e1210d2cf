// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "router/arbitration.h"
#include "router/bit_mask.h"
#include "router/bump_allocator.h"
#include "router/router_params.h"

namespace flitcast {

/// Matches requesters with resources so that each has at most one partner: input VCs with output
/// VCs, or inputs of a switch with its outputs. There are at most 64 * kWords of each.
///
///   request(requester, resource) ... --> allocate() --> grant(requester, resource) ...
///
///  - Input first: each requester picks one of the resources that it requests, then each resource
///    picks one of the requesters that picked it.
///  - Output first: each resource picks one of its requesters, then each requester accepts one of
///    the resources that picked it.
///  - Wavefront: the diagonals of the request matrix are visited in turn, starting at the priority
///    diagonal; every request whose row and column are still free is granted, so the matching is
///    maximal. The priority moves by one diagonal with each allocation.
///
/// Input first and output first pick by round robin, with pointers that move only with a match of
/// the first iteration. Further iterations match members that have no partner yet and change no
/// pointer, so no requester starves. With ranks, each member picks among its requests of lowest
/// rank.
///
/// Sources: McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM Trans.
/// Networking 7(2), 1999; Tamir and Chi, "Symmetric Crossbar Arbiters for VLSI Communication
/// Switches", IEEE Trans. Parallel and Distributed Systems 4(1), 1993 (wavefront); Dally and
/// Towles, Principles and Practices of Interconnection Networks, 2004, chapter 19.
template <int kWords>
class Allocator {
 public:
  using Mask = BitMask<kWords>;

  /// The type of `rank` if requests have no ranks.
  struct Unranked {};

  /// The arena keeps the storage of the allocator.
  /// @param lines  The number of lines of requests; see Arbitration.
  Allocator(const RouterOptions& options, unsigned requesters, unsigned resources,
            detail::BumpAllocator& arena, unsigned lines = 1)
      : kind_(options.allocator),
        iterations_(options.iterations),
        diagonals_(std::max(requesters, resources)),
        lines_(lines),
        requesters_(side(requesters, lines, arena)),
        resources_(side(resources, lines, arena)),
        proposals_(arena.take<Mask>(diagonals_)),
        partner_(arena.take<std::uint16_t>(resources)) {}

  void request(unsigned requester, unsigned resource) {
    requesters_.want(requester, resource);
    resources_.want(resource, requester);
  }

  /// Calls grant() in the order of resources and clears all requests. Has no effect without
  /// requests.
  /// @param rank  rank(requester, resource) is the rank of a request; wavefront ignores it.
  template <class Grant, class Rank = Unranked>
  void allocate(Grant&& grant, const Rank& rank = {}) {
    if (!requesters_.open.any()) return;
    matched_ = Mask{};
    if (kind_ == AllocatorKind::kWavefront) {
      sweep();
    } else if (requesters_.open.single()) {
      match_alone(requesters_.open.lowest(), rank);
    } else {
      const bool output_first = kind_ == AllocatorKind::kOutputFirst;
      Side& proposers = output_first ? resources_ : requesters_;
      Side& acceptors = output_first ? requesters_ : resources_;
      for (unsigned n = 0; n < iterations_; ++n) {
        if (!iterate(proposers, acceptors, n == 0, rank)) break;
      }
    }
    requesters_.open = resources_.open = Mask{};
    matched_.for_each([&](unsigned resource) { grant(unsigned{partner_[resource]}, resource); });
  }

 private:
  /// One side of the matching: the requesters or the resources.
  struct Side {
    // Per member: the members of the other side that it requests, or that request it.
    Mask* wanted = nullptr;
    // Per member and line (see Arbitration): its partner in the last match of a first iteration,
    // behind which round robin begins.
    std::uint16_t* last = nullptr;
    Mask open{};  // Members with requests and without a partner.

    void want(unsigned member, unsigned other) {
      if (!open.test(member)) wanted[member] = Mask{};
      open.set(member);
      wanted[member].set(other);
    }
  };

  // Every round-robin pointer starts at the last member, so that the lowest member is chosen first.
  static Side side(unsigned members, unsigned lines, detail::BumpAllocator& arena) {
    const std::size_t pointers = std::size_t{members} * lines;
    Side side{arena.take<Mask>(members), arena.take<std::uint16_t>(pointers)};
    if (side.last != nullptr) std::fill_n(side.last, pointers, std::uint16_t{Mask::kBits - 1});
    return side;
  }
  /// The indices of the pointers of one line; each member has `lines` pointers.
  struct Line {
    unsigned number;
    unsigned lines;
    unsigned of(unsigned member) const { return member * lines + number; }
  };

  // Keeps the choices of the lowest rank, and returns the line to which they belong.
  template <class Rank>
  Line line(Mask& choices, unsigned chooser, bool by_requester, const Rank& rank) const {
    if constexpr (std::is_same_v<Rank, Unranked>) {
      return Line{0, 1};
    } else {
      const std::uint64_t least = keep_foremost(choices, [&](unsigned choice) {
        return by_requester ? rank(chooser, choice) : rank(choice, chooser);
      });
      return Line{Arbitration::line_of(least), lines_};
    }
  }

  // The same as the iterations for a requester without competitors.
  template <class Rank>
  void match_alone(unsigned requester, const Rank& rank) {
    Mask choices = requesters_.wanted[requester];
    const Line its = line(choices, requester, true, rank);
    std::uint16_t& last = requesters_.last[its.of(requester)];
    last = static_cast<std::uint16_t>(choices.next_after(last));
    resources_.last[its.of(last)] = static_cast<std::uint16_t>(requester);
    match(requester, last);
  }

  // Runs one iteration; returns whether it made a match. All requests of a rank belong to one line
  // and use the pointers of that line.
  template <class Rank>
  bool iterate(Side& proposers, Side& acceptors, bool first, const Rank& rank) {
    const bool requests = &proposers == &requesters_;
    Side asked{proposals_};
    proposers.open.for_each([&](unsigned proposer) {
      Mask choices = proposers.wanted[proposer] & acceptors.open;
      if (!choices.any()) return;
      const Line its = line(choices, proposer, requests, rank);
      const unsigned acceptor = choices.next_after(proposers.last[its.of(proposer)]);
      asked.want(acceptor, proposer);
    });
    asked.open.for_each([&](unsigned acceptor) {
      Mask& choices = asked.wanted[acceptor];
      const Line its = line(choices, acceptor, !requests, rank);
      const unsigned proposer = choices.next_after(acceptors.last[its.of(acceptor)]);
      if (first) {
        proposers.last[its.of(proposer)] = static_cast<std::uint16_t>(acceptor);
        acceptors.last[its.of(acceptor)] = static_cast<std::uint16_t>(proposer);
      }
      match(requests ? proposer : acceptor, requests ? acceptor : proposer);
    });
    return asked.open.any();
  }

  // Allocates by wavefront. Requests on one diagonal share neither row nor column, so all of them
  // can be granted.
  void sweep() {
    for (unsigned step = 0; step < diagonals_ && requesters_.open.any(); ++step) {
      const unsigned diagonal = (priority_ + step) % diagonals_;
      requesters_.open.for_each([&](unsigned requester) {
        const unsigned resource = (diagonal + diagonals_ - requester) % diagonals_;
        const bool wanted = requesters_.wanted[requester].test(resource);
        if (wanted && resources_.open.test(resource)) match(requester, resource);
      });
    }
    priority_ = (priority_ + 1) % diagonals_;
  }

  void match(unsigned requester, unsigned resource) {
    requesters_.open.clear(requester);
    resources_.open.clear(resource);
    matched_.set(resource);
    partner_[resource] = static_cast<std::uint16_t>(requester);
  }

  AllocatorKind kind_;
  unsigned iterations_;
  unsigned diagonals_;
  unsigned lines_;
  unsigned priority_ = 0;  // Wavefront: the diagonal visited first.
  Side requesters_;
  Side resources_;
  Mask* proposals_;         // Per acceptor: the proposers that picked it; valid if there are any.
  std::uint16_t* partner_;  // Per resource in matched_: the matched requester.
  Mask matched_{};
};

}  // namespace flitcast
