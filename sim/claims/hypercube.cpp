// SPDX-License-Identifier: Apache-2.0
// Machines for document 002, "Routing in a Parallel Computer": bit fixing on hypercubes. Addresses
// are written, and bits are fixed, from the leftmost bit on.
#include "topology/hypercube.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/sequences.h"
#include "collective/demand.h"
#include "permutation/experiment.h"
#include "routing/e_cube.h"
#include "sim/claims/statement.h"
#include "sim/claims/step_trial.h"
#include "sim/results/drawing.h"
#include "topology/adjacency.h"

namespace flitcast::claims {
namespace {

std::string cube_name(std::size_t n) { return "Q" + std::to_string(n); }

std::string address_text(std::size_t node, std::size_t n) {
  return n == 0 ? "" : fmt::format("{:0{}b}", node, n);
}

/// The node of an address; one with fewer than n bits begins with zeros.
std::size_t address_in(const Section& parameters, const std::string& key) {
  const std::string& text = parameters.text(key);
  const std::size_t n = parameters.count("n");
  if (text.size() > n || text.find_first_not_of("01") != text.npos) {
    parameters.fail(key, fmt::format("\"{}\" is no address of n = {} bits", text, n),
                    fmt::format("write at most {} zeros and ones, or set n", n));
  }
  return text.empty() ? 0 : std::stoul(text, nullptr, 2);
}

using CubeRoute = std::vector<std::uint32_t>;  ///< The channels that a packet takes.

CubeRoute route_of(MovePaths& paths, std::size_t from, std::size_t to) {
  CubeRoute channels;
  if (from != to) paths.append({to_id<NodeId>(from), to_id<NodeId>(to), ChunkId{}}, channels);
  return channels;
}

StepTrial bit_fixing(std::size_t n, const std::string& discipline = "fifo",
                     std::uint64_t seed = 1) {
  return StepTrial(cube_name(n), "algorithm: bit_fixing, discipline: " + discipline, seed);
}

// The cube.

/// Positions like those of the figures of the page: a square, a cube, and cubes side by side.
Position corner(std::size_t node) {
  constexpr Position kSteps[] = {{2, 0}, {0, -2}, {0.9, -0.7}, {4.2, 0.5}, {0.6, 5}};
  Position at;
  for (std::size_t bit = 0; bit < std::size(kSteps); ++bit) {
    if ((node >> bit & 1) == 0) continue;
    at = {at.x + kSteps[bit].x, at.y + kSteps[bit].y};
  }
  return at;
}

constexpr std::size_t kMostBitsDrawn = 5;

/// A cube with its addresses.
/// @param colours  By channel; an edge is black where both of its channels are.
std::string cube_drawing(const Topology& cube, std::size_t n,
                         const std::vector<std::size_t>& colours, const std::string& title) {
  Drawing drawing;
  for (std::size_t c = 0; c < colours.size(); ++c) {
    const Channel& channel = cube.channels()[c];
    if (colours[c] == Drawing::kInk && channel.from.router > channel.to.router) continue;
    drawing.line(corner(index(channel.from.router)), corner(index(channel.to.router)), colours[c]);
  }
  for (std::size_t v = 0; v < cube.node_count(); ++v) {
    drawing.node(corner(v), address_text(v, n));
  }
  return drawing.svg(title);
}

/// The nodes and edges of a cube, and those of its halves by the leftmost bit, of which each has to
/// be a cube of one dimension less; the neighbours of a node, and the links of all nodes that do
/// not change one bit.
Figures cube_graph(const Section& parameters) {
  using Links = std::set<std::pair<std::size_t, std::size_t>>;
  const std::size_t n = parameters.count("n");
  const std::size_t node = address_in(parameters, "v");
  const Hypercube cube(n);
  const Hypercube smaller(n == 0 ? 0 : n - 1);
  const std::size_t half = smaller.node_count();
  Links parts[3];  // The halves, and the links between them.
  std::vector<std::size_t> colours;
  std::vector<std::string> neighbours(n);
  std::vector<std::size_t> across(cube.node_count());  // By node: the bits that its links change.
  std::size_t violations = 0;
  for (const Channel& channel : cube.channels()) {
    const std::size_t from = index(channel.from.router);
    const std::size_t to = index(channel.to.router);
    const std::size_t part = from / half == to / half ? from / half : 2;
    parts[part].insert({from % half, to % half});
    colours.push_back(part == 2 ? 1 : 0);
    if (!is_power_of_two(from ^ to)) ++violations;
    across[from] |= from ^ to;
    if (from == node) neighbours[n - 1 - bit_count(from ^ to)] = address_text(to, n);
  }
  for (const std::size_t bits : across) violations += bits + 1 != cube.node_count();
  Links edges;
  for (const Channel& channel : smaller.channels()) {
    edges.insert({index(channel.from.router), index(channel.to.router)});
  }
  const bool corresponds = all_of(parts[2], [](auto link) { return link.first == link.second; });
  Figures figures{{{"nodes", cube.node_count()},
                   {"edges", cube.channels().size() / 2},
                   {"copy_edges", edges.size() / 2},
                   {"joined", parts[2].size()},
                   {"as_stated", n == 0 || (corresponds && parts[0] == edges && parts[1] == edges)},
                   {"neighbours", neighbours},
                   {"links", cube.channels().size()},
                   {"violations", violations}}};
  if (n <= kMostBitsDrawn) {
    figures.drawings.push_back(cube_drawing(cube, n, colours, cube.name()));
  }
  return figures;
}

// All pairs of a source and a destination.

/// The hops of all pairs by bit fixing from either end of the address, and the pairs that use a
/// link.
Figures all_pairs(const Section& parameters) {
  const Hypercube cube(parameters.count("n"));
  const ECube from_left(cube, ECube::Order::kMostSignificantFirst, 1);
  const ECube from_right(cube, ECube::Order::kLeastSignificantFirst, 1);
  MovePaths leftmost(cube, from_left, 1);
  MovePaths rightmost(cube, from_right, 1);
  const Adjacency adjacency(cube);
  std::vector<std::size_t> uses(cube.channels().size());
  std::size_t hops = 0;
  std::size_t distance = 0;
  std::size_t violations = 0;
  for (const RouterId from : cube.routers()) {
    const std::vector<std::uint32_t> distances = distances_to_routers(from, cube, adjacency);
    for (std::size_t to = 0; to < cube.node_count(); ++to) {
      const CubeRoute route = route_of(leftmost, index(from), to);
      for (const std::uint32_t channel : route) ++uses[channel];
      hops += route.size();
      distance += distances[to];
      const auto differing = static_cast<std::size_t>(__builtin_popcountll(index(from) ^ to));
      for (const std::size_t length : {route.size(), route_of(rightmost, index(from), to).size()}) {
        if (length != differing || length != distances[to]) ++violations;
      }
    }
  }
  return {{{"pairs", cube.node_count() * cube.node_count()},
           {"hops", hops},
           {"distance", distance},
           {"violations", violations},
           {"links", uses.size()},
           {"uses", *std::max_element(uses.begin(), uses.end())},
           {"least_uses", *std::min_element(uses.begin(), uses.end())}}};
}

// Routes.

/// The addresses of a packet before the first bit and after every bit of the address.
using Addresses = std::vector<std::size_t>;

Addresses addresses_on(MovePaths& paths, std::size_t n, std::size_t from, std::size_t to) {
  const CubeRoute route = route_of(paths, from, to);
  Addresses addresses{from};
  std::size_t next = 0;
  for (std::size_t bit = n; bit-- > 0;) {
    addresses.push_back(addresses.back());
    if (next == route.size()) continue;
    const Channel& channel = paths.topology().channels()[route[next]];
    if (index(channel.from.port) != bit) continue;
    addresses.back() = index(channel.to.router);
    ++next;
  }
  return addresses;
}

/// True if an address has the last `rest` bits of `others`, and the bits before them of `first`.
bool is_between(std::size_t address, std::size_t first, std::size_t others, std::size_t rest) {
  return address >> rest == first >> rest &&
         ((address ^ others) & ((std::size_t{1} << rest) - 1)) == 0;
}

/// Counts over pairs of routes.
struct RoutePairs {
  std::size_t pairs = 0;
  std::size_t share = 0;              ///< Pairs with a common link.
  std::size_t share_from_others = 0;  ///< The pairs with a common link and different sources.
  std::size_t violations = 0;         ///< Pairs that share a link again after they parted.
  std::size_t wrong_meetings = 0;     ///< Common nodes that contradict the sources or destinations.

