// SPDX-License-Identifier: Apache-2.0
#include "conformance/cdg_rows.h"

#include <map>
#include <stdexcept>

#include "conformance/text.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/turn_model.h"
#include "support/returning_adaptive.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast::conformance {
namespace {

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

DependencyCheck check_grid(const Grid& grid, VcClasses classes) {
  DimensionOrder::Params params;
  params.tie_by_coin = false;
  params.classes = classes;
  params.virtual_channels = classes == VcClasses::kNone ? 1 : 2;
  return check_dependencies(grid, DimensionOrder(grid, params), params.virtual_channels);
}

/// A routing of the catalog by the name of its scheme, with "2VC" at the end.
struct NamedScheme {
  const char* scheme;
  const char* routing;
};
constexpr NamedScheme kNamedSchemes[] = {
    {"Valiant ", "valiant"},
    {"ROMM2 ", "romm"},
    {"Y-X-Y interval=whole column ", "y_x_y"},
    {"O1TURN ", "o1turn"},
    {"minimal_fully_adaptive_", "minimal_adaptive"},
};

// Checks a routing without deadlock avoidance other than virtual channels.
DependencyCheck check_named(const Topology& topology, const std::string& kind,
                            const std::string& channels) {
  if (channels.size() < 3 || channels.substr(channels.size() - 2) != "VC") {
    throw std::invalid_argument("no number of virtual channels: \"" + channels + "\"");
  }
  const std::size_t vcs = to_count(channels.substr(0, channels.size() - 2));
  std::map<std::string, nlohmann::json> values{{"kind", kind}};
  for (const Param& param : routings().find(kind)->params()) values[param.key] = param.fallback;
  for (const char* safeguard : {"vc_classes", "escape"}) {
    if (values.count(safeguard) != 0) values[safeguard] = "none";
  }
  const auto routing = make_routing(Section::of("routing", values), {topology, vcs, true});
  return check_dependencies(topology, *routing, vcs);
}

DependencyCheck compute(const std::string& topology, const std::string& scheme) {
  for (const NamedScheme& named : kNamedSchemes) {
    const char* sizes = after(topology, "mesh ");
    const char* channels = after(scheme, named.scheme);
    if (sizes != nullptr && channels != nullptr) {
      return check_named(mesh(sizes_of(sizes)), named.routing, channels);
    }
  }
  if (const char* sizes = after(topology, "mesh "); sizes != nullptr && scheme == "XY") {
    return check_grid(mesh(sizes_of(sizes)), VcClasses::kNone);
  }
  const char* rule = after(scheme, "minimal DOR, tie +, ");
  if (const char* sizes = after(topology, "torus "); sizes != nullptr && rule != nullptr) {
    return check_grid(torus(sizes_of(sizes)), classes_of(rule));
  }
  if (const char* dimension = after(topology, "Q"); dimension != nullptr && scheme == "e-cube") {
    const Hypercube cube(to_count(dimension));
    return check_dependencies(cube, ECube(cube, ECube::Order::kMostSignificantFirst, 1), 1);
  }
  throw std::invalid_argument("no scheme \"" + scheme + "\" on \"" + topology + "\"");
}

std::size_t value_of(const DependencyCheck& result, const std::string& metric) {
  if (metric == "channels") return result.channels;
  if (metric == "deps") return result.dependencies;
  if (metric == "acyclic") return result.acyclic() ? 1 : 0;
  throw std::invalid_argument("no metric \"" + metric + "\"");
}

// Checks a row whose metrics are listed in the order of their expected values.
template <class Compute>
Verdict verify(const Row& row, const Compute& value_of_metric) {
  const std::vector<std::string> metrics = split(row["metric"], ';');
  const std::vector<std::string> expected = split(row["expected"], ';');
  if (metrics.size() != expected.size()) {
    throw std::invalid_argument("metric and expected differ in length");
  }
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::size_t got = value_of_metric(metrics[i]);
    if (got != to_count(expected[i])) {
      differences.push_back({metrics[i], expected[i], std::to_string(got)});
    }
  }
  return Verdict::of(std::move(differences));
}

