// SPDX-License-Identifier: Apache-2.0
#include "conformance/curve_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/child.h"
#include "conformance/text.h"
#include "sim/experiment/model.h"
#include "sim/measure/measurement.h"
#include "sim/sweep/sweep.h"
#include "topology/dragonfly.h"

namespace flitcast::conformance {
namespace {

const std::map<std::string, std::string> kPatterns{
    {"uniform", "uniform"},    {"transpose", "transpose"}, {"bitcomp", "bit_complement"},
    {"bitrev", "bit_reverse"}, {"shuffle", "shuffle"},     {"tornado", "tornado"},
    {"neighbor", "neighbour"}, {"bad_dragon", "mix"},
};

// The dragonflies of the reference have links of these lengths, in cycles, one way and the other.
constexpr unsigned kLocalLatency = 10;
constexpr unsigned kGlobalLatency = 100;

Dragonfly dragonfly_of(const CurveNetwork& network) {
  return Dragonfly({network.k, 2 * network.k, network.k});
}

// Reads assignments such as "routing_delay=0 vc_alloc_delay=2".
void read_parameters(const std::string& text, CurveNetwork& network) {
  const std::map<std::string, unsigned*> known{
      {"routing_delay", &network.routing_delay},
      {"vc_alloc_delay", &network.vc_alloc_delay},
      {"sw_alloc_delay", &network.sw_alloc_delay},
      {"c", &network.concentration.nodes},
      {"x", &network.concentration.columns},
      {"y", &network.concentration.rows},
      {"xr", &network.concentration.tile_width},
      {"yr", &network.concentration.tile_height},
      {"credit_delay", &network.credit_delay},
      {"alloc_iters", &network.alloc_iters},
      {"speculative", &network.speculative},
      {"input_speedup", &network.input_speedup},
      {"wait_for_tail_credit", &network.wait_for_tail_credit},
  };
  const std::map<std::string, std::string*> allocators{{"vc_allocator", &network.vc_allocator},
                                                       {"sw_allocator", &network.sw_allocator}};
  std::string list = text;
  std::replace(list.begin(), list.end(), ';', ' ');
  for (const std::string& assignment : split(list, ' ')) {
    if (assignment.empty()) continue;
    const std::vector<std::string> sides = split(assignment, '=');
    if (sides.front() == "network_file" && sides.size() == 2) {
      network.file = sides[1];
      continue;
    }
    const auto allocator = allocators.find(sides.front());
    if (allocator != allocators.end() && sides.size() == 2) {
      *allocator->second = sides[1];
      continue;
    }
    const auto found = known.find(sides.front());
    if (found == known.end() || sides.size() != 2) {
      throw std::invalid_argument("parameter \"" + assignment + "\" is not known here");
    }
    *found->second = static_cast<unsigned>(to_count(sides[1]));
  }
}

/// The nodes of a router along both dimensions; the columns state each number twice.
std::string tile_text(const CurveNetwork& network) {
  const auto [c, x, y, xr, yr] = network.concentration;
  if (network.n != 2 || x != network.k || y != network.k || xr * yr != c) {
    throw std::invalid_argument("nodes of a router are not those of k x k tiles of xr x yr");
  }
  return fmt::format("tile: [{}, {}]", xr, yr);
}

std::string topology_text(const CurveNetwork& network) {
  const auto [k, n] = std::pair(network.k, network.n);
  const std::string sizes = fmt::format("{}", fmt::join(std::vector<std::size_t>(n, k), ", "));
  if (network.topology == "fly")
    return fmt::format("{{kind: butterfly, arity: {}, stages: {}}}", k, n);
  if (network.topology == "fattree")
    return fmt::format("{{kind: fat_tree, arity: {}, levels: {}}}", k, n);
  if (network.topology == "dragonflynew" && n == 1)
    return fmt::format("{{kind: dragonfly, nodes: {}}}", k);
  if (network.topology == "anynet") {
    return fmt::format("{{kind: custom, file: {}/{}}}", FLITCAST_CONFORMANCE_FOLDER, network.file);
  }
  if (network.topology == "cmesh") {
    return fmt::format("{{kind: cmesh, sizes: [{}], {}}}", sizes, tile_text(network));
  }
  if (network.topology == "flatfly") {
    return fmt::format("{{kind: flattened_butterfly, sizes: [{}], {}}}", sizes, tile_text(network));
  }
  return fmt::format("{{kind: {}, sizes: [{}]}}", network.topology, sizes);
}

// Indexed by the name in the reference.
const std::map<std::string, std::string> kAllocators{
    {"separable_input_first", "input_first"},
    {"separable_output_first", "output_first"},
    {"islip", "output_first"},
    {"wavefront", "wavefront"},
};

std::string router_text(const CurveNetwork& network) {
  // Among the reference's allocators only this one iterates.
  const bool iterates = network.sw_allocator == "islip";
  return fmt::format(
      "{{virtual_channels: {}, buffer_depth: {}, pipeline: {{route: {}, vc_allocation: {}, "
      "switch_allocation: {}, traversal: 1}}, allocator: {}{}, speculation: {}, "
      "input_speedup: {}, vc_reuse: {}}}",
      network.virtual_channels, network.buffer_depth, network.routing_delay, network.vc_alloc_delay,
      network.sw_alloc_delay, kAllocators.at(network.sw_allocator),
      iterates ? fmt::format(", iterations: {}", network.alloc_iters) : "",
      network.speculative != 0, network.input_speedup,
      network.wait_for_tail_credit != 0 ? "tail_credit" : "tail");
}

// Indexed by topology and by the name in the reference.
const std::map<std::pair<std::string, std::string>, std::string> kRoutings{
    {{"mesh", "dor"}, "{kind: dimension_order}"},
    {{"mesh", "valiant"}, "{kind: valiant}"},
    {{"mesh", "romm"}, "{kind: romm}"},
    {{"mesh", "min_adapt"}, "{kind: reference_min_adapt}"},
    {{"mesh", "xy_yx"}, "{kind: o1turn}"},
    {{"mesh", "adaptive_xy_yx"}, "{kind: adaptive_xy_yx}"},
    {{"mesh", "planar_adapt"}, "{kind: reference_planar_adapt}"},
    {{"torus", "dim_order"}, "{kind: dimension_order, vc_classes: dally_seitz_fixed}"},
    {{"fly", "dest_tag"}, "{kind: destination_tag}"},
    {{"fattree", "nca"}, "{kind: nearest_common_ancestor}"},
    {{"fattree", "anca"}, "{kind: reference_anca}"},
    {{"cmesh", "dor_no_express"}, "{kind: dimension_order}"},
    {{"flatfly", "ran_min"}, "{kind: e_cube, order: lsb}"},
    {{"flatfly", "ugal"}, "{kind: reference_flatfly_ugal}"},
    {{"dragonflynew", "min"}, "{kind: reference_dragonfly_min}"},
    {{"dragonflynew", "ugal"}, "{kind: reference_dragonfly_ugal}"},
    {{"anynet", "min"}, "{kind: reference_least_latency}"},
};

// Credits take as long as flits, one cycle where links do not differ.
std::string link_text(const CurveNetwork& network) {
  if (network.topology == "dragonflynew") {
    return fmt::format(
        "{{credit_latency: 0, classes: {{local: {{latency: {}}}, global: {{latency: {}}}}}}}",
        kLocalLatency, kGlobalLatency);
  }
  if (network.topology == "anynet") return "{credit_latency: 0}";
  return fmt::format("{{credit_latency: {}}}", 1 + network.credit_delay);
}

/// The keys of a pattern; bad_dragon sends each packet to any node of the next group.
std::string pattern_text(const CurveNetwork& network) {
  const std::string& pattern = kPatterns.at(network.traffic);
  if (pattern == "uniform") return "uniform, include_self: true";
  if (network.traffic != "bad_dragon") return pattern;
  const std::size_t group = 2 * network.k * network.k;
  const std::size_t nodes = group * (group + 1);
  std::vector<std::string> places;
  for (std::size_t place = 0; place < group; ++place) {
    std::vector<std::size_t> to;
    for (std::size_t n = 0; n < nodes; ++n) {
      to.push_back((n / group + 1) * group % nodes + (n + place) % group);
    }
    places.push_back(
        fmt::format("{{pattern: permutation, permutation: [{}]}}", fmt::join(to, ", ")));
  }
  return fmt::format("mix, mix: [{}]", fmt::join(places, ", "));
}

std::string workload_text(const CurveNetwork& network, double load) {
  return fmt::format("{{kind: traffic, pattern: {}, load: {}, packet_length: {}}}",
                     pattern_text(network), load, network.packet_size);
}

Configuration configuration_of(const CurveNetwork& network, const CurvePoint& point,
                               std::uint64_t seed) {
  const std::string text = fmt::format(
      "seed: {}\ntopology: {}\nrouting: {}\nrouter: {}\nlink: {}\n"
      "workload: {}\n"
      "measure: {{warmup: {}, window: {}, drain_limit: {}}}\n",
      seed, topology_text(network), kRoutings.at({network.topology, network.routing}),
      router_text(network), link_text(network), workload_text(network, point.load), point.warmup,
      point.window, 20 * (point.warmup + point.window));
  return validate(parse_document(text, "curve"), experiment_schema());
}

CurveResult simulate_once(const CurveNetwork& network, const CurvePoint& point,
                          std::uint64_t seed) {
  const Configuration configuration = configuration_of(network, point, seed);
  const Model model = make_model(configuration, false);
  const Measurement measured =
      measure(model, measurement_plan(configuration), [](const std::string&, auto, auto) {});
  const LatencyProbe& latency = measured.packets->latency();
  return {latency.packet_latency().mean(), latency.mean_hops(), measured.loads.value().accepted,
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

// On a dragonfly by the regression of the latency on the routers visited over all pairs of routers:
// a global channel is as long as many routers.
double CurveNetwork::cycles_per_hop() const {
  const unsigned hop = routing_delay + vc_alloc_delay + sw_alloc_delay + 2 - speculative;
  if (topology != "dragonflynew") return hop;
  const Dragonfly dragonfly = dragonfly_of(*this);
  double pairs = 0;
  double hops = 0;
  double flights = 0;
  double squares = 0;
  double products = 0;
  for (const RouterId from : dragonfly.routers()) {
    for (const RouterId to : dragonfly.routers()) {
      const bool global = dragonfly.group(from) != dragonfly.group(to);
      unsigned local = from == to ? 0 : 1;
      if (global) {
        const Endpoint leaves = dragonfly.gateway(dragonfly.group(from), dragonfly.group(to));
        const Endpoint enters = dragonfly.gateway(dragonfly.group(to), dragonfly.group(from));
        local = (leaves.router == from ? 0 : 1) + (enters.router == to ? 0 : 1);
      }
      const unsigned visited = 1 + local + (global ? 1 : 0);
      const unsigned flight = local * (kLocalLatency - 1) + (global ? kGlobalLatency - 1 : 0);
      pairs += 1;
      hops += visited;
      flights += flight;
      squares += visited * visited;
      products += visited * flight;
    }
  }
  return hop + (products - hops * flights / pairs) / (squares - hops * hops / pairs);
}

std::string CurveNetwork::missing() const {
  if (kRoutings.count({topology, routing}) == 0) return "routing " + routing + " on a " + topology;
  if (kPatterns.count(traffic) == 0) return "traffic " + traffic;
  if (links_differ() && credit_delay != 0) return "credit_delay on links that differ";
  if (kAllocators.count(sw_allocator) == 0) return "allocator " + sw_allocator;
  if (kAllocators.count(vc_allocator) == 0) return "allocator " + vc_allocator;
  if (kAllocators.at(vc_allocator) != kAllocators.at(sw_allocator)) {
    return "allocator " + vc_allocator + " beside " + sw_allocator;
  }
  return "";
}

CurveResult simulate(const CurveNetwork& network, const CurvePoint& point, unsigned seeds) {
  try {
    // Finds networks that cannot be built before it starts child processes.
    make_model(configuration_of(network, point, 1), false);
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
