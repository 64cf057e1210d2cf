// SPDX-License-Identifier: Apache-2.0
// Machines for document 002, "Routing in a Parallel Computer": bit fixing on hypercubes. Addresses
// are written, and bits are fixed, from the leftmost bit on.
#include "topology/hypercube.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "collective/demand.h"
#include "permutation/algorithm.h"
#include "permutation/experiment.h"
#include "permutation/instance.h"
#include "permutation/step_machine.h"
#include "routing/e_cube.h"
#include "routing/queue_priority.h"
#include "sim/claims/drawing.h"
#include "sim/claims/statement.h"
#include "sim/claims/trials.h"
#include "stats/mean_interval.h"
#include "topology/adjacency.h"

namespace flitcast::claims {
namespace {

Param cube_dimension(double least, double most) {
  return Param::integer("n", "", "Bits of an address.", least, most);
}

std::string address_text(std::size_t node, std::size_t n) {
  std::string text;
  for (std::size_t bit = n; bit-- > 0;) text += (node >> bit & 1) != 0 ? '1' : '0';
  return text;
}

/// The node of an address; one with fewer than n bits begins with zeros.
std::size_t address_in(const Section& parameters, const std::string& key) {
  const std::string& text = parameters.text(key);
  const std::size_t n = parameters.count("n");
  if (text.find_first_not_of("01") != text.npos) {
    parameters.fail(key, "\"" + text + "\" is no address", "write zeros and ones");
  }
  if (text.size() > n) {
    parameters.fail(key, text + " has more than n = " + std::to_string(n) + " bits",
                    "set n to " + std::to_string(text.size()) + " or leave bits out");
  }
  return text.empty() ? 0 : std::stoul(text, nullptr, 2);
}

/// A channel between routers as its two addresses.
std::string link_text(const Hypercube& cube, const Channel& channel) {
  return address_text(index(channel.from.router), cube.dimension()) + "-" +
         address_text(index(channel.to.router), cube.dimension());
}

using CubeRoute = std::vector<std::uint32_t>;  ///< The channels that a packet takes.

/// Bit fixing on a cube: the paths that the routing takes, and the step machine.
class BitFixing {
 public:
  explicit BitFixing(std::size_t n, const std::string& discipline = "fifo", std::uint64_t seed = 1,
                     ECube::Order order = ECube::Order::kMostSignificantFirst)
      : cube_(n),
        routing_(cube_, order, 1),
        priority_(queue_priorities()
                      .find(discipline)
                      ->make(Section::of("router", {{"priority", discipline}}), {cube_, seed})),
        paths_(cube_, routing_, seed),
        machine_(paths_, *priority_) {}

  const Hypercube& cube() const { return cube_; }
  const StepMachine& machine() const { return machine_; }

  CubeRoute route(std::size_t from, std::size_t to) {
    CubeRoute channels;
    if (from != to) paths_.append({to_id<NodeId>(from), to_id<NodeId>(to), ChunkId{}}, channels);
    return channels;
  }
  PhaseOutcome run(const Messages& phase) { return machine_.run(phase); }
  PhaseOutcome run(const Instance& packets) {
    const MovePlan plan = phases_over(packets, {});
    return machine_.run(plan.phases.messages(0));
  }

