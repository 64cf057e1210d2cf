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

// Timing of the hardware controllers, in clocks. One edge is one clock; LOAD, the edge that accepts
// a request, is the first. P is the number of passes, including one that finds the request blocked:
// at most x, the pass limit, with m of Theorem 3.
//
//   LOAD | scan .. scan UPDATE | scan .. scan UPDATE | COMMIT
//     1  |     c clocks        |     c clocks        |   1
//
// Source: CS838 lecture notes (1999), "Summary of the various designs of the controller", gives the
// orders of growth. The exact counts are derived; the models behind controllers() are clocked and
// compared with them, exhaustively for m = r = 3.

/// Clocks until the last beat of a streaming controller, or a block, is visible: 1 + P c.
constexpr std::uint64_t clocks_streamed(std::uint64_t passes, std::uint64_t pass_clocks) {
  return 1 + passes * pass_clocks;
}
/// Clocks until the route is in the destination sets: one more, for COMMIT.
constexpr std::uint64_t clocks_done(std::uint64_t passes, std::uint64_t pass_clocks) {
  return clocks_streamed(passes, pass_clocks) + 1;
}

/// The middle switch that leaves the fewest output switches, among those scanned so far.
struct Choice {
  static constexpr std::size_t kInfinity = std::numeric_limits<std::size_t>::max();

  std::size_t middle = 0;
  std::size_t left = kInfinity;  ///< |M_j & U|; initially larger than any count.

  bool none() const { return left == kInfinity; }
  /// The comparator, a strict "<": of equal counts the one scanned first stays.
  void consider(std::size_t j, std::size_t count) {
    if (count < left) *this = {j, count};
  }
};

/// One pass of the control algorithm in hardware: which available middle switch j has the least
/// |M_j & U|, U being the unsatisfied part of the request? The controller designs differ only here,
/// in clocks and in gates; all of them return the smallest such j.
///
/// A pass is given as a SelectionRequest: U as `wanted`, the available middle switches as
/// `candidates`, and the destination sets as `busy`. It must not change during the pass.
/// Unavailable middle switches are scanned and masked, so the time of a pass is constant, except
/// for the pruning of the sequential counter.
/// S_j = M_j & U at all times, so no design stores the sets S_j of the lecture.
class MinimumSearch {
 public:
  virtual ~MinimumSearch() = default;

  /// Clears the registers for a new pass, at the edge before its first clock.
  virtual void begin() = 0;
  /// Runs a clock of the scan; false if the scan is over and this clock is free for UPDATE.
  virtual bool scan(const SelectionRequest& pass) = 0;
  /// The result of the logic in the UPDATE clock, after the scan.
  virtual Choice choice(const SelectionRequest& pass) const = 0;
};

/// |M_j & U| by an r-input adder tree: r - popcount(r) full adders, depth O(log r).
std::size_t left_by(const SelectionRequest& pass, std::size_t j);

/// Parameters of a controller.
struct ControllerParams {
  std::size_t m = 1;           ///< Middle switches.
  std::size_t r = 1;           ///< Output switches.
  std::size_t pass_limit = 0;  ///< X: most passes of a request; 0: no limit.
  /// Reports a request as blocked in the first pass that serves nothing. Without this test a block
  /// takes all X passes, so there must be a limit.
  bool stop_without_progress = true;
};

/// A request as it is offered: I, the non-empty set of output switches (r), and the middle switches
/// (m) whose link from the input switch is unused.
struct ControllerOffer {
  const BitSet& wanted;
  const BitSet& available;
};

/// The output of a controller for one pass.
struct Beat {
  MiddleId middle{};  ///< The selected middle switch.
  /// The output switches that it serves: U & ~M_k. Meaningless, as is `middle`, when `fail` is set.
  BitSet served;
  bool last = false;  ///< No beat of this request follows.
  /// The request is blocked, and its earlier beats are withdrawn. Only set with `last`.
  bool fail = false;
};

/// The control algorithm as clocked hardware: strategy S1 as a stream of beats, one for each
/// selected middle switch. The designs are bit-identical except for the time of a scan.
///
///   offer --> valid, ready -->  U, available, passes  --> valid, ready --> beat
///                  store of the M_j -->  MinimumSearch
///
/// All outputs are registers and show the state after the last edge(). Actions at an edge:
///
///   LOAD    ready and an offer: U <- I, available is stored, the search begins a pass. This is
///           edge 1 of the request; ready falls.
///   scan    as often as the design needs, see MinimumSearch.
///   UPDATE  k is known: the beat of the pass <- {k, U & ~M_k}, U <- U & M_k. If U is empty, or if
///           the request is blocked, the beat is the last, ready rises, and the next edge may be
///           the LOAD of another request. Else the next edge is the next pass's first.
///
/// A request of P passes whose beats are taken at once: the last beat is visible after 1 + P c
/// edges (clocks_streamed()), and so is ready. A beat is taken at an edge with beat_ready. While a
/// beat waits, scans continue, and so does LOAD, but UPDATE stalls: its clock repeats until the
/// edge that takes the beat. An edge in reset leaves ready and the beat's valid low; the next one
/// raises ready.
///
/// A request is blocked if no middle switch is available; if none serves anything, because then
/// Theorem 1 leaves no route; or if U is not empty after X passes. The last case is known in the
/// UPDATE of pass X; the strategy S1 counts the pass that it would have to run.
///
/// Source: CS838 lecture notes (1999), "A linear control algorithm" and "designs of the
/// controller"; the edges are not in the lecture. The sets S_j of the lecture are M_j & U at all
/// times (derived: every pass intersects all of them with the same M_k), so U is the only register
/// of r bits beside the beat's. The lecture's gate counts exclude these registers and the store.
class Controller {
 public:
  /// Starts as after an edge in reset.
  /// Throws std::invalid_argument for m or r of 0, and for neither a pass limit nor the test of
  /// progress.
  Controller(const ControllerDesign& design, const ControllerParams& params);

  /// Applies an edge in reset.
  void reset();
  /// Applies an edge. `store` has m rows M_j of r columns; its size must not change, nor its
  /// contents from LOAD to the last UPDATE. `offer`: null if the requester's valid is low; sizes
  /// other than (r, m) throw std::invalid_argument when it is accepted.
  void edge(const BitMatrix& store, bool beat_ready, const ControllerOffer* offer = nullptr);

  bool request_ready() const { return ready_; }
  bool beat_valid() const { return beat_valid_; }
  /// Valid only while beat_valid().
  const Beat& beat() const { return beat_; }

 private:
  void load(const ControllerOffer& offer);
  void update(const SelectionRequest& pass);

  const ControllerParams params_;
  const std::unique_ptr<MinimumSearch> search_;
  bool busy_ = false;
  bool ready_ = false;
  bool beat_valid_ = false;
  Beat beat_;
  BitSet unsatisfied_;  // U.
  BitSet available_;
  std::size_t passes_ = 0;  // Passes whose UPDATE is done.
};

}  // namespace flitcast::clos
