// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/bit_set.h"
#include "clos/controllers/controller.h"
#include "clos/controllers/destination_store.h"

namespace flitcast::clos {

/// Holds the beats of a request until the last one, then enters the route as a whole or not at all.
///
///   edge     1 + c    ..   1 + P c     2 + P c
///   before            beats 1 .. P-1   beat P
///   at it             held             COMMIT: for all selected k at once M_k |= served, A(i, k)
///                                      taken; done is high in the clock that follows
///
/// It is always ready for a beat, so the controller never waits. A failing beat makes it forget
/// those held, and the store is as it was before the request. Registers: the middle switch of every
/// output switch, r (log2 m + 1) bits whatever the number of beats, as they serve disjoint sets.
class CommitUnit {
 public:
  /// An edge in reset.
  void reset();
  /// Whose request it is.
  struct Requester {
    std::size_t input_switch = 0;  ///< i.
    BitSet held;  ///< Middle switches j whose link A(i, j) the connection holds already.
  };

  /// An edge. `beat`: what the controller shows before it, null if its valid is low.
  void edge(const Beat* beat, const Requester& requester, DestinationStore& store);

  /// The last edge was COMMIT.
  bool done() const { return done_; }

 private:
  void commit(const Requester& requester, DestinationStore& store);

  std::vector<Beat> held_;
  bool done_ = false;
};

}  // namespace flitcast::clos
