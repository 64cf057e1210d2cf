// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/catalog.h"
#include "clos/strategy.h"

namespace flitcast::clos {

// How long the hardware controllers take, in clocks. One edge is one clock; the edge that accepts a
// request, LOAD, is the first. P counts the passes, one that finds the request blocked included: at
// most x, the pass limit, with m of Theorem 3.
//
//   LOAD | scan .. scan UPDATE | scan .. scan UPDATE | COMMIT
//     1  |     c clocks        |     c clocks        |   1
//
// Source: CS838 lecture notes (1999), "Summary of the various designs of the controller", gives the
// orders of growth. The exact counts are derived; the models behind controllers() are clocked and
// counted against them, exhaustively for m = r = 3.

/// Until the last beat of a streaming controller is visible, and until a block is: 1 + P c.
constexpr std::uint64_t clocks_streamed(std::uint64_t passes, std::uint64_t pass_clocks) {
  return 1 + passes * pass_clocks;
}
/// Until the route is in the destination sets: one clock more, COMMIT.
constexpr std::uint64_t clocks_done(std::uint64_t passes, std::uint64_t pass_clocks) {
  return clocks_streamed(passes, pass_clocks) + 1;
}

/// The middle switch with the fewest output switches left over, among those looked at so far.
struct Choice {
  static constexpr std::size_t kInfinity = std::numeric_limits<std::size_t>::max();

  std::size_t middle = 0;
  std::size_t left = kInfinity;  ///< |M_j & U|; at the start more than any count.

  bool none() const { return left == kInfinity; }
  /// The comparator, a strict "<": of equal counts the one looked at first stays.
  void consider(std::size_t j, std::size_t count) {
    if (count < left) *this = {j, count};
  }
};

/// One pass of the control algorithm in hardware: which available middle switch j has the least
/// |M_j & U|, U being the unsatisfied part of the request? This is the only question on which the
/// controller designs differ, in clocks and in gates; all of them answer the smallest such j.
///
/// A pass is given as a SelectionRequest: U as `wanted`, the available middle switches as
/// `candidates`, and the destination sets as `busy`. It must not change during the pass. Middle
/// switches that are not available are looked at and masked: the time of a pass is always the same,
/// but for the pruning of the sequential counter.
/// S_j = M_j & U at all times, so no design stores the sets S_j of the lecture.
class MinimumSearch {
 public:
  virtual ~MinimumSearch() = default;

  /// Clears the registers for a new pass, in the edge before its first clock.
  virtual void begin() = 0;
  /// A clock of the scan; false if the scan is over, and this clock is free for UPDATE.
  virtual bool scan(const SelectionRequest& pass) = 0;
  /// What the logic shows in the UPDATE clock, when the scan is over.
  virtual Choice choice(const SelectionRequest& pass) const = 0;
};

/// |M_j & U|, by an r-input tree of adders: r - popcount(r) full adders, depth O(log r).
std::size_t left_by(const SelectionRequest& pass, std::size_t j);

/// What a controller is built for.
struct ControllerParams {
  std::size_t m = 1;           ///< Middle switches.
  std::size_t r = 1;           ///< Output switches.
  std::size_t pass_limit = 0;  ///< X: most passes of a request; 0: as many as it takes.
  /// Report a request as blocked in the first pass that serves nothing. Without this test a block
  /// takes all X passes, so there must be a limit.
  bool stop_without_progress = true;
};

/// A request as it is offered: I, the output switches (r), not none, and the middle switches (m)
/// whose link from the input switch is unused.
struct ControllerOffer {
  const BitSet& wanted;
  const BitSet& available;
};

/// What a controller says about one pass.
struct Beat {
  MiddleId middle{};  ///< The middle switch selected,
  BitSet served;      ///< and what it serves: U & ~M_k. Both mean nothing when `fail` is set.
  bool last = false;  ///< No beat of this request follows.
  bool fail = false;  ///< The request is blocked, and its earlier beats are void. Only with last.
};

/// The control algorithm as hardware, clock by clock: strategy S1 as a stream of beats, one for
/// each middle switch selected. The designs are bit-identical but for the time of a scan.
///
///   offer --> valid, ready -->  U, available, passes  --> valid, ready --> beat
///                  store of the M_j -->  MinimumSearch
///
/// All outputs are registers: they are those after the last edge(). What happens at an edge:
///
///   LOAD    ready and an offer: U <- I, available is stored, the search begins a pass. This is
///           edge 1 of the request; ready falls.
///   scan    as often as the design needs, see MinimumSearch.
///   UPDATE  k is known: the beat of the pass <- {k, U & ~M_k}, U <- U & M_k. If U is empty, or if
///           the request is blocked, the beat is the last, ready rises, and the next edge may be
///           the LOAD of another request. Else the next edge is the next pass's first.
///
/// A request of P passes with beats taken at once: the last beat is visible after 1 + P c edges
/// (clocks_streamed()), and so is ready. A beat is taken at an edge with beat_ready. While one
/// waits, a scan goes on and so does LOAD, but UPDATE holds: its clock repeats until the edge that
/// takes the beat. An edge in reset leaves ready and the beat's valid low; the next one raises
/// ready.
///
/// Blocked is: no available middle switch; or none that serves anything, for then Theorem 1 leaves
/// no route; or U not empty after X passes. The last is known in the UPDATE of pass X, where the
/// strategy S1 counts the pass that it does not run.
///
/// Source: CS838 lecture notes (1999), "A linear control algorithm" and "designs of the
/// controller"; the edges are not in the lecture. The sets S_j of the lecture are M_j & U at all
/// times (derived: every pass intersects all of them with the same M_k), so U is the only register
/// of r bits beside the beat's. The lecture's gate counts leave these registers and the store out.
class Controller {
 public:
  /// As after an edge in reset. Throws std::invalid_argument for m or r of 0, and for neither a
  /// pass limit nor the test of progress.
  Controller(const ControllerDesign& design, const ControllerParams& params);

  /// An edge in reset.
  void reset();
  /// An edge. `store` has m rows M_j of r columns, and changes neither its size nor, from LOAD to
  /// the last UPDATE, its contents. `offer`: null if the requester's valid is low; other sizes than
  /// (r, m) throw std::invalid_argument when it is accepted.
  void edge(const BitMatrix& store, bool beat_ready, const ControllerOffer* offer = nullptr);

  bool request_ready() const { return ready_; }
  bool beat_valid() const { return beat_valid_; }
  /// Good while it is valid.
  const Beat& beat() const { return beat_; }

 private:
  void load(const ControllerOffer& offer);
  void update(const SelectionRequest& pass);
  void serve_by(std::size_t middle, const BitMatrix& store);

  const ControllerParams params_;
  const std::unique_ptr<MinimumSearch> search_;
  bool busy_ = false;
  bool ready_ = false;
  bool beat_valid_ = false;
  Beat beat_;
  BitSet unsatisfied_;  // U.
  BitSet available_;
  std::size_t passes_ = 0;  // With UPDATE done.
};

}  // namespace flitcast::clos