/// True if a packet that has used one channel may continue on another, which begins there.
bool may_turn(const Channel& from, const Channel& to, const Grid& mesh, TurnRule rule) {
  const unsigned came = index(from.from.port);
  const unsigned goes = index(to.from.port);
  if (came == goes) return true;
  const auto column = mesh.coordinate(NodeId{index(to.from.router)}, 0);
  return came != (goes ^ 1U) && rule(static_cast<Compass>(came), static_cast<Compass>(goes),
                                     static_cast<std::uint32_t>(column));
}

// Builds the dependencies of packets to any destination that take every channel and every allowed
// turn.
DependencyCheck check_turns(const Grid& mesh, TurnRule rule) {
  const Adjacency adjacency(mesh);
  DependencyGraph graph(mesh, adjacency, 1);
  const std::vector<Channel>& channels = mesh.channels();
  for (std::uint32_t from = 0; from < channels.size(); ++from) {
    graph.add_use(from, 1, true);
    for (std::uint32_t to = 0; to < channels.size(); ++to) {
      if (channels[from].to.router != channels[to].from.router) continue;
      if (may_turn(channels[from], channels[to], mesh, rule)) {
        graph.add_dependency(from, 1, to, 1);
      }
    }
  }
  DependencyCheck check;
  check.channels = graph.channel_count();
  check.dependencies = graph.dependency_count();
  for (const auto& vertex : graph.find_cycle()) {
    const Channel& channel = channels[vertex.channel];
    check.cycle.push_back({channel.from.router, channel.from.port, channel.to.router, vertex.vc});
  }
  return check;
}

TurnRule rule_of(const std::string& name) {
  if (name == "westfirst") return west_first;
  if (name == "northlast") return north_last;
  if (name == "negfirst") return negative_first;
  if (name == "oddeven") return odd_even;
  if (name == "all") return [](Compass, Compass, std::uint32_t) { return true; };
  throw std::invalid_argument("no turn model \"" + name + "\"");
}

Grid mesh_of(const Row& row) {
  const char* sizes = after(row["topology"], "mesh ");
  if (sizes == nullptr) throw std::invalid_argument("no mesh: \"" + row["topology"] + "\"");
  return mesh(sizes_of(sizes));
}

}  // namespace

Verdict cdg_row(const Row& row, Level) {
  const DependencyCheck result = compute(row["topology"], row["instance"]);
  return verify(row, [&](const std::string& metric) { return value_of(result, metric); });
}

Verdict cdg_turns_row(const Row& row, Level) {
  const Grid mesh = mesh_of(row);
  if (mesh.dimensions() != 2) throw std::invalid_argument("turns are those of 2-D meshes");
  const DependencyCheck result = check_turns(mesh, rule_of(row["instance"]));
  return verify(row, [&](const std::string& metric) { return value_of(result, metric); });
}

Verdict cdg_duato_row(const Row& row, Level) {
  if (row["instance"] != "escape XY VC0 + minimal adaptive VC1") {
    throw std::invalid_argument("no scheme \"" + row["instance"] + "\"");
  }
  const Grid mesh = mesh_of(row);
  const ReturningAdaptive routing(mesh);
  const ExtendedCheck extended = check_extended_dependencies(mesh, routing, 2);
  return verify(row, [&](const std::string& metric) -> std::size_t {
    if (metric == "escape") return extended.escape_channels;
    if (metric == "ext_deps") return extended.dependencies;
    if (metric == "ext_acyclic") return extended.acyclic ? 1 : 0;
    if (metric == "full_acyclic") return check_dependencies(mesh, routing, 2).cyclic ? 0 : 1;
    throw std::invalid_argument("no metric \"" + metric + "\"");
  });
}

}  // namespace flitcast::conformance