 private:
  Hypercube cube_;
  ECube routing_;
  std::unique_ptr<QueuePriority> priority_;
  MovePaths paths_;
  StepMachine machine_;
};

std::uint32_t crossed_bit(const Hypercube& cube, std::uint32_t channel) {
  return index(cube.channels()[channel].from.port);
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

/// A cube with its addresses; lines have the colours of the bits that they cross, or kInk where
/// routes are drawn on top.
Drawing cube_drawing(const Hypercube& cube, bool in_colours) {
  Drawing drawing;
  for (std::uint32_t c = 0; c < cube.channels().size(); ++c) {
    const Channel& channel = cube.channels()[c];
    if (index(channel.from.router) > index(channel.to.router)) continue;
    const bool newest = crossed_bit(cube, c) + 1 == cube.dimension();
    drawing.line(corner(index(channel.from.router)), corner(index(channel.to.router)),
                 in_colours ? (newest ? 1 : 0) : Drawing::kInk);
  }
  for (std::size_t v = 0; v < cube.node_count(); ++v) {
    drawing.node(corner(v), address_text(v, cube.dimension()));
  }
  return drawing;
}

/// The nodes and edges of a cube, and those of its halves by the leftmost bit, of which each has to
/// be a cube of one dimension less.
Figures cube_copies(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const Hypercube cube(n);
  const Hypercube smaller(n == 0 ? 0 : n - 1);
  const std::size_t half = cube.node_count() / 2;
  std::size_t joined = 0;
  std::size_t faults = 0;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> copies(2);
  for (const Channel& channel : cube.channels()) {
    const std::size_t from = index(channel.from.router);
    const std::size_t to = index(channel.to.router);
    if ((from >= half) == (to >= half)) {
      copies[from >= half ? 1 : 0].push_back({from % half, to % half});
    } else {
      ++joined;
      if (from % half != to % half) ++faults;
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (const Channel& channel : smaller.channels()) {
    edges.push_back({index(channel.from.router), index(channel.to.router)});
  }
  std::sort(edges.begin(), edges.end());
  for (auto& copy : copies) {
    std::sort(copy.begin(), copy.end());
    if (copy != edges) ++faults;
  }
  Figures figures{{{"nodes", cube.node_count()},
                   {"edges", cube.channels().size() / 2},
                   {"copy_edges", smaller.channels().size() / 2},
                   {"joined", joined / 2},
                   {"faults", faults}}};
  if (n <= kMostBitsDrawn) {
    figures.drawings.push_back(
        cube_drawing(cube, true).svg("The cube of n = " + std::to_string(n)));
  }
  return figures;
}

/// The neighbours of a node, and the links of all nodes that do not change one bit.
Figures cube_neighbours(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t node = address_in(parameters, "v");
  const Hypercube cube(n);
  std::vector<std::string> neighbours(n);
  std::vector<std::size_t> across(cube.node_count());  // By node: the bits that its links change.
  std::size_t violations = 0;
  for (std::uint32_t c = 0; c < cube.channels().size(); ++c) {
    const std::size_t from = index(cube.channels()[c].from.router);
    const std::size_t to = index(cube.channels()[c].to.router);
    if (!is_power_of_two(from ^ to)) ++violations;
    across[from] |= from ^ to;
    if (from == node) neighbours[n - 1 - bit_count(from ^ to)] = address_text(to, n);
  }
  for (const std::size_t bits : across) violations += bits + 1 != cube.node_count() ? 1 : 0;
  return {
      {{"neighbours", neighbours}, {"links", cube.channels().size()}, {"violations", violations}}};
}

// All pairs of a source and a destination.

/// The hops of all pairs by bit fixing from either end of the address, and the pairs that use a
/// link.
ordered_json figures_of_all_pairs(std::size_t n) {
  BitFixing leftmost(n);
  BitFixing rightmost(n, "fifo", 1, ECube::Order::kLeastSignificantFirst);
  const Hypercube& cube = leftmost.cube();
  const Adjacency adjacency(cube);
  std::vector<std::size_t> uses(cube.channels().size());
  std::size_t hops = 0;
  std::size_t distance = 0;
  std::size_t violations = 0;
  for (const RouterId from : cube.routers()) {
    const std::vector<std::uint32_t> distances = distances_to_routers(from, cube, adjacency);
    for (std::size_t to = 0; to < cube.node_count(); ++to) {
      const CubeRoute route = leftmost.route(index(from), to);
      for (const std::uint32_t channel : route) ++uses[channel];
      hops += route.size();
      distance += distances[to];
      const auto differing = static_cast<std::size_t>(__builtin_popcountll(index(from) ^ to));
      for (const std::size_t length : {route.size(), rightmost.route(index(from), to).size()}) {
        if (length != differing || length != distances[to]) ++violations;
      }
    }
  }
  const std::size_t pairs = cube.node_count() * cube.node_count();
  return {{"pairs", pairs},
          {"hops", hops},
          {"distance", distance},
          {"mean", static_cast<double>(hops) / static_cast<double>(pairs)},
          {"violations", violations},
          {"links", uses.size()},
          {"uses", *std::max_element(uses.begin(), uses.end())},
          {"least_uses", *std::min_element(uses.begin(), uses.end())}};
}

Figures all_pairs(const Section& parameters) {
  return {figures_of_all_pairs(parameters.count("n"))};
}

/// The addresses of a packet after every position of the address, where it moves if the bits
/// differ.
std::vector<std::size_t> addresses_on(BitFixing& fixing, std::size_t from, std::size_t to) {
  const Hypercube& cube = fixing.cube();
  const CubeRoute route = fixing.route(from, to);
  std::vector<std::size_t> addresses{from};
  std::size_t next = 0;
  for (std::size_t bit = cube.dimension(); bit-- > 0;) {
    std::size_t at = addresses.back();
    if (next < route.size() && crossed_bit(cube, route[next]) == bit) {
      at = index(cube.channels()[route[next++]].to.router);
    }
    addresses.push_back(at);
  }
  return addresses;
}

/// True if two addresses agree in the bits from `first` up to, not including, `end`.
bool agree_in_bits(std::size_t one, std::size_t other, std::size_t first, std::size_t end) {
  return ((one ^ other) >> first & ((std::size_t{1} << (end - first)) - 1)) == 0;
}

/// The most bits with which all pairs of routes are tried.
constexpr std::size_t kMostBitsOfPairs = 5;

/// Pairs of routes that are at one node after the same position although the bits of destination
/// or source that this needs differ.
std::size_t wrong_meetings(const std::vector<std::vector<std::size_t>>& addresses, std::size_t n) {
  const std::size_t nodes = std::size_t{1} << n;
  std::size_t violations = 0;
  for (std::size_t a = 0; a < addresses.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t k = 0; k <= n; ++k) {
        if (addresses[a][k] != addresses[b][k]) continue;
        if (!agree_in_bits(a % nodes, b % nodes, n - k, n) ||
            !agree_in_bits(a / nodes, b / nodes, 0, n - k)) {
          ++violations;
        }
      }
    }
  }
  return violations;
}

Figures addresses_on_the_way(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t nodes = std::size_t{1} << n;
  BitFixing fixing(n);
  std::vector<std::string> shown;
  for (const std::size_t at :
       addresses_on(fixing, address_in(parameters, "from"), address_in(parameters, "to"))) {
    shown.push_back(address_text(at, n));
  }
  std::size_t violations = 0;
  std::vector<std::vector<std::size_t>>
      all;  // The pair (source, destination) has the number s N + d.
  for (std::size_t pair = 0; pair < nodes * nodes; ++pair) {
    const std::size_t source = pair / nodes;
    const std::size_t destination = pair % nodes;
    all.push_back(addresses_on(fixing, source, destination));
    for (std::size_t k = 0; k <= n; ++k) {
      const bool holds = agree_in_bits(all.back()[k], destination, n - k, n) &&
                         agree_in_bits(all.back()[k], source, 0, n - k);
      if (!holds) ++violations;
    }
  }
  Figures figures{{{"addresses", shown}, {"pairs", all.size()}, {"violations", violations}}};
  if (n <= kMostBitsOfPairs) figures.values["wrong_meetings"] = wrong_meetings(all, n);
  return figures;
}

// Pairs of routes.

/// True if the common channels of two routes follow one another on both. Sets `shared` to their
/// number.
bool shared_links_are_consecutive(const CubeRoute& one, const CubeRoute& other,
                                  std::size_t& shared) {
  shared = 0;
  bool consecutive = true;
  std::ptrdiff_t last = 0;
  std::ptrdiff_t last_of_other = 0;
  for (auto channel = one.begin(); channel != one.end(); ++channel) {
    const auto found = std::find(other.begin(), other.end(), *channel);
    if (found == other.end()) continue;
    const std::ptrdiff_t at = channel - one.begin();
    const std::ptrdiff_t at_other = found - other.begin();
    if (shared++ > 0) consecutive &= at == last + 1 && at_other == last_of_other + 1;
    last = at;
    last_of_other = at_other;
  }
  return consecutive;
}

struct RoutePairs {
  std::size_t pairs = 0;
  std::size_t share = 0;
  std::size_t share_from_other_sources = 0;
  std::size_t violations = 0;
};

void look_at(const std::vector<CubeRoute>& routes, std::size_t nodes, std::size_t a, std::size_t b,
             RoutePairs& found) {
  std::size_t shared = 0;
  if (!shared_links_are_consecutive(routes[a], routes[b], shared)) ++found.violations;
  ++found.pairs;
  if (shared == 0) return;
  ++found.share;
  if (a / nodes != b / nodes) ++found.share_from_other_sources;
}

/// All routes; that of the pair (source, destination) has the number s N + d.
std::vector<CubeRoute> all_routes(BitFixing& fixing) {
  std::vector<CubeRoute> routes;
  for (std::size_t from = 0; from < fixing.cube().node_count(); ++from) {
    for (std::size_t to = 0; to < fixing.cube().node_count(); ++to) {
      routes.push_back(fixing.route(from, to));
    }
  }
  return routes;
}

/// All pairs of routes, or `samples` pairs at random where there are too many.
RoutePairs pairs_of_routes(const std::vector<CubeRoute>& routes, std::size_t n,
                           std::size_t samples) {
  const std::size_t nodes = std::size_t{1} << n;
  RoutePairs found;
  for (std::size_t a = 0; n <= kMostBitsOfPairs && a < routes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) look_at(routes, nodes, a, b, found);
  }
  Random random(1);
  while (n > kMostBitsOfPairs && found.pairs < samples) {
    const std::size_t a = random.below(routes.size());
    const std::size_t b = random.below(routes.size());
    if (a != b) look_at(routes, nodes, a, b, found);
  }
  return found;
}

Figures meetings(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  BitFixing fixing(n);
  const std::vector<CubeRoute> routes = all_routes(fixing);
  const RoutePairs found = pairs_of_routes(routes, n, parameters.count("samples"));
  Figures figures{{{"routes", routes.size()},
                   {"pairs", found.pairs},
                   {"share", found.share},
                   {"violations", found.violations}}};
  if (n > kMostBitsDrawn) return figures;
  // The routes from 10..0 and from 0 that come together behind the first bit and part at the last.
  const std::size_t last = fixing.cube().node_count() - 1;
  Drawing drawing = cube_drawing(fixing.cube(), false);
  for (const auto& [from, to, colour] : {std::array<std::size_t, 3>{last / 2 + 1, last, 0},
                                         std::array<std::size_t, 3>{0, last - 1, 1}}) {
    for (const std::uint32_t channel : fixing.route(from, to)) {
      const Channel& link = fixing.cube().channels()[channel];
      const double aside = colour == 0 ? -0.06 : 0.06;
      const Position start = corner(index(link.from.router));
      const Position end = corner(index(link.to.router));
      drawing.line({start.x + aside, start.y + aside}, {end.x + aside, end.y + aside}, colour);
    }
  }
  figures.drawings.push_back(drawing.svg("Two routes that come together and part once"));
  return figures;
}

// Permutations on the step machine.

/// The permutations by name; `worst` has the most routes over a link.
const std::map<std::string, DestinationTable (*)(std::size_t)>& cube_permutations() {
  static const std::map<std::string, DestinationTable (*)(std::size_t)> permutations{
      {"transpose", transpose},
      {"transpose_midflip", transpose_midflip},
      {"transpose_with_the_middle_bit_flipped", transpose_midflip},
      {"bit_reverse", bit_reverse},
      {"shuffle", shuffle}};
  return permutations;
}

Param cube_permutation(const std::vector<std::string>& further = {}) {
  std::vector<std::string> names{"worst"};
  for (const auto& permutation : cube_permutations()) names.push_back(permutation.first);
  names.insert(names.end(), further.begin(), further.end());
  return Param::choice(
      "permutation", "worst: the transpose, with the middle bit of an odd number flipped.", names);
}

/// Its name in experiments.
std::string permutation_name(const Section& parameters) {
  const bool is_even = parameters.count("n") % 2 == 0;
  const std::string& name = parameters.text("permutation");
  if (name == "worst") return is_even ? "transpose" : "transpose_midflip";
  if (cube_permutations().at(name) != transpose_midflip) return name;
  if (is_even) {
    parameters.fail("permutation", "an even number of bits has no middle bit", "choose an odd n");
  }
  return "transpose_midflip";
}

Instance permutation_of(const Section& parameters) {
  const auto permute = cube_permutations().at(permutation_name(parameters));
  return instance_of(permute(std::size_t{1} << parameters.count("n")));
}

/// The packets that share a link with each packet of the machine's last phase, and the sums of the
/// loads of its links, on which the packet itself counts.
struct LinkSharing {
  std::vector<std::size_t> others;
  std::vector<std::size_t> loads;
  std::uint32_t busiest = 0;  ///< The channel with the greatest load.
};

LinkSharing sharing_in(const BitFixing& fixing, std::size_t packets) {
  const StepMachine& machine = fixing.machine();
  std::vector<std::vector<std::size_t>> users(fixing.cube().channels().size());
  LinkSharing sharing{std::vector<std::size_t>(packets), std::vector<std::size_t>(packets)};
  for (std::size_t p = 0; p < packets; ++p) {
    for (std::size_t at = machine.first(p); at < machine.first(p + 1); ++at) {
      users[machine.channel(at)].push_back(p);
      if (users[machine.channel(at)].size() > users[sharing.busiest].size()) {
        sharing.busiest = machine.channel(at);
      }
    }
  }
  std::vector<std::size_t> met(packets);  // The last packet, from 1, with which it was counted.
  for (std::size_t p = 0; p < packets; ++p) {
    met[p] = p + 1;
    for (std::size_t at = machine.first(p); at < machine.first(p + 1); ++at) {
      sharing.loads[p] += users[machine.channel(at)].size();
      for (const std::size_t other : users[machine.channel(at)]) {
        if (std::exchange(met[other], p + 1) != p + 1) ++sharing.others[p];
      }
    }
  }
  return sharing;
}

double average(const std::vector<std::size_t>& values) {
  return mean_of(std::vector<double>(values.begin(), values.end()));
}

std::size_t greatest(const std::vector<std::size_t>& values) {
  return *std::max_element(values.begin(), values.end());
}

/// One permutation: C, T, queues, and both sides of the inequality of the links' loads.
Figures one_permutation(const Section& parameters) {
  BitFixing fixing(parameters.count("n"), parameters.text("discipline"));
  const Instance packets = permutation_of(parameters);
  const PhaseOutcome outcome = fixing.run(packets);
  const LinkSharing sharing = sharing_in(fixing, packets.size());
  std::size_t violations = 0;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    if (sharing.others[p] > sharing.loads[p]) ++violations;
  }
  return {{{"C", outcome.congestion},
           {"T", outcome.steps},
           {"longest_queue", outcome.max_queue},
           {"held", outcome.max_held},
           {"busiest_link", link_text(fixing.cube(), fixing.cube().channels()[sharing.busiest])},
           {"packets", packets.size()},
           {"violations", violations},
           {"largest_sum_H", greatest(sharing.others)},
           {"mean_sum_H", average(sharing.others)},
           {"largest_sum_T", greatest(sharing.loads)},
           {"mean_sum_T", average(sharing.loads)}}};
}

/// C and T of the worst permutation known for bit fixing, for n and for a table of cubes.
Figures worst_of_cubes(const Section& parameters) {
  const auto run = [](std::size_t n) {
    const std::size_t nodes = std::size_t{1} << n;
    return BitFixing(n).run(instance_of(n % 2 == 0 ? transpose(nodes) : transpose_midflip(nodes)));
  };
  const PhaseOutcome own = run(parameters.count("n"));
  Figures figures{{{"C", own.congestion}, {"T", own.steps}}};
  for (std::size_t n = 4; n <= 12; ++n) {
    const PhaseOutcome outcome = run(n);
    figures.values["table_n"].push_back(n);
    figures.values["table_C"].push_back(outcome.congestion);
    figures.values["table_T"].push_back(outcome.steps);
  }
  return figures;
}

/// Packets that reach a node in the same step over different links and leave by the same link, at
/// every node of a cube.
Figures packets_at_once(const Section& parameters) {
  const std::size_t packets = parameters.count("packets");
  const std::size_t n = parameters.count("n") == 0 ? packets + 1 : parameters.count("n");
  if (n <= packets) {
    parameters.fail("n", "packets come over the links of all bits but the one that they fix next",
                    "use n of at least " + std::to_string(packets + 1));
  }
  constexpr std::size_t kArrival = 1;  // T: every packet is one hop away.
  constexpr std::size_t kHops = 2;
  BitFixing fixing(n);
  std::size_t nodes_that_differ = 0;
  std::vector<std::uint32_t> delays;
  std::size_t longest = 0;
  for (std::size_t node = 0; node < fixing.cube().node_count(); ++node) {
    Instance instance;
    for (std::size_t bit = 1; bit <= packets; ++bit) {
      instance.push_back({to_id<NodeId>(node ^ std::size_t{1} << bit), to_id<NodeId>(node ^ 1)});
    }
    const PhaseOutcome outcome = fixing.run(instance);
    if (node == 0) delays = outcome.delays;
    if (delays != outcome.delays) ++nodes_that_differ;
    longest = std::max(longest, outcome.max_queue);
  }
  ordered_json leave = ordered_json::array();
  ordered_json queue = ordered_json::array();
  for (const std::uint32_t delay : delays) leave.push_back(delay + kHops - kArrival);
  for (std::size_t step = 1; step <= packets; ++step) {
    queue.push_back(std::count_if(leave.begin(), leave.end(),
                                  [&](const ordered_json& left) { return left >= step; }));
  }
  return {{{"leave", leave},
           {"delays", delays},
           {"queue", queue},
           {"longest_queue", longest},
           {"nodes_that_differ", nodes_that_differ}}};
}

// The delay theorem.

/// What the theorem says of many phases.
struct DelayFigures {
  std::size_t runs = 0;
  std::size_t violations = 0;
  std::size_t largest_delay = 0;
  std::size_t largest_sharing = 0;
  std::size_t smallest_slack = ~std::size_t{0};
  std::size_t equal = 0;  ///< Delayed packets with exactly as many steps as packets share links.

