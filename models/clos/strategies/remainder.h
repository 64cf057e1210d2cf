// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// The output switches of a request that no middle switch of the growing route serves yet.
///
/// `kWords` is the number of words of a set where the compiler may know it, else 0: nearly all
/// networks have at most 128 output switches, and loops over one or two words unroll. Sets of other
/// sizes than r2, or of other than kWords words, are undefined behaviour.
class Remainder {
 public:
  /// @param output_switches  r2.
  explicit Remainder(std::size_t output_switches) : rest_(output_switches), served_(rest_) {}

  void start(const BitSet& wanted) { std::copy_n(wanted.words(), rest_.word_count(), words()); }

  const SetWord* words() const { return rest_.words(); }
  bool empty() const { return rest_.none(); }
  /// Whether a middle switch with destination set `busy` serves some of it.
  bool shrinks_by(const SetWord* busy) const {
    for (std::size_t w = 0; w < rest_.word_count(); ++w) {
      if ((words()[w] & ~busy[w]) != 0) return true;
    }
    return false;
  }

  /// A middle switch and what it would leave, |M_j & remainder|.
  struct Candidate {
    std::size_t middle;
    std::size_t residual;
  };
  /// The candidate with the least residual, the smallest of several. The residual is r2 + 1 if
  /// there is none. The scan ends at a residual of 0, as no later one can be better.
  template <std::size_t kWords = 0>
  Candidate least_residual(const BitSet& candidates, const BitMatrix& busy) const;

  /// Lets a middle switch with destination set `busy` serve what it can, as the route's next leg.
  template <std::size_t kWords = 0>
  void serve(std::size_t middle, const SetWord* busy, Selection& selection);

 private:
  SetWord* words() { return rest_.words(); }
  template <std::size_t kWords>
  std::size_t word_count() const {
    return kWords == 0 ? rest_.word_count() : kWords;
  }
  template <std::size_t kWords>
  std::size_t residual(const SetWord* busy) const;

  BitSet rest_;
  BitSet served_;  // By the latest leg.
};

template <std::size_t kWords>
std::size_t Remainder::residual(const SetWord* busy) const {
  std::size_t members = 0;
  for (std::size_t w = 0; w < word_count<kWords>(); ++w) members += popcount(busy[w] & words()[w]);
  return members;
}

template <std::size_t kWords>
Remainder::Candidate Remainder::least_residual(const BitSet& candidates,
                                               const BitMatrix& busy) const {
  Candidate best{busy.rows(), busy.columns() + 1};
  for (std::size_t w = 0; w < candidates.word_count(); ++w) {
    for (SetWord left = candidates.words()[w]; left != 0; left &= left - 1) {
      const std::size_t j = w * 64 + static_cast<std::size_t>(__builtin_ctzll(left));
      const std::size_t left_over = residual<kWords>(busy.row(j));
      if (left_over >= best.residual) continue;
      best = {j, left_over};
      if (left_over == 0) return best;
    }
  }
  return best;
}

template <std::size_t kWords>
void Remainder::serve(std::size_t middle, const SetWord* busy, Selection& selection) {
  for (std::size_t w = 0; w < word_count<kWords>(); ++w) {
    served_.words()[w] = words()[w] & ~busy[w];
    words()[w] &= busy[w];
  }
  selection.add(MiddleId(middle), served_.words());
}

/// Makes `nonempty`, of size m, the candidates that carry a connection.
inline void keep_nonempty(const SelectionRequest& request, BitSet& nonempty) {
  nonempty = request.candidates;
  request.candidates.for_each([&](std::size_t j) {
    const SetWord* row = request.busy.row(j);
    const SetWord* end = row + request.busy.stride();
    if (std::all_of(row, end, [](SetWord word) { return word == 0; })) nonempty.reset(j);
  });
}

}  // namespace flitcast::clos