  void add(const Addresses& one, const Addresses& other) {
    const std::size_t n = one.size() - 1;
    bool together = false;
    bool apart = false;
    bool again = false;
    for (std::size_t k = 0; k <= n; ++k) {
      const bool meet = one[k] == other[k];
      if (meet && !is_between(one.back(), other.back(), one.back(), n - k)) ++wrong_meetings;
      if (meet && !is_between(one[0], one[0], other[0], n - k)) ++wrong_meetings;
      if (k == n || (one[k] == one[k + 1] && other[k] == other[k + 1])) continue;
      const bool shares = meet && one[k + 1] == other[k + 1];
      again |= shares && apart;
      apart |= together && !shares;
      together |= shares;
    }
    ++pairs;
    share += together;
    share_from_others += together && one[0] != other[0];
    violations += again;
  }
};

/// The most bits with which all pairs of routes are tried.
constexpr std::size_t kMostBitsOfPairs = 6;

RoutePairs pairs_of(const std::vector<Addresses>& routes, std::size_t samples) {
  RoutePairs found;
  Random random(1);
  const bool sampled = routes[0].size() > kMostBitsOfPairs + 1;
  for (std::size_t a = 0; !sampled && a < routes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) found.add(routes[a], routes[b]);
  }
  while (sampled && found.pairs < samples) {
    const std::size_t a = random.below(routes.size());
    const std::size_t b = random.below(routes.size());
    if (a != b) found.add(routes[a], routes[b]);
  }
  return found;
}

std::vector<Addresses> all_routes(StepTrial& fixing, std::size_t n) {
  return tabulated(std::size_t{1} << 2 * n, [&](std::size_t pair) {
    const std::size_t to = pair & ((std::size_t{1} << n) - 1);
    return addresses_on(fixing.paths(), n, pair >> n, to);
  });
}

/// The routes from 10..0 and from 0 that come together at the first bit and part at the last.
std::string drawing_of_meeting(StepTrial& fixing, std::size_t n) {
  const Topology& cube = fixing.network();
  const std::size_t last = cube.node_count() - 1;
  std::vector<std::size_t> colours(cube.channels().size(), Drawing::kInk);
  for (const std::uint32_t channel : route_of(fixing.paths(), last / 2 + 1, last)) {
    colours[channel] = 0;
  }
  for (const std::uint32_t channel : route_of(fixing.paths(), 0, last - 1)) {
    colours[channel] = colours[channel] == 0 ? 2 : 1;
  }
  return cube_drawing(cube, n, colours, "Two routes and, in a third colour, their links");
}

Figures routes(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  StepTrial fixing = bit_fixing(n);
  const std::vector<std::string> shown = mapped(
      addresses_on(fixing.paths(), n, address_in(parameters, "from"), address_in(parameters, "to")),
      [&](const std::size_t at) { return address_text(at, n); });
  const std::vector<Addresses> routes = all_routes(fixing, n);
  std::size_t wrong = 0;
  for (const Addresses& route : routes) {
    for (std::size_t k = 0; k <= n; ++k) {
      if (!is_between(route[k], route.back(), route[0], n - k)) ++wrong;
    }
  }
  const RoutePairs found = pairs_of(routes, parameters.count("samples"));
  Figures figures{{{"addresses", shown},
                   {"routes", routes.size()},
                   {"wrong_addresses", wrong},
                   {"wrong_meetings", found.wrong_meetings},
                   {"pairs", found.pairs},
                   {"share", found.share},
                   {"violations", found.violations}}};
  if (n > 1 && n <= kMostBitsDrawn) figures.drawings.push_back(drawing_of_meeting(fixing, n));
  return figures;
}

// Permutations.

/// The worst permutation for bit fixing is the transpose, for an odd number of bits with the middle
/// bit flipped.
Instance worst_on_cube(std::size_t n) {
  return instance_of((n % 2 == 0 ? transpose : transpose_midflip)(std::size_t{1} << n));
}

Instance permutation_of(const Section& parameters, const Topology& cube) {
  const std::string& name = parameters.text("permutation");
  if (name == "worst") return worst_on_cube(parameters.count("n"));
  const bool is_long_name = name == "transpose_with_the_middle_bit_flipped";
  return instance_on(cube, is_long_name ? "transpose_midflip" : name);
}

/// Phases on one cube.
class PhaseRuns {
 public:
  explicit PhaseRuns(StepTrial& fixing) : fixing_(fixing) {}

