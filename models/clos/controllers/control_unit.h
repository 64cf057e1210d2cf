// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/controllers/controller.h"

namespace flitcast::clos {

/// The links of a connection at one middle switch: link A(i, middle), and links B(middle, k) for
/// each output switch k that it serves.
struct StoredLeg {
  std::size_t input_switch = 0;
  MiddleId middle{};
  const BitSet& served;  ///< The r2 output switches as a set.
};

/// The registers behind a controller: the links of the network that carry a connection.
///
/// Row j of the destination sets is M_j; row i of the available sets holds the middle switches
/// whose link A(i, j) is unused: m r2 + r1 m bits. Every row can be written in every clock; reads
/// return the value before the clock edge.
class DestinationStore {
 public:
  /// Starts with all links free.
  DestinationStore(std::size_t m, std::size_t r1, std::size_t r2)
      : destination_sets_(m, r2), available_(r1, m) {
    clear();
  }
  /// Starts with m rows of r2 and r1 rows of m; std::invalid_argument if they do not agree on m.
  DestinationStore(BitMatrix destination_sets, BitMatrix available);

  const BitMatrix& destination_sets() const { return destination_sets_; }
  const BitMatrix& available() const { return available_; }

  /// Frees all links.
  void clear();
  /// Takes links B(j, k), and A(i, j) if `with_link`; otherwise the connection holds that one
  /// already.
  /// Throws std::logic_error if a link to take is taken, or the held one is free.
  void take(const StoredLeg& leg, bool with_link = true);
  /// Frees links B(j, k), and A(i, j) if `with_link`, which is only allowed once middle switch j
  /// serves no output switch of the connection any more.
  /// Throws std::invalid_argument for switches that do not exist.
  void release(const StoredLeg& leg, bool with_link = true);

 private:
  BitMatrix destination_sets_;
  BitMatrix available_;
};

/// Stores the beats of a request until the last one, then enters the route as a whole or not at
/// all.
///
///   edge     1 + c    ..   1 + P c     2 + P c
///   before            beats 1 .. P-1   beat P
///   at it             held             COMMIT: for all selected k at once M_k |= served, A(i, k)
///                                      taken; done is high in the clock that follows
///
/// It is always ready for a beat, so the controller never waits. A failing beat discards the stored
/// beats, and the store is as before the request. Registers: the middle switch of every output
/// switch, r (log2 m + 1) bits for any number of beats, because they serve disjoint sets.
class CommitUnit {
 public:
  /// The source of a request.
  struct Requester {
    std::size_t input_switch = 0;  ///< i.
    BitSet held;  ///< Middle switches j whose link A(i, j) the connection already holds.
  };

  /// Applies an edge. `beat`: the controller's output before it; null if its valid is low.
  void edge(const Beat* beat, const Requester& requester, DestinationStore& store);

  /// True if the last edge was COMMIT.
  bool done() const { return done_; }

 private:
  std::vector<Beat> held_;
  bool done_ = false;
};

/// The control of a network as hardware: a controller, the store that it reads, and the commit unit
/// that writes the store.
///
///   request --> Controller -- beats --> CommitUnit --> DestinationStore <-- release
///                   ^---------- M_j, available(i) ------------'
///
/// A request and a release are accepted at an edge at which ready() was high. The accepting edge is
/// edge 1 of the request. Of P passes, c clocks each:
///   blocked() is high after edge 1 + P c, for one clock. So is ready(). The store is unchanged.
///   done() is high after edge 2 + P c, for one clock; so is ready(), and the route is in the
///   store.
/// So consecutive requests take the sum of their clocks. ready() is low while the store must not
/// change: releases wait, too. A release accepted at the same edge as a request is applied first:
/// the request may use the freed links.
///
/// An edge in reset frees all links, and leaves ready() low until the next edge.
class ControlUnit {
 public:
  /// The allowed middle switches are those held and, with `with_link`, those with a free link A(i,
  /// j). A new connection holds none; a connection that an output switch joins names the held ones,
  /// and allows additional links if they are permitted.
  struct Request {
    std::size_t input_switch = 0;  ///< i.
    const BitSet& wanted;          ///< I.
    /// Middle switches (m) whose link A(i, j) the connection already holds; null: none.
    const BitSet* held = nullptr;
    bool with_link = true;  ///< The request may take links A(i, j).
  };
  struct Release {
    StoredLeg leg;
    bool with_link = true;  ///< Frees A(i, j), too: the last output switches of the leg leave.
  };

  /// `store`: the initial contents, of params.m middle and params.r output switches; other sizes
  /// throw std::invalid_argument, as do params that Controller refuses.
  ControlUnit(const ControllerDesign& design, const ControllerParams& params,
              DestinationStore store);

  /// Applies an edge in reset.
  void reset();
  /// Applies an edge; a null argument means that its valid signal is low.
  /// Throws std::invalid_argument on accepting switches that do not exist, or a held middle switch
  /// whose link is free.
  void edge(const Request* request, const Release* release = nullptr);

  bool ready() const { return controller_.request_ready() && !commits_next(); }
  bool done() const { return commit_.done(); }
  bool blocked() const { return controller_.beat_valid() && leg().fail; }
  /// The route found so far, one leg per clock of leg_valid(); meaningless if the request ends in
  /// blocked().
  bool leg_valid() const { return controller_.beat_valid() && !leg().fail; }
  const Beat& leg() const { return controller_.beat(); }
  const DestinationStore& store() const { return store_; }

 private:
  bool commits_next() const { return leg_valid() && leg().last; }
  /// Stores the requester; returns the middle switches that the request may use.
  BitSet accept(const Request& request);

  Controller controller_;
  CommitUnit commit_;
  DestinationStore store_;
  CommitUnit::Requester requester_;  // Requester of the request accepted last.
};

}  // namespace flitcast::clos
