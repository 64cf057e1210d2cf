// SPDX-License-Identifier: Apache-2.0
// Adaptive routings on grids, and the verdict on escape channels.
#include <set>

#include "routing/analysis/deadlock.h"
#include "routing/minimal_adaptive.h"
#include "routing/o1turn.h"
#include "support/returning_adaptive.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

std::vector<Alternative> output_mode_of(const Routing& routing, std::uint32_t router,
                                        std::uint16_t input, std::uint8_t vc, std::uint32_t to) {
  Alternatives options;
  options.clear();
  routing.alternatives({RouterId{router}, PortId{input}, VcId{vc}, NodeId{to}}, options);
  return {options.begin(), options.end()};
}

std::set<unsigned> outputs_of(const std::vector<Alternative>& options) {
  std::set<unsigned> outputs;
  for (const Alternative& option : options) outputs.insert(index(option.output));
  return outputs;
}

MinimalAdaptive::Params channels(std::size_t virtual_channels) {
  MinimalAdaptive::Params params;
  params.virtual_channels = virtual_channels;
  return params;
}

}  // namespace

TEST_CASE("minimal adaptive packets have all productive outputs and dimension order to fall back",
          "[routing]") {
  const Grid grid = mesh({4, 4});
  const MinimalAdaptive routing(grid, channels(3));
  const auto options = output_mode_of(routing, 5, 4, 0, 15);
  REQUIRE(options.size() == 3);
  CHECK(options[0].output == Grid::plus(0));
  CHECK(options[0].vcs == 0b001);
  CHECK(options[0].waits);
  CHECK(outputs_of({options.begin() + 1, options.end()}) == std::set<unsigned>{0, 2});
  for (const Alternative& option : {options[1], options[2]}) {
    CHECK(option.vcs == 0b110);
    CHECK_FALSE(option.waits);
    CHECK(option.priority > options[0].priority);
  }
}

TEST_CASE("a packet on an escape channel stays on escape channels", "[routing]") {
  const Grid grid = mesh({4, 4});
  const MinimalAdaptive routing(grid, channels(3));
  const auto options = output_mode_of(routing, 5, 1, 0, 15);
  REQUIRE(options.size() == 1);
  CHECK(options[0].vcs == 0b001);
  CHECK(output_mode_of(routing, 5, 1, 1, 15).size() == 3);
}

TEST_CASE("half way round a torus both ways are open", "[routing]") {
  const Grid grid = torus({4, 4});
  const MinimalAdaptive routing(grid, channels(3));
  CHECK(outputs_of(output_mode_of(routing, 0, 4, 0, 2)) == std::set<unsigned>{0, 1});
  CHECK(outputs_of(output_mode_of(routing, 0, 4, 0, 10)) == std::set<unsigned>{0, 1, 2, 3});
  CHECK(outputs_of(output_mode_of(routing, 0, 4, 0, 3)) == std::set<unsigned>{1});
}

TEST_CASE("escape channels need their VCs, and an adaptive one besides", "[routing]") {
  CHECK(MinimalAdaptive::escape_vcs(mesh({8, 8})) == 1);
  CHECK(MinimalAdaptive::escape_vcs(torus({3, 3})) == 1);
  CHECK(MinimalAdaptive::escape_vcs(torus({4, 3})) == 2);
  CHECK_THROWS_AS(MinimalAdaptive(mesh({4, 4}), channels(1)), std::invalid_argument);
  CHECK_THROWS_AS(MinimalAdaptive(torus({4, 4}), channels(2)), std::invalid_argument);
}

TEST_CASE("cycles of adaptive channels beside escape channels do no harm", "[routing]") {
  const Grid grid = GENERATE(mesh({4, 4}), torus({3, 3}), torus({4, 4}), torus({5, 5}));
  const std::size_t vcs = MinimalAdaptive::escape_vcs(grid) + 1;
  const MinimalAdaptive routing(grid, channels(vcs));
  const DependencyCheck check = check_dependencies(grid, routing, vcs);
  CHECK(check.cyclic);
  CHECK(check.acyclic());
  CHECK(check.waited_for < check.channels);
  const ExtendedCheck extended = check_extended_dependencies(grid, routing, vcs);
  CHECK(extended.acyclic);
  CHECK(extended.escape_channels == check.waited_for);
}

