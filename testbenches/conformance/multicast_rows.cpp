// SPDX-License-Identifier: Apache-2.0
#include "conformance/multicast_rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "collective/catalog.h"
#include "collective/overlaps.h"
#include "conformance/text.h"
#include "permutation/instance.h"
#include "routing/catalog.h"
#include "routing/multicast/multicast_routing.h"

namespace flitcast::conformance {
namespace {

// The digits that follow `name` in the text.
std::size_t number_behind(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name);
  if (at == std::string::npos) throw std::invalid_argument("no " + name + " in \"" + text + "\"");
  const std::size_t begin = at + name.size();
  return to_count(text.substr(begin, text.find_first_not_of("0123456789", begin) - begin));
}

std::unique_ptr<Topology> topology_of(const std::string& name) {
  if (name.rfind('Q', 0) == 0) return std::make_unique<Hypercube>(to_count(name.substr(1)));
  const std::size_t rows = number_behind(name, "M(rows=");
  return std::make_unique<Grid>(mesh({number_behind(name, "cols="), rows}));
}

struct MulticastCase {
  std::unique_ptr<Topology> topology;
  NodeId source{};
  std::vector<NodeId> destinations;
};

MulticastCase case_of(const Row& row) {
  MulticastCase one{topology_of(row["topology"]), {}, {}};
  const std::string& text = row["instance"];
  const std::size_t count = number_behind(text, "dests=v[1..");
  const std::size_t seed = number_behind(text, "v=perm(seed=");
  const std::string rule = "v=perm(seed=" + std::to_string(seed) + "); src=v[0], dests=v[1.." +
                           std::to_string(count) + "]";
  const DestinationTable v = random_permutation(seed, one.topology->node_count());
  if (text != rule || count >= v.size()) {
    throw std::invalid_argument("no multicast \"" + text + "\"");
  }
  one.source = v.front();
  one.destinations.assign(v.begin() + 1, v.begin() + 1 + static_cast<std::ptrdiff_t>(count));
  return one;
}

using Figures = std::map<std::string, std::size_t>;

Figures figures_of_messages(const MulticastCase& one, const std::string& algorithm) {
  CollectiveContext context{*one.topology, one.source, 1, Operation::kMulticast, one.destinations};
  const Schedule schedule =
      find(collectives(), algorithm)->make(Section::of("workload", {}), context).plan.schedule;
  const Overlaps overlaps(*one.topology, schedule);
  return {{"steps", schedule.rounds()},          {"step_free", overlaps.step_free()},
          {"depth_free", overlaps.depth_free()}, {"hops", overlaps.hops()},
          {"total_hops", overlaps.hops()},       {"links", overlaps.hops()}};
}

Figures figures_of_copies(const MulticastCase& one, const std::string& kind) {
  std::map<std::string, nlohmann::json> values{{"kind", kind}};
  for (const Param& param : find(routings(), kind)->params()) values[param.key] = param.fallback;
  const auto made = make_routing(Section::of("routing", values), {*one.topology, 2});
  const auto& routing = dynamic_cast<const MulticastRouting&>(*made);
  const Adjacency adjacency(*one.topology);
  Figures figures{{"worms", 0}, {"links", 0}, {"longest", 0}};
  for (const auto& part : routing.parts(one.source, one.destinations)) {
    const MulticastPath path = measure(follow(*one.topology, adjacency, routing, one.source, part));
    ++figures["worms"];
    figures["links"] += path.links;
    figures["longest"] = std::max(figures["longest"], path.longest);
  }
  return figures;
}

Figures figures_of(const Row& row) {
  const MulticastCase one = case_of(row);
  const std::string& category = row["category"];
  if (category == "separate_unicast_xy") return figures_of_messages(one, "separate_unicasts");
  if (find(routings(), category) != nullptr) return figures_of_copies(one, category);
  return figures_of_messages(one, category);
}

}  // namespace

Verdict multicast_row(const Row& row, Level) {
  const Figures figures = figures_of(row);
  std::string got;
  for (const std::string& metric : split(row["metric"], ';')) {
    const auto figure = figures.find(metric);
    if (figure == figures.end()) throw std::invalid_argument("no metric \"" + metric + "\"");
    got += (got.empty() ? "" : ";") + std::to_string(figure->second);
  }
  if (got == row["expected"]) return Verdict::of({});
  return Verdict::of({{row["metric"], row["expected"], got}});
}

}  // namespace flitcast::conformance