  void add(BitFixing& fixing, const Instance& packets) {
    const PhaseOutcome outcome = fixing.run(packets);
    const LinkSharing sharing = sharing_in(fixing, packets.size());
    ++runs;
    for (std::size_t p = 0; p < packets.size(); ++p) {
      const std::size_t delay = outcome.delays[p];
      largest_delay = std::max(largest_delay, delay);
      largest_sharing = std::max(largest_sharing, sharing.others[p]);
      if (delay > sharing.others[p]) {
        ++violations;
      } else {
        smallest_slack = std::min(smallest_slack, sharing.others[p] - delay);
        if (delay > 0 && delay == sharing.others[p]) ++equal;
      }
    }
  }
};

Figures delays(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t nodes = std::size_t{1} << n;
  const std::uint64_t seed = parameters.count("seed");
  BitFixing fixing(n, parameters.text("discipline"), seed);
  DelayFigures found;
  if (parameters.text("permutation") != "all_permutations") {
    found.add(fixing, permutation_of(parameters));
    for (std::size_t run = 0; run < parameters.count("random_permutations"); ++run) {
      found.add(fixing, instance_of(random_permutation(seed + run, nodes)));
    }
  } else if (n > 3) {
    parameters.fail("permutation", "a cube of more than 3 dimensions has too many permutations",
                    "choose one of them, or n of at most 3");
  } else {
    DestinationTable table = all_nodes(nodes);
    do found.add(fixing, instance_of(table));
    while (std::next_permutation(table.begin(), table.end()));
  }
  return {{{"runs", found.runs},
           {"violations", found.violations},
           {"largest_delay", found.largest_delay},
           {"largest_S", found.largest_sharing},
           {"smallest_slack", found.smallest_slack},
           {"delays_equal_to_S", found.equal}}};
}

// Random phases.

/// Adds the mean of one value a run and half the width of its 95 % confidence interval.
void add_mean(const std::string& name, const std::vector<double>& values, ordered_json& figures) {
  figures[name] = mean_of(values);
  figures[name + "_half_width"] = half_width_95(values).value_or(0);
}

/// Adds how often something happened, and the one-sided 95 % limits on its probability.
void add_count(const std::string& name, std::size_t events, std::size_t trials,
               ordered_json& figures) {
  figures[name] = events;
  figures[name + "_limit"] = clopper_pearson_limit(events, trials);
  figures[name + "_lower_limit"] = 1 - clopper_pearson_limit(trials - events, trials);
}

/// Phases to random destinations.
struct RandomPhases {
  std::vector<double> steps;
  std::vector<double> congestion;
  std::vector<double> delay;        ///< Mean over the packets of a run.
  std::vector<double> sharing;      ///< The same for the packets that share a link with a packet.
  std::vector<double> load;         ///< The same for the routes over a link.
  std::vector<std::size_t> routes;  ///< By channel: its routes in all runs.
  DelayFigures theorem;
  std::size_t delayed_packets = 0;  ///< By at least 3n steps.
  std::size_t crowded_packets = 0;  ///< At least 3n others share links with them.
  std::size_t delayed_runs = 0;     ///< Some packet is delayed more than 3n steps.
  std::size_t late_runs = 0;        ///< The phase takes more than 4n steps.
};

bool draws_permutations(const Section& parameters) {
  return parameters.text("draws") == "random_permutations";
}

RandomPhases random_phases(std::size_t n, std::size_t runs, std::uint64_t seed, bool permutations) {
  const std::size_t nodes = std::size_t{1} << n;
  BitFixing fixing(n);
  RandomPhases found;
  found.routes.resize(fixing.cube().channels().size());
  for (std::size_t run = 0; run < runs; ++run) {
    const Instance packets = instance_of(permutations ? random_permutation(seed + run, nodes)
                                                      : random_function(seed + run, nodes));
    const PhaseOutcome outcome = fixing.run(packets);
    const LinkSharing sharing = sharing_in(fixing, nodes);
    const std::vector<std::size_t> delays(outcome.delays.begin(), outcome.delays.end());
    found.steps.push_back(static_cast<double>(outcome.steps));
    found.congestion.push_back(static_cast<double>(outcome.congestion));
    found.delay.push_back(average(delays));
    found.sharing.push_back(average(sharing.others));
    const std::size_t hops = fixing.machine().first(nodes);
    for (std::size_t at = 0; at < hops; ++at) ++found.routes[fixing.machine().channel(at)];
    found.load.push_back(static_cast<double>(hops) / static_cast<double>(found.routes.size()));
    const auto from_3n = [n](std::size_t value) { return value >= 3 * n; };
    found.delayed_packets += std::count_if(delays.begin(), delays.end(), from_3n);
    found.crowded_packets += std::count_if(sharing.others.begin(), sharing.others.end(), from_3n);
    found.delayed_runs += greatest(delays) > 3 * n ? 1 : 0;
    found.late_runs += outcome.steps > 4 * n ? 1 : 0;
    found.theorem.largest_delay = std::max(found.theorem.largest_delay, greatest(delays));
    found.theorem.largest_sharing =
        std::max(found.theorem.largest_sharing, greatest(sharing.others));
  }
  return found;
}

RandomPhases random_phases(const Section& parameters, bool permutations) {
  return random_phases(parameters.count("n"), parameters.count("runs"), parameters.count("seed"),
                       permutations);
}

double greatest_of(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

Figures one_phase(const Section& parameters) {
  const RandomPhases found = random_phases(parameters, draws_permutations(parameters));
  const std::size_t runs = found.steps.size();
  const std::size_t packets = runs << parameters.count("n");
  Figures figures{{{"packets", packets},
                   {"largest_T", greatest_of(found.steps)},
                   {"largest_C", greatest_of(found.congestion)},
                   {"largest_delay", found.theorem.largest_delay},
                   {"largest_S", found.theorem.largest_sharing}}};
  add_mean("mean_T", found.steps, figures.values);
  add_mean("mean_C", found.congestion, figures.values);
  add_mean("mean_delay", found.delay, figures.values);
  add_mean("mean_S", found.sharing, figures.values);
  add_count("delayed_packets", found.delayed_packets, packets, figures.values);
  add_count("crowded_packets", found.crowded_packets, packets, figures.values);
  add_count("delayed_runs", found.delayed_runs, runs, figures.values);
  add_count("late_runs", found.late_runs, runs, figures.values);
  return figures;
}

/// The pairs that use a link, and the loads of links over random phases.
Figures link_loads(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t runs = parameters.count("random_permutations");
  const RandomPhases found = random_phases(n, runs, parameters.count("seed"), true);
  Figures figures{figures_of_all_pairs(n)};
  figures.values.erase("mean");
  const auto [least, most] = std::minmax_element(found.routes.begin(), found.routes.end());
  figures.values["least_link"] = static_cast<double>(*least) / static_cast<double>(runs);
  figures.values["largest_link"] = static_cast<double>(*most) / static_cast<double>(runs);
  add_mean("mean", found.load, figures.values);
  return figures;
}

// The expected number of routes that meet a route.

/// The routes that have something in common: a link, or two links one after the other.
struct CommonUsers {
  std::vector<std::uint16_t> sources;
  std::vector<std::uint16_t> destinations;
};

/// The ordered pairs of elements that are equal, each with itself included.
std::size_t equal_pairs(std::vector<std::uint16_t> values) {
  std::sort(values.begin(), values.end());
  std::size_t pairs = 0;
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::upper_bound(first, values.end(), *first);
    pairs += static_cast<std::size_t>((end - first) * (end - first));
    first = end;
  }
  return pairs;
}

/// The ordered pairs of routes with different sources.
std::size_t pairs_among(const CommonUsers& users, bool permutations) {
  const std::size_t all = users.sources.size();
  const std::size_t of_other_sources = all * all - equal_pairs(users.sources);
  if (!permutations) return of_other_sources;
  // In a permutation the destinations differ as well; a route is equal to itself in both.
  return of_other_sources - equal_pairs(users.destinations) + all;
}

/// The exact mean of |S| over the sources. Common links of two routes follow one another, so the
/// pairs of routes with a common link are the pairs at all links less those at all successions of
/// two links.
double expected_overlap(std::size_t n, bool permutations) {
  BitFixing fixing(n);
  const std::size_t nodes = fixing.cube().node_count();
  std::vector<CommonUsers> of_links(nodes * n);
  std::vector<CommonUsers> of_successions(nodes * n * n);
  const auto add = [](CommonUsers& users, std::size_t from, std::size_t to) {
    users.sources.push_back(static_cast<std::uint16_t>(from));
    users.destinations.push_back(static_cast<std::uint16_t>(to));
  };
  for (std::size_t pair = 0; pair < nodes * nodes; ++pair) {
    const CubeRoute route = fixing.route(pair / nodes, pair % nodes);
    for (std::size_t at = 0; at < route.size(); ++at) {
      add(of_links[route[at]], pair / nodes, pair % nodes);
      if (at + 1 == route.size()) break;
      const std::size_t next = crossed_bit(fixing.cube(), route[at + 1]);
      add(of_successions[route[at] * n + next], pair / nodes, pair % nodes);
    }
  }
  std::size_t sharing = 0;
  for (const CommonUsers& users : of_links) sharing += pairs_among(users, permutations);
  for (const CommonUsers& users : of_successions) sharing -= pairs_among(users, permutations);
  const std::size_t destinations = nodes * (permutations ? nodes - 1 : nodes);
  return static_cast<double>(sharing) / static_cast<double>(nodes * destinations);
}

Figures overlap(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const auto nodes = static_cast<double>(std::size_t{1} << n);
  Figures figures{{{"independent_draws", expected_overlap(n, false)},
                   {"random_permutation", expected_overlap(n, true)}}};
  if (n <= kMostBitsOfPairs) {
    BitFixing fixing(n);
    const RoutePairs pairs = pairs_of_routes(all_routes(fixing), n, 0);
    figures.values["all_pairs"] =
        2 * static_cast<double>(pairs.share_from_other_sources) / (nodes * nodes * nodes);
  }
  add_mean("measured_draws", random_phases(parameters, false).sharing, figures.values);
  add_mean("measured_permutations", random_phases(parameters, true).sharing, figures.values);
  return figures;
}

// Two phases.

/// The most nodes for which the network is simulated too.
constexpr std::size_t kMostNodesRun = 256;

/// Adds the steps that the cycle-accurate network takes for the first run.
void add_network_steps(const Section& parameters, const std::string& permutation,
                       ordered_json& figures) {
  const ordered_json result = run_on_network(
      {{"topology", {{"kind", "hypercube"}, {"dimension", parameters.count("n")}}},
       {"router", {{"kind", "store_and_forward"}}},
       {"routing", {{"kind", "e_cube"}}},
       {"workload",
        {{"kind", "permutation"},
         {"permutation", permutation},
         {"algorithm", "two_phase"},
         {"intermediates", draws_permutations(parameters) ? "permutation" : "function"},
         {"intermediate_seed", parameters.count("seed")}}}});
  figures["network_steps"] = result.at("permutation").at("network_steps");
}

/// The packets that the phases lead from their sources to their destinations.
std::size_t delivered(const MovePlan& plan, const Instance& packets) {
  const Messages first = plan.phases.messages(0);
  const Messages second = plan.phases.messages(1);
  std::size_t count = 0;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const bool connected = first[p].from == packets[p].from && first[p].to == second[p].from;
    if (connected && second[p].to == packets[p].to) ++count;
  }
  return count;
}

