// SPDX-License-Identifier: Apache-2.0
#include "conformance/cdg_rows.h"

#include <stdexcept>

#include "conformance/text.h"
#include "routing/deadlock.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast::conformance {
namespace {

constexpr const char* kSchemesToCome[] = {"minimal_fully_adaptive", "Valiant", "ROMM2", "Y-X-Y",
                                          "O1TURN"};

std::vector<std::size_t> sizes_of(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (const std::string& size : split(text, 'x')) sizes.push_back(to_count(size));
  return sizes;
}

VcClasses classes_of(const std::string& name) {
  if (name == "none") return VcClasses::kNone;
  if (name == "dateline") return VcClasses::kDateline;
  if (name == "dally") return VcClasses::kDallySeitz;
  throw std::invalid_argument("no rule \"" + name + "\" for the virtual channels of a torus");
}

// The specification counts channels as (u, v, vc): parallel links are one.
DependencyCheck check(const Topology& topology, const Routing& routing,
                      std::size_t virtual_channels) {
  return check_dependencies(topology, routing, virtual_channels, ChannelIdentity::kRouterPair);
}

DependencyCheck check_grid(const Grid& grid, VcClasses classes) {
  DimensionOrder::Params params;
  params.tie_by_coin = false;
  params.classes = classes;
  params.virtual_channels = classes == VcClasses::kNone ? 1 : 2;
  return check(grid, DimensionOrder(grid, params), params.virtual_channels);
}

DependencyCheck compute(const std::string& topology, const std::string& scheme) {
  if (const char* sizes = after(topology, "mesh "); sizes != nullptr && scheme == "XY") {
    return check_grid(mesh(sizes_of(sizes)), VcClasses::kNone);
  }
  const char* rule = after(scheme, "minimal DOR, tie +, ");
  if (const char* sizes = after(topology, "torus "); sizes != nullptr && rule != nullptr) {
    return check_grid(torus(sizes_of(sizes)), classes_of(rule));
  }
  if (const char* dimension = after(topology, "Q"); dimension != nullptr && scheme == "e-cube") {
    const Hypercube cube(to_count(dimension));
    return check(cube, ECube(cube, ECube::Order::kMostSignificantFirst, 1), 1);
  }
  throw std::invalid_argument("no scheme \"" + scheme + "\" on \"" + topology + "\"");
}

std::size_t value_of(const DependencyCheck& result, const std::string& metric) {
  if (metric == "channels") return result.channels;
  if (metric == "deps") return result.dependencies;
  if (metric == "acyclic") return result.acyclic() ? 1 : 0;
  throw std::invalid_argument("no metric \"" + metric + "\"");
}

}  // namespace

Verdict cdg_row(const Row& row, Level) {
  for (const char* scheme : kSchemesToCome) {
    if (after(row["instance"], scheme)) {
      return Verdict::not_built(std::string("category cdg, scheme ") + scheme);
    }
  }
  const std::vector<std::string> metrics = split(row["metric"], ';');
  const std::vector<std::string> expected = split(row["expected"], ';');
  if (metrics.size() != expected.size()) {
    throw std::invalid_argument("metric and expected differ in length");
  }
  const DependencyCheck result = compute(row["topology"], row["instance"]);
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::size_t got = value_of(result, metrics[i]);
    if (got != to_count(expected[i])) {
      differences.push_back({metrics[i], expected[i], std::to_string(got)});
    }
  }
  return Verdict::of(std::move(differences));
}

}  // namespace flitcast::conformance