  void add(const Instance& packets) {
    const StepFigures run = fixing_.play(packets);
    runs_.add("T", {run.steps});
    runs_.add("C", {run.congestion});
    runs_.add("queue", {run.max_queue});
    const std::size_t n = fixing_.network().node_grid().size();
    const std::vector<std::uint32_t>& by_packet = fixing_.last().delays;
    const std::vector<std::size_t> delays(by_packet.begin(), by_packet.end());
    const std::vector<std::size_t> sharing = fixing_.sharing();
    const std::vector<std::size_t> path_loads = fixing_.loads_of_paths();
    const std::vector<std::size_t> loads = fixing_.loads();
    load_.resize(loads.size());
    for (std::size_t c = 0; c < loads.size(); ++c) load_[c] += loads[c];
    runs_.add("delay", delays);
    runs_.add("S", sharing);
    runs_.add("sum_T", path_loads);
    runs_.add("load", loads);
    counts_["packets"] += delays.size();
    counts_["late_runs"] += run.steps > 4 * n;
    counts_["delayed_runs"] += run.max_delay > 3 * n;
    for (std::size_t p = 0; p < delays.size(); ++p) {
      counts_["delayed_packets"] += delays[p] >= 3 * n;
      counts_["crowded_packets"] += sharing[p] >= 3 * n;
      counts_["violations"] += delays[p] > sharing[p];
      counts_["above_loads"] += sharing[p] > path_loads[p];
      counts_["delays_equal_to_S"] += delays[p] > 0 && delays[p] == sharing[p];
    }
  }

