// SPDX-License-Identifier: Apache-2.0
#include "topology/butterfly.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/sequences.h"
#include "topology/catalog.h"
#include "topology/topology.h"

namespace flitcast {
namespace {

std::size_t power(std::size_t base, std::size_t exponent) {
  return bounded_product(std::vector<std::size_t>(exponent, base));
}

// `place` is the value of the digit exchanged with digit 0: base^position.
std::size_t exchange_digits(std::size_t row, std::size_t base, std::size_t place) {
  const std::size_t low = row % base;
  const std::size_t high = row / place % base;
  return row - low - high * place + high + low * place;
}

}  // namespace

bool Butterfly::buildable(std::size_t arity, std::size_t stages) {
  constexpr std::size_t kMostStages = 24;  // A network of 2^24 nodes has this many stages.
  if (arity < 2 || arity > kMaxPorts || stages < 1 || stages > kMostStages) return false;
  return std::max(power(arity, stages), stages * power(arity, stages - 1)) <= kMaxRouters;
}

Butterfly::Butterfly(std::size_t arity, std::size_t stages)
    : Topology("butterfly " + std::to_string(arity) + "-ary " + std::to_string(stages) + "-fly"),
      arity_(arity),
      stages_(stages) {
  if (!buildable(arity, stages)) throw std::invalid_argument("no such butterfly");
  const std::size_t rows = power(arity, stages);
  const std::size_t per_stage = rows / arity;
  for (std::size_t router = 0; router < stages * per_stage; ++router) add_router(arity, arity);

  const auto end = [&](std::size_t stage, std::size_t row) {
    return Endpoint{to_id<RouterId>(stage * per_stage + row / arity), to_id<PortId>(row % arity)};
  };
  for (std::size_t row = 0; row < rows; ++row) add_node({end(0, row), end(stages - 1, row)});
  for (std::size_t stage = 0; stage + 1 < stages; ++stage) {
    const std::size_t place = power(arity, stages - 1 - stage);
    for (std::size_t row = 0; row < rows; ++row) {
      add_channel({end(stage, row), end(stage + 1, exchange_digits(row, arity, place))});
    }
  }
}

Layout Butterfly::layout() const {
  const auto stage = [&](std::size_t router) { return router / routers_per_stage(); };
  return in_columns(tabulated(router_count(), stage));
}

std::optional<std::size_t> Butterfly::bisection_channels() const {
  if (arity_ % 2 != 0 || stages_ < 2) return std::nullopt;
  return node_count() / 2;
}

namespace {

std::unique_ptr<Topology> make_butterfly(const Section& section) {
  const std::size_t arity = section.count("arity");
  const std::size_t stages = section.count("stages");
  if (!Butterfly::buildable(arity, stages)) {
    section.fail("stages", "more than 2^24 nodes or routers",
                 "make arity^stages and stages * arity^(stages-1) at most 16777216");
  }
  return std::make_unique<Butterfly>(arity, stages);
}

}  // namespace

TopologyEntry butterfly_topology() {
  return {{"butterfly",
           "k-ary n-fly: unidirectional, with one path for each pair of nodes.",
           {Param::integer("arity", "ports", "k: inputs, and as many outputs, of a router.", 2,
                           kMaxPorts),
            Param::integer("stages", "", "n; there are k^n nodes.", 1, 24)},
           make_butterfly,
           {"arity: 2, stages: 1", "arity: 2, stages: 2", "arity: 2, stages: 4",
            "arity: 3, stages: 3", "arity: 5, stages: 2", "arity: 7, stages: 1"}},
          [](const Section& section) -> TopologySize {
            const std::size_t arity = section.count("arity");
            const std::size_t stages = section.count("stages");
            const std::size_t nodes = power(arity, stages);
            return {stages * nodes / arity, nodes, (stages - 1) * nodes, arity};
          }};
}

}  // namespace flitcast