Figures two_phases(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t runs = parameters.count("runs");
  const AlgorithmEntry& entry = *permutation_algorithms().find("two_phase");
  const Section workload =
      example_of(entry, "workload.algorithm",
                 fmt::format("intermediates: {}, intermediate_seed: {}",
                             draws_permutations(parameters) ? "permutation" : "function",
                             parameters.count("seed")));
  BitFixing fixing(n);
  const Instance packets = permutation_of(parameters);
  const std::vector<NodeId> ends = all_nodes(packets.size());
  std::vector<std::vector<double>> steps(3);  // Of phase 1, of phase 2, of both.
  std::size_t undelivered = 0;
  std::size_t late = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const MovePlan plan = entry.make(workload, {fixing.cube(), ends, packets, run});
    undelivered += packets.size() - delivered(plan, packets);
    for (std::size_t phase = 0; phase < 2; ++phase) {
      steps[phase].push_back(static_cast<double>(fixing.run(plan.phases.messages(phase)).steps));
    }
    steps[2].push_back(steps[0].back() + steps[1].back());
    if (steps[2].back() > static_cast<double>(8 * n)) ++late;
  }
  Figures figures{{{"runs", runs},
                   {"undelivered", undelivered},
                   {"first_run", steps[2].front()},
                   {"largest", greatest_of(steps[2])}}};
  add_mean("mean", steps[2], figures.values);
  add_mean("mean_T1", steps[0], figures.values);
  add_mean("mean_T2", steps[1], figures.values);
  add_count("late_runs", late, runs, figures.values);
  if (packets.size() <= kMostNodesRun) {
    add_network_steps(parameters, permutation_name(parameters), figures.values);
  }
  return figures;
}

}  // namespace

