// SPDX-License-Identifier: Apache-2.0
#include "collective/hamiltonian_cycles.h"

#include <set>
#include <utility>

#include "collective/paths.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Output = std::pair<NodeId, PortId>;

/// True if the cycle visits every node once, each one hop from its predecessor and its successor.
bool is_hamiltonian(const Grid& torus, const HamiltonianCycle& cycle) {
  const std::size_t nodes = torus.node_count();
  for (std::size_t i = 0; i < cycle.nodes.size(); ++i) {
    const NodeId node = cycle.nodes[i];
    const NodeId next = cycle.nodes[(i + 1) % nodes];
    if (neighbour(torus, node, cycle.forward[i]) != next) return false;
    if (neighbour(torus, next, cycle.backward[(i + 1) % nodes]) != node) return false;
  }
  return cycle.nodes.size() == nodes &&
         std::set<NodeId>(cycle.nodes.begin(), cycle.nodes.end()).size() == nodes;
}

/// The number of different router outputs that the cycles use.
std::size_t distinct_outputs(const std::vector<HamiltonianCycle>& cycles) {
  std::set<Output> outputs;
  for (const HamiltonianCycle& cycle : cycles) {
    for (std::size_t i = 0; i < cycle.nodes.size(); ++i) {
      outputs.insert({cycle.nodes[i], cycle.forward[i]});
      outputs.insert({cycle.nodes[i], cycle.backward[i]});
    }
  }
  return outputs.size();
}

void check_decomposition(const std::vector<std::size_t>& sizes) {
  const Grid grid = torus(sizes);
  const auto cycles = hamiltonian_cycles(grid);
  CAPTURE(grid.name());
  CHECK(cycles.size() == sizes.size());
  for (const HamiltonianCycle& cycle : cycles) CHECK(is_hamiltonian(grid, cycle));
  CHECK(distinct_outputs(cycles) == 2 * sizes.size() * grid.node_count());
}

}  // namespace

TEST_CASE("two Hamiltonian cycles share out the links of every 2-D torus", "[collective]") {
  for (std::size_t columns = 3; columns <= 12; ++columns) {
    for (std::size_t rows = 3; rows <= 12; ++rows) check_decomposition({columns, rows});
  }
}

TEST_CASE("two Hamiltonian cycles share out the links of elongated 2-D tori", "[collective]") {
  for (std::size_t shorter = 3; shorter <= 6; ++shorter) {
    for (std::size_t longer = 22; longer <= 25; ++longer) {
      check_decomposition({longer, shorter});
      check_decomposition({shorter, longer});
    }
  }
}

TEST_CASE("as many Hamiltonian cycles as dimensions share out the links of larger tori",
          "[collective]") {
  check_decomposition({3, 3, 3});
  check_decomposition({3, 3, 4});
  check_decomposition({3, 4, 5});
  check_decomposition({4, 4, 4});
  check_decomposition({5, 5, 3});
  check_decomposition({3, 3, 3, 3});
  check_decomposition({6, 3, 4, 5});
  check_decomposition({3, 3, 3, 3, 3});
  check_decomposition({3, 3, 50});
}

TEST_CASE("a ring is its own Hamiltonian cycle", "[collective]") {
  check_decomposition({3});
  check_decomposition({8});
}

TEST_CASE("a flip changes the cycle count as foretold, and a second flip takes it back",
          "[collective]") {
  ColouredTorus coloured(torus({4, 3, 5}));
  const ColouredTorus::Square first{NodeId{0}, 0, 1};
  // The square is in the next layer and touches other cycles.
  const ColouredTorus::Square beside{NodeId{12}, 0, 1};
  // The cycles are the lines in dimensions 0, 1 and 2.
  CHECK(coloured.cycle_count() == 15 + 20 + 12);
  CHECK(coloured.change_by_flip(first) == -2);
  coloured.flip(first);
  CHECK(coloured.cycle_count() == 45);
  CHECK(coloured.change_by_flip(first) == 2);
  CHECK(coloured.change_by_flip(beside) == -2);
  CHECK_FALSE(coloured.can_flip({NodeId{1}, 0, 1}));
  coloured.flip(first);
  CHECK(coloured.cycle_count() == 47);
}

TEST_CASE("Hamiltonian cycles need a torus with sizes of 3 or more", "[collective]") {
  struct Case {
    Grid grid;
    std::string hint;
  };
  for (const Case& refused :
       {Case{torus({2, 5}), "use torus 3x5"}, Case{mesh({4, 4}), "use torus 4x4"},
        Case{ring(2), "use torus 3"}, Case{torus({3, 1, 3}), "use torus 3x3x3"}}) {
    INFO(refused.grid.name());
    const PreconditionError error = refusal([&refused] { hamiltonian_cycles(refused.grid); });
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.hint() == refused.hint);
  }
}
