// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/bit_matrix.h"
#include "base/bit_set.h"

namespace flitcast::clos {

/// Words of a set of output switches: a constant where the compiler knows it, else `words`. Nearly
/// all networks have at most 128 output switches, and loops over one or two words unroll.
template <std::size_t kWords>
constexpr std::size_t known_words(std::size_t words) {
  return kWords == 0 ? words : kWords;
}

/// |M_j & rest|: how much a middle switch with destination set `busy` would leave unserved.
template <std::size_t kWords = 0>
std::size_t residual_count(const SetWord* busy, const SetWord* rest, std::size_t words) {
  std::size_t members = 0;
  for (std::size_t w = 0; w < known_words<kWords>(words); ++w)
    members += popcount(busy[w] & rest[w]);
  return members;
}

/// The candidate j with the least |M_j & rest|, the smallest of several; busy.rows() if there is no
/// candidate. The scan ends at the first that leaves nothing, as no later one can be better.
template <std::size_t kWords = 0>
std::size_t least_residual(const BitSet& candidates, const BitMatrix& busy, const SetWord* rest) {
  std::size_t best = busy.rows();
  std::size_t least = busy.columns() + 1;
  for (std::size_t w = 0; w < candidates.word_count(); ++w) {
    for (SetWord left = candidates.words()[w]; left != 0; left &= left - 1) {
      const std::size_t j = w * 64 + static_cast<std::size_t>(__builtin_ctzll(left));
      const std::size_t residual = residual_count<kWords>(busy.row(j), rest, busy.stride());
      if (residual >= least) continue;
      least = residual;
      best = j;
      if (least == 0) return best;
    }
  }
  return best;
}

}  // namespace flitcast::clos