std::vector<Machine> hypercube_machines() {
  const Param runs = Param::integer("runs", "", "Runs, each with fresh random numbers.", 2, 10000)
                         .defaults_to(400);
  const Param seed = Param::integer("seed", "", "Of the first run.", 0, 1e9).defaults_to(1);
  const Param random_permutations =
      Param::integer("random_permutations", "", "Random permutations.", 0, 10000);
  const Param draws = Param::choice("draws", "The random destinations of the packets.",
                                    {"independent_draws", "random_permutations"});
  const Param discipline = Param::choice("discipline", "The order of queues.",
                                         {"fifo", "lifo", "farthest", "random"});
  const auto address = [](const char* key, const char* help) {
    return Param::text(key, help).defaults_to("0");
  };
  return {
      {"cube_copies", "A cube and its two copies.", {cube_dimension(0, 14)}, cube_copies},
      {"cube_neighbours",
       "The neighbours of a node.",
       {cube_dimension(1, 16), address("v", "The node's address.")},
       cube_neighbours},
      {"cube_pairs", "The routes of all pairs.", {cube_dimension(1, 10)}, all_pairs},
      {"cube_addresses",
       "The addresses of a packet on its way.",
       {cube_dimension(1, 10), address("from", "The source."), address("to", "The destination.")},
       addresses_on_the_way},
      {"cube_meetings",
       "Pairs of routes.",
       {cube_dimension(1, 9),
        Param::integer("samples", "", "Pairs tried where n is above 5.", 1, 1e7)
            .defaults_to(500000)},
       meetings},
      {"cube_permutation",
       "A permutation by bit fixing.",
       {cube_dimension(1, 16), cube_permutation(), discipline},
       one_permutation},
      {"cube_worst", "The worst permutation on cubes.", {cube_dimension(1, 16)}, worst_of_cubes},
      {"cube_queue",
       "Packets that reach a node at once.",
       {Param::integer("n", "", "Bits of an address; 0: one more than packets.", 0, 12)
            .defaults_to(0),
        Param::integer("packets", "", "Packets.", 1, 11)},
       packets_at_once},
      {"cube_delays",
       "Delays and shared links.",
       {cube_dimension(1, 12), cube_permutation({"all_permutations"}), discipline,
        Param(random_permutations).defaults_to(100), seed},
       delays},
      {"cube_phase",
       "Phases to random destinations.",
       {cube_dimension(1, 12), runs, seed, draws},
       one_phase},
      {"cube_loads",
       "The routes over links.",
       {cube_dimension(1, 10), Param(random_permutations).defaults_to(200), seed},
       link_loads},
      {"cube_overlap",
       "The expected number of routes that meet a route.",
       {cube_dimension(1, 10), runs, seed},
       overlap},
      {"cube_two_phase",
       "Two phases over random nodes.",
       {cube_dimension(1, 12), cube_permutation(), runs, seed, draws},
       two_phases},
  };
}

}  // namespace flitcast::claims