  /// Adds the phases of `runs`, which are independent draws, or of `random_permutations`.
  void add_random(const Section& parameters, const std::string& count) {
    const auto draw = count == "runs" ? random_function : random_permutation;
    for (std::size_t run = 0; run < parameters.count(count); ++run) {
      add(instance_of(draw(parameters.count("seed") + run, fixing_.network().node_count())));
    }
  }

  ordered_json figures() const {
    const auto [least, most] = std::minmax_element(load_.begin(), load_.end());
    const Channel& busiest =
        fixing_.network().channels()[static_cast<std::size_t>(most - load_.begin())];
    const std::size_t n = fixing_.network().node_grid().size();
    const auto runs = static_cast<double>(runs_.runs("T"));
    ordered_json figures = runs_.figures();
    figures["runs"] = runs_.runs("T");
    for (const auto& [name, count] : counts_) figures[name] = count;
    figures["least_link"] = static_cast<double>(*least) / runs;
    figures["largest_link"] = static_cast<double>(*most) / runs;
    figures["busiest_link"] = address_text(index(busiest.from.router), n) + "-" +
                              address_text(index(busiest.to.router), n);
    return figures;
  }

 private:
  StepTrial& fixing_;
  RunFigures runs_;
  std::map<std::string, std::size_t> counts_;  // Over all runs.
  std::vector<std::size_t> load_;              // By channel: its routes in all runs.
};

/// Phases to the destinations of a permutation, or of all, of random ones, and of independent
/// draws.
Figures phases(const Section& parameters) {
  const std::string& permutation = parameters.text("permutation");
  StepTrial fixing =
      bit_fixing(parameters.count("n"), parameters.text("discipline"), parameters.count("seed"));
  PhaseRuns runs(fixing);
  if (permutation != "all_permutations") {
    if (permutation != "none") runs.add(permutation_of(parameters, fixing.network()));
    runs.add_random(parameters, "random_permutations");
    runs.add_random(parameters, "runs");
  } else {
    for_all_permutations(parameters, "permutation", fixing.network().node_count(),
                         [&](const Instance& packets) { runs.add(packets); });
  }
  return {runs.figures()};
}

/// Adds to the phases the pairs that use a link.
Figures link_loads(const Section& parameters) {
  Figures figures = all_pairs(parameters);
  figures.values.update(phases(parameters).values);
  return figures;
}

/// C and T of the worst permutation, for n and for a table of cubes.
Figures worst_of_cubes(const Section& parameters) {
  const auto play = [](std::size_t n) { return bit_fixing(n).play(worst_on_cube(n)); };
  const StepFigures own = play(parameters.count("n"));
  Figures figures{{{"C", own.congestion}, {"T", own.steps}}};
  for (std::size_t n = 4; n <= 12; ++n) {
    const StepFigures of_table = play(n);
    figures["table_n"].push_back(n);
    figures["table_C"].push_back(of_table.congestion);
    figures["table_T"].push_back(of_table.steps);
  }
  return figures;
}

/// Packets that reach a node in the same step over different links and leave by the same link, at
/// every node of a cube.
Figures packets_at_once(const Section& parameters) {
  const std::size_t packets = parameters.count("packets");
  const std::size_t n = parameters.count("n") == 0 ? packets + 1 : parameters.count("n");
  StepTrial fixing = bit_fixing(n);
  std::set<std::vector<std::uint32_t>> delays;
  std::size_t longest = 0;
  const std::size_t nodes = fixing.network().node_count();
  for (std::size_t node = 0; node < nodes; ++node) {
    Instance instance;
    for (std::size_t bit = 1; bit <= packets; ++bit) {
      instance.push_back({to_id<NodeId>(node ^ std::size_t{1} << bit), to_id<NodeId>(node ^ 1)});
    }
    longest = std::max(longest, fixing.play(instance).max_queue);
    delays.insert(fixing.last().delays);
  }
  return {{{"delays", *delays.begin()},
           {"longest_queue", longest},
           {"nodes", nodes},
           {"orders", delays.size()}}};
}

// The expected number of routes that meet a route.

/// The exact mean of |S| over sources and destinations, for independent draws and for random
/// permutations, where no two destinations are equal. By symmetry the mean is that of source 0.
/// Common links of two routes follow one another: the pairs of routes with a common link are the
/// pairs at all links less those at all successions of two links.
std::pair<double, double> expected_overlap(StepTrial& fixing, std::size_t n) {
  const std::size_t nodes = fixing.network().node_count();
  const auto for_each_part = [&](std::size_t from, std::size_t to, const auto& visit) {
    const CubeRoute route = route_of(fixing.paths(), from, to);
    for (std::size_t at = 0; at < route.size(); ++at) {
      const std::size_t bit = index(fixing.network().channels()[route[at]].from.port);
      visit(route[at] * n + bit, 1);
      if (at > 0) visit(route[at - 1] * n + bit, -1);
    }
  };
  std::vector<std::int64_t> from_others(nodes * n * n);  // By link and the bit of the next link.
  RoutePairs to_one;                                     // The pairs with equal destinations.
  for (std::size_t to = 0; to < nodes; ++to) {
    const Addresses own = addresses_on(fixing.paths(), n, 0, to);
    for (std::size_t from = 1; from < nodes; ++from) {
      for_each_part(from, to, [&](std::size_t part, int) { ++from_others[part]; });
      to_one.add(own, addresses_on(fixing.paths(), n, from, to));
    }
  }
  std::int64_t sharing = 0;
  for (std::size_t to = 0; to < nodes; ++to) {
    for_each_part(0, to, [&](std::size_t part, int sign) { sharing += sign * from_others[part]; });
  }
  const auto all = static_cast<double>(sharing);
  const auto pairs = static_cast<double>(nodes * nodes);
  return {all / pairs,
          (all - static_cast<double>(to_one.share)) / (pairs - static_cast<double>(nodes))};
}

Figures overlap(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  StepTrial fixing = bit_fixing(n);
  const auto [draws, permutations] = expected_overlap(fixing, n);
  Figures figures{{{"independent_draws", draws}, {"random_permutation", permutations}}};
  if (n <= kMostBitsOfPairs) {
    const RoutePairs pairs = pairs_of(all_routes(fixing, n), 0);
    figures["all_pairs"] =
        2 * static_cast<double>(pairs.share_from_others) / std::pow(8, static_cast<double>(n));
  }
  for (const char* count : {"runs", "random_permutations"}) {
    PhaseRuns runs(fixing);
    runs.add_random(parameters, count);
    const ordered_json measured = runs.figures();
    figures["measured"].push_back(measured.at("mean_S"));
    figures["half_widths"].push_back(measured.at("mean_S_half_width"));
  }
  return figures;
}

// Two phases.

Figures two_phases(const Section& parameters) {
  constexpr std::size_t kMostNodesRun = 256;
  const std::size_t n = parameters.count("n");
  const bool permutations = parameters.text("draws") == "random_permutations";
  StepTrial trial(cube_name(n),
                  fmt::format("algorithm: two_phase, intermediates: {}, intermediate_seed: {}",
                              permutations ? "permutation" : "function", parameters.count("seed")));
  const Instance packets = permutation_of(parameters, trial.network());
  Figures figures = play_runs(trial, parameters, packets);
  figures["first_run"] = trial.play(packets).steps;
  if (packets.size() <= kMostNodesRun) figures["network_steps"] = trial.network_steps(packets);
  return figures;
}

}  // namespace

FigureMakers hypercube_makers() {
  return {
      {"cube_graph", cube_graph},      {"cube_pairs", all_pairs},  {"cube_routes", routes},
      {"cube_phases", phases},         {"cube_loads", link_loads}, {"cube_worst", worst_of_cubes},
      {"cube_queue", packets_at_once}, {"cube_overlap", overlap},  {"cube_two_phase", two_phases}};
}

}  // namespace flitcast::claims
