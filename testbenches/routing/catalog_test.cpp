// SPDX-License-Identifier: Apache-2.0
#include "routing/catalog.h"

#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

// The section that results if a user writes only the kind, with some values replaced.
Section section_of(const std::string& kind, std::map<std::string, nlohmann::json> values = {}) {
  values.emplace("kind", kind);
  for (const Param& param : find(routings(), kind)->params())
    values.emplace(param.key, param.fallback);
  return Section::of("routing", values);
}

Problem refusal(const std::string& kind, const Topology& topology, std::size_t vcs = 2) {
  try {
    make_routing(section_of(kind), {topology, vcs});
  } catch (const ConfigError& error) {
    REQUIRE(error.problems().size() == 1);
    return error.problems()[0];
  }
  return {};
}

bool names(const Problem& problem, const std::string& word) {
  return problem.hint.find(word) != std::string::npos;
}

}  // namespace

TEST_CASE("a routing on the wrong topology is refused with what fits both", "[routing]") {
  const Problem problem = refusal("e_cube", mesh({4, 4}));
  CHECK(problem.key == "routing.kind");
  CHECK(names(problem, "hypercube"));
  CHECK(names(problem, "dimension_order"));
  CHECK_FALSE(names(problem, "destination_tag"));
  CHECK(refusal("dimension_order", Hypercube(3)).key == "routing.kind");
  CHECK(refusal("destination_tag", mesh({4, 4})).key == "routing.kind");
  CHECK(names(refusal("dimension_order", Butterfly(2, 3)), "destination_tag"));
}

TEST_CASE("one VC on a torus larger than 3 is refused at router.virtual_channels", "[routing]") {
  CHECK(refusal("dimension_order", torus({3, 4}), 1).key == "router.virtual_channels");
  CHECK(refusal("dimension_order", torus({3, 3}), 1).key.empty());
  CHECK(refusal("dimension_order", mesh({8, 8}), 1).key.empty());
  CHECK(refusal("dimension_order", torus({8, 8}), 2).key.empty());
}

TEST_CASE("one VC is accepted without classes by request, or when safety is waived", "[routing]") {
  const Grid grid = torus({8});
  const auto& make = find(routings(), "dimension_order")->make;
  const RouteRequest wraps{RouterId{7}, grid.local(), VcId{0}, NodeId{1}, 0};
  CHECK(
      make(section_of("dimension_order", {{"vc_classes", "none"}}), {grid, 1})->route(wraps).vcs ==
      1);
  CHECK(make(section_of("dimension_order"), {grid, 1, true})->route(wraps).vcs == 1);
}

TEST_CASE("the default on a torus is the coin and the class fixed on entry", "[routing]") {
  const Grid grid = torus({8});
  const auto routing =
      find(routings(), "dimension_order")->make(section_of("dimension_order"), {grid, 4});
  CHECK(routing->tie_dimensions() == 1);
  CHECK(routing->route({RouterId{6}, grid.local(), VcId{0}, NodeId{1}, 0}).vcs == 0b1100);
  CHECK(routing->route({RouterId{0}, Grid::minus(0), VcId{3}, NodeId{1}, 0}).vcs == 0b1100);
}

TEST_CASE("shortest paths that can deadlock are refused unless safety is waived", "[routing]") {
  const Problem problem = refusal("shortest_path", ring(5));
  CHECK(problem.key == "routing.kind");
  CHECK(names(problem, "dimension_order"));
  CHECK(refusal("shortest_path", mesh({4, 4})).key.empty());
  const auto& make = find(routings(), "shortest_path")->make;
  CHECK(make(section_of("shortest_path"), {ring(5), 1, true}) != nullptr);
}

TEST_CASE("a table of shortest paths beyond its limit is refused before it is built", "[routing]") {
  CHECK(refusal("shortest_path", mesh({256, 128})).key == "routing.kind");
}

TEST_CASE("every choice of a routing parameter has an effect of its own", "[routing]") {
  const Grid grid = torus({8, 8});
  const auto& make = find(routings(), "dimension_order")->make;
  const auto route = [&](const std::string& key, const std::string& value, RouteRequest request) {
    return make(section_of("dimension_order", {{key, value}}), {grid, 2})->route(request);
  };
  const RouteRequest far{RouterId{0}, grid.local(), VcId{0}, NodeId{4 + 8 * 1}, 1};
  CHECK(route("order", "ascending", far).output == Grid::minus(0));
  CHECK(route("order", "descending", far).output == Grid::plus(1));
  CHECK(route("tie", "plus", far).output == Grid::plus(0));
  const RouteRequest before_wrap{RouterId{6}, grid.local(), VcId{0}, NodeId{0}, 0};
  const RouteRequest after_wrap{RouterId{0}, Grid::minus(0), VcId{1}, NodeId{1}, 0};
  CHECK(route("vc_classes", "dateline", before_wrap).vcs == 1);
  CHECK(route("vc_classes", "dally_seitz", before_wrap).vcs == 2);
  CHECK(route("vc_classes", "dally_seitz", after_wrap).vcs == 1);
  CHECK(route("vc_classes", "dally_seitz_fixed", after_wrap).vcs == 2);
  CHECK(route("vc_classes", "none", after_wrap).vcs == 3);
}
