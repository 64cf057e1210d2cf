// SPDX-License-Identifier: Apache-2.0
#include "clos/blocking.h"

namespace flitcast::clos {
bool has_idle_port(const NetworkState& state, std::uint32_t input_switch) {
  const std::uint32_t ports = state.structure().n1;
  for (std::uint32_t port = 0; port < ports; ++port) {
    if (state.idle_inputs().test(std::size_t{input_switch} * ports + port)) return true;
  }
  return false;
}

namespace {

// The output switches that no available middle switch reaches: the AND of M_j.
BitSet unreachable(const NetworkState& state, std::uint32_t input_switch) {
  const BitMatrix& busy = state.destination_sets();
  BitSet result = BitSet::full(state.structure().r2);
  state.available(input_switch).for_each([&](std::size_t middle) {
    for (std::size_t w = 0; w < busy.stride(); ++w) result.words()[w] &= busy.row(middle)[w];
  });
  return result;
}

}  // namespace

std::uint32_t unusable(const NetworkState& state, std::uint32_t input_switch,
                       std::uint32_t output_switch) {
  std::uint32_t count = 0;
  for (std::uint32_t middle = 0; middle < state.structure().m; ++middle) {
    if (!state.available(input_switch).test(middle) ||
        state.destination_sets().test(middle, output_switch)) {
      ++count;
    }
  }
  return count;
}

bool blocks(const NetworkState& state) {
  for (std::uint32_t i = 0; i < state.structure().r1; ++i) {
    if (has_idle_port(state, i) && unreachable(state, i).intersects(state.open_output_switches())) {
      return true;
    }
  }
  return false;
}

}  // namespace flitcast::clos
