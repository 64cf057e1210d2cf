// SPDX-License-Identifier: Apache-2.0
#include "conformance/curve_point.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "conformance/child.h"
#include "conformance/text.h"
#include "routing/destination_tag.h"
#include "routing/dimension_order.h"
#include "sim/measurement.h"
#include "sim/model.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "traffic/injection.h"
#include "traffic/packet_lengths.h"
#include "traffic/pattern.h"
#include "traffic/random_traffic.h"

namespace flitcast::conformance {
namespace {

const std::map<std::string, std::string> kPatterns{
    {"uniform", "uniform"},    {"transpose", "transpose"}, {"bitcomp", "bit_complement"},
    {"bitrev", "bit_reverse"}, {"shuffle", "shuffle"},     {"tornado", "tornado"},
    {"neighbor", "neighbour"},
};

// Assignments such as "routing_delay=0 vc_alloc_delay=2".
void read_parameters(const std::string& text, CurveNetwork& network) {
  const std::map<std::string, unsigned*> known{{"routing_delay", &network.routing_delay},
                                               {"vc_alloc_delay", &network.vc_alloc_delay},
                                               {"sw_alloc_delay", &network.sw_alloc_delay}};
  std::string list = text;
  std::replace(list.begin(), list.end(), ';', ' ');
  for (const std::string& assignment : split(list, ' ')) {
    if (assignment.empty()) continue;
    const std::vector<std::string> sides = split(assignment, '=');
    const auto found = known.find(sides.front());
    if (found == known.end() || sides.size() != 2) {
      throw std::invalid_argument("parameter \"" + assignment + "\" is not known here");
    }
    *found->second = static_cast<unsigned>(to_count(sides[1]));
  }
}

std::unique_ptr<Topology> make_topology(const CurveNetwork& network) {
  const std::vector<std::size_t> sizes(network.n, network.k);
  if (network.topology == "mesh") return std::make_unique<Grid>(mesh(sizes));
  if (network.topology == "torus") return std::make_unique<Grid>(torus(sizes));
  return std::make_unique<Butterfly>(network.k, network.n);
}

std::unique_ptr<Routing> make_routing(const CurveNetwork& network, const Topology& topology) {
  if (const auto* butterfly = dynamic_cast<const Butterfly*>(&topology)) {
    return std::make_unique<DestinationTag>(*butterfly, network.virtual_channels);
  }
  DimensionOrder::Params params;
  params.virtual_channels = network.virtual_channels;
  params.classes = network.topology == "torus" ? VcClasses::kDallySeitzFixed : VcClasses::kNone;
  return std::make_unique<DimensionOrder>(dynamic_cast<const Grid&>(topology), params);
}

Model make_model(const CurveNetwork& network, double load, std::uint64_t seed) {
  Model model;
  model.topology = make_topology(network);
  model.routing = make_routing(network, *model.topology);
  const Section workload = Section::of("workload", {{"include_self", true}, {"load", load}});
  model.source = std::make_unique<RandomTraffic>(
      model.topology->node_count(), seed,
      find(patterns(), kPatterns.at(network.traffic))->make(workload, *model.topology),
      find(injections(), "bernoulli")->make(workload, network.packet_size),
      PacketLengths({network.packet_size}, {1.0}));
  model.params.seed = seed;
  model.params.router.virtual_channels = network.virtual_channels;
  model.params.router.buffer_depth = network.buffer_depth;
  model.params.router.pipeline = {network.routing_delay, network.vc_alloc_delay,
                                  network.sw_alloc_delay, 1};
  return model;
}

CurveResult simulate_once(const CurveNetwork& network, const CurvePoint& point,
                          std::uint64_t seed) {
  Model model = make_model(network, point.load, seed);
  MeasurementPlan plan;
  plan.warmup = point.warmup;
  plan.window = point.window;
  plan.drain_limit = 20 * (point.warmup + point.window);
  const Measurement measured = measure(model, plan, [](const std::string&, auto, auto) {});
  const LatencyProbe& latency = measured.packets->latency();
  const double node_cycles =
      static_cast<double>(model.topology->node_count()) * static_cast<double>(point.window);
  return {latency.packet_latency().mean(), latency.mean_hops(),
          static_cast<double>(measured.window.flits_ejected) / node_cycles,
          latency.count() == measured.window.packets_created};
}

}  // namespace

CurveNetwork CurveNetwork::of(const Row& row) {
  CurveNetwork network;
  network.topology = row["topology"];
  network.k = to_count(row["k"]);
  network.n = to_count(row["n"]);
  network.routing = row["routing"];
  network.traffic = row["traffic"];
  network.packet_size = static_cast<std::uint32_t>(to_count(row["packet_size"]));
  network.virtual_channels = static_cast<unsigned>(to_count(row["num_vcs"]));
  network.buffer_depth = static_cast<unsigned>(to_count(row["vc_buf_size"]));
  read_parameters(row["other_params"], network);
  return network;
}

std::string CurveNetwork::missing() const {
  const std::map<std::string, std::string> routings{
      {"mesh", "dor"}, {"torus", "dim_order"}, {"fly", "dest_tag"}};
  if (routings.at(topology) != routing) return "routing " + routing + " on a " + topology;
  if (kPatterns.count(traffic) == 0) return "traffic " + traffic;
  return "";
}

CurveResult simulate(const CurveNetwork& network, const CurvePoint& point, unsigned seeds) {
  try {
    make_model(network, point.load, 1);  // What cannot be built is found before the children are.
  } catch (const ConfigError& error) {
    throw std::invalid_argument(error.what());
  }
  constexpr unsigned kBeside = 2;
  CurveResult mean;
  for (unsigned first = 1; first <= seeds; first += kBeside) {
    std::vector<Child<CurveResult>> children;
    for (unsigned seed = first; seed < std::min(first + kBeside, seeds + 1); ++seed) {
      children.emplace_back([&, seed] { return simulate_once(network, point, seed); });
    }
    for (Child<CurveResult>& child : children) {
      const CurveResult result = child.result();
      mean.latency += result.latency / seeds;
      mean.hops += result.hops / seeds;
      mean.accepted += result.accepted / seeds;
      mean.steady = mean.steady && result.steady;
    }
  }
  return mean;
}

}  // namespace flitcast::conformance
