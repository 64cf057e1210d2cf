// SPDX-License-Identifier: Apache-2.0
#include "clos/route_search.h"

#include <algorithm>
#include <utility>

namespace flitcast::clos {
namespace {

constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();

}  // namespace

RouteSearch::RouteSearch(const Structure& structure, std::vector<Branch> branches,
                         const BitMatrix* sets)
    : structure_(structure),
      branches_(std::move(branches)),
      any_sets_(sets == nullptr),
      free_(structure.m, structure.r2),
      users_(std::size_t{structure.r1} * structure.m, kUnused),
      fewest_links_(branches_.size()) {
  for (std::size_t j = 0; j < structure.m; ++j) {
    free_.assign(j, any_sets_ ? BitSet::full(structure.r2) : sets->set_of(j));
  }
}

std::uint64_t RouteSearch::count(std::uint64_t most, std::uint64_t most_steps) {
  most_ = most;
  steps_left_ = most_steps;
  place(0, 0);
  return ways_;
}

void RouteSearch::place(std::size_t next, std::uint32_t touched) {
  if (next == branches_.size()) {
    if (ways_++ == 0) first_ = branches_;
    fewest_links_ = std::min(fewest_links_, links_);
    return;
  }
  auto& [input, k, middle] = branches_[next];
  const std::size_t first_link =
      std::size_t{structure_.input_switch(InputId{input})} * structure_.m;
  const std::uint32_t end = any_sets_ ? std::min(structure_.m, touched + 1) : structure_.m;
  for (std::uint32_t j = 0; j < end; ++j) {
    std::uint32_t& user = users_[first_link + j];
    if (!free_.test(j, k) || (user != kUnused && user != input)) continue;
    if (ways_ == most_ || steps_left_ == 0) return;
    --steps_left_;
    const std::uint32_t before = std::exchange(user, input);
    free_.reset(j, k);
    middle = j;
    links_ += before == kUnused ? 1 : 0;
    place(next + 1, std::max(touched, j + 1));
    links_ -= before == kUnused ? 1 : 0;
    free_.set(j, k);
    user = before;
  }
}

}  // namespace flitcast::clos
