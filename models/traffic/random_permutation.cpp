// SPDX-License-Identifier: Apache-2.0
#include "traffic/random_permutation.h"

#include <utility>

#include "base/random.h"

namespace flitcast {

DestinationTable random_permutation(std::uint64_t seed, std::size_t node_count) {
  DestinationTable table = tabulate(node_count, [](std::size_t node) { return node; });
  Random random(seed);
  for (std::size_t i = node_count; i-- > 1;) std::swap(table[i], table[random.next() % (i + 1)]);
  return table;
}

std::unique_ptr<Pattern> make_random_permutation(const Section& workload,
                                                 const Topology& topology) {
  const auto seed = static_cast<std::uint64_t>(workload.integer("permutation_seed"));
  return std::make_unique<Permutation>(random_permutation(seed, topology.node_count()));
}

}  // namespace flitcast
