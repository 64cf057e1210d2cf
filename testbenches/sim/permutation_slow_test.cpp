// SPDX-License-Identifier: Apache-2.0
// Compares the step machine with the network of store-and-forward routers, on small random
// instances.
#include <string>

#include "base/random.h"
#include "experiment.h"
#include "observed.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

template <class List>
const auto& one_of(Random& random, const List& list) {
  return list[random.below(list.size())];
}

struct Network {
  const char* topology;
  const char* routing;
  std::vector<std::string> algorithms;
};

const std::vector<Network>& networks() {
  static const std::vector<std::string> kPlane{"greedy",      "dimension_order", "two_phase",
                                               "three_phase", "off_line",        "shearsort"};
  static const std::vector<Network> networks{
      {"{kind: mesh, sizes: [7]}", "{kind: dimension_order}", kPlane},
      {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order, order: descending}", kPlane},
      {"{kind: mesh, sizes: [3, 5]}", "{kind: dimension_order}", kPlane},
      {"{kind: mesh, sizes: [2, 3, 3]}",
       "{kind: dimension_order}",
       {"greedy", "dimension_order", "two_phase"}},
      {"{kind: torus, sizes: [4, 5]}", "{kind: dimension_order}", {"greedy", "two_phase"}},
      {"{kind: ring, nodes: 6}", "{kind: dimension_order}", {"greedy", "dimension_order"}},
      {"{kind: hypercube, dimension: 4}",
       "{kind: e_cube, order: lsb}",
       {"greedy", "bit_fixing", "two_phase"}},
      {"{kind: hypercube, dimension: 3}", "{kind: e_cube}", {"bit_fixing", "two_phase"}},
      {"{kind: butterfly, arity: 2, stages: 4}",
       "{kind: destination_tag}",
       {"one_pass", "two_phase"}},
      {"{kind: complete, nodes: 6}", "{kind: shortest_path}", {"greedy"}},
      {"{kind: mesh, sizes: [4, 3]}", "{kind: valiant}", {"greedy"}},
      {"{kind: cmesh, sizes: [4, 6], tile: [2, 2]}", "{kind: dimension_order}", {"greedy"}},
      {"{kind: mesh, sizes: [3, 4]}", "{kind: o1turn}", {"greedy"}},
      {"{kind: fat_tree, arity: 2, levels: 3}", "{kind: d_mod_k}", {"greedy", "d_mod_k"}},
      {"{kind: fat_tree, arity: 3, levels: 2}",
       "{kind: nearest_common_ancestor}",
       {"random_ascent", "coloured_ascent"}},
      {"{kind: folded_clos, nodes: 2, leaves: 4, spines: 3}",
       "{kind: nearest_common_ancestor}",
       {"random_ascent", "coloured_ascent"}},
  };
  return networks;
}

bool needs_permutation(const std::string& algorithm) {
  return algorithm == "off_line" || algorithm == "shearsort" || algorithm == "coloured_ascent";
}

std::string instance(Random& random, const std::string& algorithm) {
  const std::string seed = std::to_string(random.below(100000));
  const auto kind = needs_permutation(algorithm) ? 0 : random.below(3);
  if (kind == 0) return "{random: " + seed + "}";
  if (kind == 1) return "{random_function: " + seed + "}";
  return "{random_pairs: [" + seed + ", " + std::to_string(random.below(30)) + "]}";
}

std::string discipline(Random& random, const Network& network) {
  const std::string routing = network.routing;
  const bool by_dimension = std::string(network.topology).find("cmesh") == std::string::npos &&
                            (routing.find("dimension_order") != std::string::npos ||
                             routing.find("e_cube") != std::string::npos);
  const std::vector<std::string> everywhere{"fifo", "farthest", "lifo", "random"};
  const std::vector<std::string> more{"farthest_first", "nearest_first"};
  return by_dimension && random.below(2) == 0 ? one_of(random, more) : one_of(random, everywhere);
}

std::string random_experiment(Random& random) {
  const Network& network = one_of(random, networks());
  const std::string& algorithm = one_of(random, network.algorithms);
  const std::string cycles = std::to_string(1 + random.below(3));
  Experiment experiment;
  experiment.topology = network.topology;
  experiment.routing = network.routing;
  experiment.workload = "{kind: permutation, permutation: " + instance(random, algorithm) +
                        ", algorithm: " + algorithm +
                        ", discipline: " + discipline(random, network) +
                        ", length: " + std::to_string(1 + random.below(4)) + "}";
  experiment.measure = "{watchdog: 2000}";
  experiment.more =
      "router: {kind: store_and_forward, virtual_channels: 2, buffer_depth: 64}\n"
      "link: {cycles_per_flit: " +
      cycles + "}\nseed: " + std::to_string(random.below(1000));
  return experiment.text();
}

}  // namespace

TEST_CASE("network and step machine agree in T, Q and H on 1,000 random instances", "[sim]") {
  Random random(2024);
  for (int run = 0; run < 1000; ++run) {
    const std::string text = random_experiment(random);
    INFO(text);
    const auto result = observe(configuration_of(text)).result;
    INFO(result.at("permutation").dump());
    REQUIRE(result.at("status") == "ok");
    REQUIRE_FALSE(result.contains("notes"));
    const auto& told = result.at("permutation");
    REQUIRE(told.value("network_steps", std::size_t{0}) == told.at("steps"));
    REQUIRE(result.at("buffers").at("max_queue") == told.at("max_queue"));
    REQUIRE(result.at("buffers").at("max_held") == told.at("max_held"));
    REQUIRE(told.value("cycles", std::uint64_t{0}) == told.at("analytic_cycles"));
  }
}
