// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// The output switches of a request that the growing route does not serve yet.
///
/// `kWords` is the number of words of a set if known at compile time, else 0: nearly all networks
/// have at most 128 output switches, and loops over one or two words unroll. Sets of sizes other
/// than r2, or of other than kWords words, are undefined behaviour.
class Remainder {
 public:
  /// @param output_switches  r2.
  explicit Remainder(std::size_t output_switches) : rest_(output_switches) {}

  template <std::size_t kWords = 0>
  void start(const BitSet& wanted) {
    for (std::size_t w = 0; w < word_count<kWords>(); ++w) words()[w] = wanted.words()[w];
  }

  const SetWord* words() const { return rest_.words(); }
  template <std::size_t kWords = 0>
  bool empty() const {
    SetWord all = 0;
    for (std::size_t w = 0; w < word_count<kWords>(); ++w) all |= words()[w];
    return all == 0;
  }
  std::size_t count() const { return rest_.count(); }
  /// True if a middle switch with destination set `busy` serves some of the remainder.
  bool shrinks_by(const SetWord* busy) const {
    for (std::size_t w = 0; w < rest_.word_count(); ++w) {
      if ((words()[w] & ~busy[w]) != 0) return true;
    }
    return false;
  }

  /// A middle switch and the number of output switches that it would leave, |M_j & remainder|.
  struct Candidate {
    std::size_t middle;
    std::size_t residual;
  };
  /// The candidate with the least residual, the lowest of several. The residual is r2 + 1 if there
  /// is none. Nearly always one leaves nothing, which needs no counting.
  template <std::size_t kWords = 0>
  Candidate least_residual(const BitSet& candidates, const BitMatrix& busy) const {
    const std::size_t whole =
        candidates.find([&](std::size_t j) { return serves_all<kWords>(busy.row(j)); });
    if (whole != candidates.size()) return {whole, 0};
    return least_count<kWords>(candidates, busy);
  }

  /// Appends a leg on which a middle switch with destination set `busy` serves what it can.
  template <std::size_t kWords = 0>
  void serve(std::size_t middle, const SetWord* busy, Selection& selection) {
    SetWord* const served = selection.append(MiddleId(middle));
    for (std::size_t w = 0; w < word_count<kWords>(); ++w) {
      served[w] = words()[w] & ~busy[w];
      words()[w] &= busy[w];
    }
  }

 private:
  SetWord* words() { return rest_.words(); }
  template <std::size_t kWords>
  std::size_t word_count() const {
    return kWords == 0 ? rest_.word_count() : kWords;
  }
  template <std::size_t kWords>
  std::size_t residual(const SetWord* busy) const {
    std::size_t members = 0;
    for (std::size_t w = 0; w < word_count<kWords>(); ++w) {
      members += popcount(busy[w] & words()[w]);
    }
    return members;
  }
  template <std::size_t kWords>
  [[gnu::noinline]] Candidate least_count(const BitSet& candidates, const BitMatrix& busy) const {
    Candidate best{busy.rows(), busy.columns() + 1};
    candidates.for_each([&](std::size_t j) {
      const std::size_t left_over = residual<kWords>(busy.row(j));
      if (left_over < best.residual) best = {j, left_over};
    });
    return best;
  }
  template <std::size_t kWords>
  bool serves_all(const SetWord* busy) const {
    SetWord left = 0;
    for (std::size_t w = 0; w < word_count<kWords>(); ++w) left |= busy[w] & words()[w];
    return left == 0;
  }

  BitSet rest_;
};

/// Sets `nonempty`, of size m, to the candidates that carry a connection.
inline void keep_nonempty(const SelectionRequest& request, BitSet& nonempty) {
  nonempty = request.candidates;
  request.candidates.for_each([&](std::size_t j) {
    const SetWord* row = request.busy.row(j);
    const SetWord* end = row + request.busy.stride();
    if (std::all_of(row, end, [](SetWord word) { return word == 0; })) nonempty.reset(j);
  });
}

}  // namespace flitcast::clos
