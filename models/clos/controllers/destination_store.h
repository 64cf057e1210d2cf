// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/ids.h"

namespace flitcast::clos {

/// A middle switch's part in a connection: link A(i, middle), and links B(middle, k) for each
/// output switch k that it serves.
struct StoredLeg {
  std::size_t input_switch = 0;
  MiddleId middle{};
  const BitSet& served;  ///< r2 output switches.
};

/// The registers behind a controller: which links of the network carry a connection.
///
/// Row j of the destination sets is M_j, row i of the available ones the middle switches whose link
/// A(i, j) is unused: m r2 + r1 m bits. Every row can be written in every clock; what is read in a
/// clock is what was there before it.
class DestinationStore {
 public:
  /// All links free.
  DestinationStore(std::size_t m, std::size_t r1, std::size_t r2);
  /// m rows of r2 and r1 rows of m; std::invalid_argument if these do not agree on m.
  DestinationStore(BitMatrix destination_sets, BitMatrix available);

  const BitMatrix& destination_sets() const { return destination_sets_; }
  const BitMatrix& available() const { return available_; }

  /// Frees all links.
  void clear();
  /// Takes links B(j, k), and A(i, j) if `with_link`: else the connection holds that one already.
  /// std::logic_error if a link to take is taken, or the one to hold is free.
  void take(const StoredLeg& leg, bool with_link = true);
  /// Frees links B(j, k), and A(i, j) if `with_link`: not before middle switch j serves nothing of
  /// the connection any more. std::invalid_argument for switches that there are not.
  void release(const StoredLeg& leg, bool with_link = true);

 private:
  BitMatrix destination_sets_;
  BitMatrix available_;
};

}  // namespace flitcast::clos