TEST_CASE("without escape channels, or with a way back from them, cycles are refused",
          "[routing]") {
  const Grid grid = mesh({4, 4});
  MinimalAdaptive::Params none = channels(2);
  none.escape = false;
  CHECK_FALSE(check_dependencies(grid, MinimalAdaptive(grid, none), 2).acyclic());
  const ReturningAdaptive returning(grid);
  CHECK_FALSE(check_dependencies(grid, returning, 2).acyclic());
  // Duato's condition for buffers that packets do not share holds.
  CHECK(check_extended_dependencies(grid, returning, 2).acyclic);
}

namespace {

/// Escape channels that are adaptive themselves; the specification uses them as the control.
class AdaptiveEscape : public AdaptiveRouting {
 public:
  explicit AdaptiveEscape(const Grid& grid)
      : AdaptiveRouting(OutputSelection::kRandom), free_(grid, all_waits()) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    Alternatives offered;
    offered.clear();
    free_.alternatives(request, offered);
    for (Alternative option : offered) {
      if (index(option.output) == 4) return alternatives.add({option.output, 0, 3});
      option.vcs = 1;
      alternatives.add(option);
      option.vcs = 2;
      option.waits = false;
      alternatives.add(option);
    }
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return 3; }

 private:
  static MinimalAdaptive::Params all_waits() {
    MinimalAdaptive::Params params = channels(2);
    params.escape = false;
    return params;
  }
  const MinimalAdaptive free_;
};

}  // namespace

TEST_CASE("escape channels that adapt have cycles of their own", "[routing]") {
  const Grid grid = mesh({3, 3});
  const AdaptiveEscape routing(grid);
  CHECK_FALSE(check_extended_dependencies(grid, routing, 2).acyclic);
  CHECK_FALSE(check_dependencies(grid, routing, 2).acyclic());
}

TEST_CASE("planar-adaptive packets use three groups of channels", "[routing]") {
  const Grid grid = mesh({4, 4, 4});
  const PlanarAdaptive routing(grid, 7, OutputSelection::kRandom);
  // The packet moves from (1, 1, 1) to (3, 0, 2): up in dimension 0, down in 1; dimension 2 is not
  // part of the plane.
  const auto up = output_mode_of(routing, 21, 6, 0, 3 + 0 + 32);
  REQUIRE(up.size() == 2);
  CHECK(up[0].output == Grid::plus(0));
  CHECK(up[0].vcs == 0b1110000);
  CHECK(up[1].output == Grid::minus(1));
  CHECK(up[1].vcs == 0b0000011);
  const auto down = output_mode_of(routing, 21, 6, 0, 0 + 8 + 16);  // The destination is (0, 2, 1).
  REQUIRE(down.size() == 2);
  CHECK(down[1].vcs == 0b0001100);
  const auto last = output_mode_of(routing, 21, 6, 0, 1 + 4 + 48);  // The destination is (1, 1, 3).
  REQUIRE(last.size() == 1);
  CHECK(last[0].output == Grid::plus(2));
  CHECK(last[0].vcs == 0b1110000);
}

TEST_CASE("two groups of channels are too few for planes", "[routing]") {
  const Grid grid = mesh({4, 4});
  const auto selection = OutputSelection::kRandom;
  CHECK(check_dependencies(grid, PlanarAdaptive(grid, 3, selection), 3).acyclic());
  CHECK_FALSE(check_dependencies(grid, PlanarAdaptive(grid, 2, selection), 2).acyclic());
}

TEST_CASE("the order is chosen at once at the source and kept", "[routing]") {
  const Grid grid = mesh({4, 4});
  const AdaptiveXyYx routing(grid, 4);
  Alternatives options;
  options.clear();
  routing.alternatives({RouterId{0}, PortId{4}, VcId{0}, NodeId{15}}, options);
  REQUIRE(options.size() == 2);
  CHECK(options.drawn() >= 2);
  for (const Alternative& option : options) {
    Alternatives next;
    next.clear();
    routing.alternatives({RouterId{5}, PortId{1}, VcId{0}, NodeId{15}, 0, option.route_field},
                         next);
    REQUIRE(next.size() == 1);
    CHECK(next.begin()->output == option.output);
    CHECK(next.begin()->vcs == option.vcs);
    CHECK(next.drawn() == 0);
  }
}
