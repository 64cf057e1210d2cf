// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/most_used_fit.h"

#include <algorithm>

namespace flitcast::clos {
namespace {

std::size_t members(const SetWord* words, std::size_t word_count) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < word_count; ++w) count += popcount(words[w]);
  return count;
}

}  // namespace

void MostUsedFit::arrange(const BitMatrix& busy, std::vector<std::uint32_t>& candidates) {
  used_.resize(busy.rows());
  for (const std::uint32_t j : candidates) used_[j] = members(busy.row(j), busy.stride());
  std::sort(candidates.begin(), candidates.end(), [this](std::uint32_t a, std::uint32_t b) {
    return used_[a] != used_[b] ? used_[a] > used_[b] : a < b;
  });
}

}  // namespace flitcast::clos
