// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

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
/// those held, and the store is as it was before the request. Registers: X - 1 beats, min(m, r) - 1
/// without a pass limit, as every beat serves something by another middle switch.
class CommitUnit {
 public:
  /// An edge in reset.
  void reset();
  /// An edge. `beat`: what the controller shows before it, null if its valid is low. `input_switch`
  /// is i, that of the request.
  void edge(const Beat* beat, std::size_t input_switch, DestinationStore& store);

  /// The last edge was COMMIT.
  bool done() const { return done_; }

 private:
  void commit(const Beat& last, std::size_t input_switch, DestinationStore& store);

  std::vector<Beat> held_;
  bool done_ = false;
};

}  // namespace flitcast::clos
