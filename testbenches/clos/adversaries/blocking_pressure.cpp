// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/blocking_pressure.h"

#include <vector>

#include "clos/blocking.h"

namespace flitcast::clos {
namespace {

// Calls visit(member) for the members of a row; a copy of the row would cost more than the visits.
template <class Visit>
void for_each_in_row(const BitMatrix& matrix, std::size_t row, Visit&& visit) {
  for (std::size_t w = 0; w < matrix.stride(); ++w) {
    for (SetWord rest = matrix.row(row)[w]; rest != 0; rest &= rest - 1) {
      visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
    }
  }
}

// For every output switch the middle switches that are unusable from this input switch.
void count_unusable(const NetworkState& state, std::uint32_t input_switch,
                    std::vector<std::uint32_t>& counts) {
  counts.assign(state.structure().r2, state.structure().m);
  state.available(input_switch).for_each([&](std::size_t j) {
    for (std::uint32_t& count : counts) --count;
    for_each_in_row(state.destination_sets(), j, [&](std::size_t k) { ++counts[k]; });
  });
}

}  // namespace

Pressure blocking_pressure(const NetworkState& state) {
  Pressure most;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t i = 0; i < state.structure().r1; ++i) {
    if (!has_idle_port(state, i)) continue;
    count_unusable(state, i, counts);
    state.open_output_switches().for_each([&](std::size_t k) {
      if (counts[k] > most.unusable) most = {counts[k], i, static_cast<std::uint32_t>(k)};
    });
  }
  return most;
}

}  // namespace flitcast::clos
