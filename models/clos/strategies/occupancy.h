// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// Whether middle switch j carries no connection: M_j = {}.
inline bool is_empty(const BitMatrix& busy, std::size_t j) {
  const SetWord* row = busy.row(j);
  return std::all_of(row, row + busy.stride(), [](SetWord word) { return word == 0; });
}

/// Makes `nonempty`, of size m, the candidates that carry a connection.
inline void keep_nonempty(const ControlRequest& request, BitSet& nonempty) {
  nonempty = request.candidates;
  request.candidates.for_each([&](std::size_t j) {
    if (is_empty(request.busy, j)) nonempty.reset(j);
  });
}

}  // namespace flitcast::clos
