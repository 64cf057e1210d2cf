// SPDX-License-Identifier: Apache-2.0
// Machines for document 002, "Routing in a Parallel Computer": bit fixing on hypercubes. Addresses
// are written, and bits are fixed, from the leftmost bit on.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
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
#include "sim/claims/statement.h"
#include "sim/claims/trials.h"
#include "sim/results/drawing.h"
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
  if (text.size() > n || text.find_first_not_of("01") != text.npos) {
    parameters.fail(key, fmt::format("\"{}\" is no address of n = {} bits", text, n),
                    fmt::format("write at most {} zeros and ones, or set n", n));
  }
  return text.empty() ? 0 : std::stoul(text, nullptr, 2);
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

/// A cube with its addresses.
/// @param colours  By channel; an edge is black where both of its channels are.
std::string cube_drawing(const Hypercube& cube, const std::vector<std::size_t>& colours,
                         const std::string& title) {
  Drawing drawing;
  for (std::size_t c = 0; c < colours.size(); ++c) {
    const Channel& channel = cube.channels()[c];
    if (colours[c] == Drawing::kInk && channel.from.router > channel.to.router) continue;
    drawing.line(corner(index(channel.from.router)), corner(index(channel.to.router)), colours[c]);
  }
  for (std::size_t v = 0; v < cube.node_count(); ++v) {
    drawing.node(corner(v), address_text(v, cube.dimension()));
  }
  return drawing.svg(title);
}

/// The nodes and edges of a cube, and those of its halves by the leftmost bit, of which each has to
/// be a cube of one dimension less.
Figures cube_copies(const Section& parameters) {
  using Links = std::set<std::pair<std::size_t, std::size_t>>;
  const std::size_t n = parameters.count("n");
  const Hypercube cube(n);
  const Hypercube smaller(n == 0 ? 0 : n - 1);
  const std::size_t half = smaller.node_count();
  Links copies[2];
  Links joined;
  for (const Channel& channel : cube.channels()) {
    const std::size_t from = index(channel.from.router);
    const std::size_t to = index(channel.to.router);
    const bool inside = from / half == to / half;
    (inside ? copies[from / half] : joined).insert({from % half, to % half});
  }
  Links edges;
  for (const Channel& channel : smaller.channels()) {
    edges.insert({index(channel.from.router), index(channel.to.router)});
  }
  const bool corresponds = std::all_of(joined.begin(), joined.end(),
                                       [](auto link) { return link.first == link.second; });
  Figures figures{
      {{"nodes", cube.node_count()},
       {"edges", cube.channels().size() / 2},
       {"copy_edges", edges.size() / 2},
       {"joined", joined.size()},
       {"as_stated", n == 0 || (corresponds && copies[0] == edges && copies[1] == edges)}}};
  if (n > kMostBitsDrawn) return figures;
  std::vector<std::size_t> colours;
  for (const Channel& channel : cube.channels())
    colours.push_back(index(channel.from.port) == n - 1 ? 1 : 0);
  figures.drawings.push_back(cube_drawing(cube, colours, cube.name()));
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
Figures all_pairs(const Section& parameters) {
  const std::size_t n = parameters.count("n");
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
  return {{{"pairs", pairs},
           {"hops", hops},
           {"distance", distance},
           {"mean", static_cast<double>(hops) / static_cast<double>(pairs)},
           {"violations", violations},
           {"links", uses.size()},
           {"uses", *std::max_element(uses.begin(), uses.end())},
           {"least_uses", *std::min_element(uses.begin(), uses.end())}}};
}

// Routes.

/// The addresses of a packet before the first bit and after every bit of the address.
using Addresses = std::vector<std::size_t>;

Addresses addresses_on(BitFixing& fixing, std::size_t from, std::size_t to) {
  const CubeRoute route = fixing.route(from, to);
  Addresses addresses{from};
  std::size_t next = 0;
  for (std::size_t bit = fixing.cube().dimension(); bit-- > 0;) {
    const bool moves = next < route.size() && crossed_bit(fixing.cube(), route[next]) == bit;
    addresses.push_back(moves ? index(fixing.cube().channels()[route[next++]].to.router)
                              : addresses.back());
  }
  return addresses;
}

/// True if an address has the first k of n bits of one address and the others of another one.
bool is_between(std::size_t address, std::size_t first, std::size_t others, std::size_t rest) {
  return address >> rest == first >> rest &&
         ((address ^ others) & ((std::size_t{1} << rest) - 1)) == 0;
}

/// What all pairs of routes show.
struct RoutePairs {
  std::size_t pairs = 0;
  std::size_t share = 0;              ///< Pairs with a common link.
  std::size_t share_from_others = 0;  ///< Those among them with different sources.
  std::size_t violations = 0;         ///< Pairs that come together again.
  std::size_t wrong_meetings = 0;     ///< Nodes that the bits of both pairs do not explain.

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
    share += together ? 1 : 0;
    share_from_others += together && one[0] != other[0] ? 1 : 0;
    violations += again ? 1 : 0;
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

std::vector<Addresses> all_routes(BitFixing& fixing) {
  std::vector<Addresses> routes;
  for (std::size_t from = 0; from < fixing.cube().node_count(); ++from) {
    for (std::size_t to = 0; to < fixing.cube().node_count(); ++to) {
      routes.push_back(addresses_on(fixing, from, to));
    }
  }
  return routes;
}

/// The routes from 10..0 and from 0 that come together at the first bit and part at the last.
std::string drawing_of_meeting(BitFixing& fixing) {
  const std::size_t last = fixing.cube().node_count() - 1;
  std::vector<std::size_t> colours(fixing.cube().channels().size(), Drawing::kInk);
  for (const std::uint32_t channel : fixing.route(last / 2 + 1, last)) colours[channel] = 0;
  for (const std::uint32_t channel : fixing.route(0, last - 1)) {
    colours[channel] = colours[channel] == 0 ? 2 : 1;
  }
  return cube_drawing(fixing.cube(), colours, "Two routes and, in a third colour, their links");
}

Figures routes(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  BitFixing fixing(n);
  std::vector<std::string> shown;
  for (const std::size_t at :
       addresses_on(fixing, address_in(parameters, "from"), address_in(parameters, "to"))) {
    shown.push_back(address_text(at, n));
  }
  const std::vector<Addresses> routes = all_routes(fixing);
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
  if (n > 1 && n <= kMostBitsDrawn) figures.drawings.push_back(drawing_of_meeting(fixing));
  return figures;
}

// Permutations.

/// The parameter `permutation`.
Param cube_permutation(const std::vector<std::string>& further = {}) {
  std::vector<std::string> names{"worst",       "transpose",
                                 "bit_reverse", "transpose_with_the_middle_bit_flipped",
                                 "shuffle",     "transpose_midflip"};
  names.insert(names.end(), further.begin(), further.end());
  return Param::choice("permutation", "Where packets go.", names);
}

/// Its name in experiments. The worst one for bit fixing is the transpose, for an odd number of
/// bits with the middle bit flipped.
std::string permutation_name(const Section& parameters) {
  const std::string& name = parameters.text("permutation");
  const bool is_odd = parameters.count("n") % 2 != 0;
  if (name == "worst") return is_odd ? "transpose_midflip" : "transpose";
  return name == "transpose_with_the_middle_bit_flipped" ? "transpose_midflip" : name;
}

Instance permutation_of(const Section& parameters) {
  InstanceContext context;
  context.grid.assign(parameters.count("n"), 2);
  context.network = "the cube";
  context.is_cube = true;
  return make_instance(
      read_section("workload", {permutation_param()},
                   "{permutation: " + permutation_name(parameters) + "}", "parameters"),
      context);
}

/// The packets that share a link with each packet of the machine's last phase, and the sums of the
/// loads of its links, on which the packet itself counts.
struct LinkSharing {
  std::vector<std::size_t> others;
  std::vector<std::size_t> loads;
  std::vector<std::size_t> of_links;
};

LinkSharing sharing_in(const BitFixing& fixing, std::size_t packets) {
  const StepMachine& machine = fixing.machine();
  std::vector<std::vector<std::size_t>> users(fixing.cube().channels().size());
  LinkSharing sharing{std::vector<std::size_t>(packets), std::vector<std::size_t>(packets), {}};
  for (std::size_t p = 0; p < packets; ++p) {
    for (std::size_t at = machine.first(p); at < machine.first(p + 1); ++at) {
      users[machine.channel(at)].push_back(p);
    }
  }
  for (const auto& of_link : users) sharing.of_links.push_back(of_link.size());
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

/// What the step machine measures in phases on one cube.
class PhaseRuns {
 public:
  explicit PhaseRuns(std::size_t n) : n_(n), load_((std::size_t{1} << n) * n) {}

  void add(BitFixing& fixing, const Instance& packets) {
    const PhaseOutcome outcome = fixing.run(packets);
    const LinkSharing sharing = sharing_in(fixing, packets.size());
    const Values delays(outcome.delays.begin(), outcome.delays.end());
    sample("T", {outcome.steps});
    sample("C", {outcome.congestion});
    sample("queue", {outcome.max_queue});
    sample("delay", delays);
    sample("S", sharing.others);
    sample("sum_T", sharing.loads);
    sample("load", sharing.of_links);
    count("late_runs", outcome.steps > 4 * n_ ? 1 : 0, 1);
    count("delayed_runs", *std::max_element(delays.begin(), delays.end()) > 3 * n_ ? 1 : 0, 1);
    const auto count_where = [&](const std::string& name, const auto& happens) {
      std::size_t events = 0;
      for (std::size_t p = 0; p < delays.size(); ++p) {
        events += happens(delays[p], sharing.others[p], sharing.loads[p]) ? 1 : 0;
      }
      count(name, events, delays.size());
    };
    const std::size_t limit = 3 * n_;
    count_where("delayed_packets", [=](auto delay, auto, auto) { return delay >= limit; });
    count_where("crowded_packets", [=](auto, auto others, auto) { return others >= limit; });
    count_where("violations", [](auto delay, auto others, auto) { return delay > others; });
    count_where("above_loads", [](auto, auto others, auto loads) { return others > loads; });
    for (std::size_t p = 0; p < delays.size(); ++p) {
      if (delays[p] > 0 && delays[p] == sharing.others[p]) ++reached_;
    }
    for (std::size_t c = 0; c < load_.size(); ++c) load_[c] += sharing.of_links[c];
  }

  bool is_empty() const { return samples_.empty(); }

  ordered_json figures() const {
    ordered_json figures{{"runs", samples_.at("T").size()}};
    for (const auto& [name, means] : samples_) {
      figures["largest_" + name] = largest_.at(name);
      add_mean("mean_" + name, means, figures);
    }
    figures["packets"] = counts_.at("violations").second;
    figures["delays_equal_to_S"] = reached_;
    for (const auto& [name, count] : counts_) add_count(name, count.first, count.second, figures);
    const auto [least, most] = std::minmax_element(load_.begin(), load_.end());
    const auto runs = static_cast<double>(samples_.at("T").size());
    figures["least_link"] = static_cast<double>(*least) / runs;
    figures["largest_link"] = static_cast<double>(*most) / runs;
    figures["busiest_link"] = most - load_.begin();
    return figures;
  }

 private:
  using Values = std::vector<std::size_t>;

  void sample(const std::string& name, const Values& values) {
    samples_[name].push_back(mean_of({values.begin(), values.end()}));
    largest_[name] = std::max(largest_[name], *std::max_element(values.begin(), values.end()));
  }
  void count(const std::string& name, std::size_t events, std::size_t trials) {
    counts_[name].first += events;
    counts_[name].second += trials;
  }

  std::size_t n_;
  std::map<std::string, std::vector<double>> samples_;  // By figure: the mean of every run.
  std::map<std::string, std::size_t> largest_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts_;  // Events and trials.
  std::size_t reached_ = 0;  // Delayed packets whose delay is as long as the theorem allows.
  Values load_;              // By channel: its routes in all runs.
};

void add_random(BitFixing& fixing, const Section& parameters, const std::string& count,
                PhaseRuns& runs) {
  const auto draw = count == "runs" ? random_function : random_permutation;
  for (std::size_t run = 0; run < parameters.count(count); ++run) {
    runs.add(fixing, instance_of(draw(parameters.count("seed") + run, fixing.cube().node_count())));
  }
}

void add_all_permutations(BitFixing& fixing, PhaseRuns& runs) {
  DestinationTable table = all_nodes(fixing.cube().node_count());
  do runs.add(fixing, instance_of(table));
  while (std::next_permutation(table.begin(), table.end()));
}

/// Phases to the destinations of a permutation, or of all, of random ones, and of independent
/// draws.
Figures phases(const Section& parameters) {
  const std::string& permutation = parameters.text("permutation");
  const std::size_t n = parameters.count("n");
  BitFixing fixing(n, parameters.text("discipline"), parameters.count("seed"));
  PhaseRuns runs(n);
  if (permutation != "all_permutations") {
    if (permutation != "none") runs.add(fixing, permutation_of(parameters));
    add_random(fixing, parameters, "random_permutations", runs);
    add_random(fixing, parameters, "runs", runs);
  } else if (n <= 3) {
    add_all_permutations(fixing, runs);
  } else {
    parameters.fail("permutation", "a cube of more than 3 dimensions has too many permutations",
                    "choose one of them, or n of at most 3");
  }
  if (runs.is_empty()) parameters.fail("runs", "there is no phase", "use runs of at least 1");
  Figures figures{runs.figures()};
  const Channel& busiest = fixing.cube().channels()[figures.values.at("busiest_link")];
  figures.values["busiest_link"] =
      address_text(index(busiest.from.router), n) + "-" + address_text(index(busiest.to.router), n);
  return figures;
}

/// Phases, and the pairs that use a link.
Figures link_loads(const Section& parameters) {
  Figures figures = all_pairs(parameters);
  figures.values.update(phases(parameters).values);
  return figures;
}

/// C and T of the worst permutation, for n and for a table of cubes.
Figures worst_of_cubes(const Section& parameters) {
  const auto outcome = [](std::size_t n) {
    const auto permute = n % 2 == 0 ? transpose : transpose_midflip;
    return BitFixing(n).run(instance_of(permute(std::size_t{1} << n)));
  };
  const PhaseOutcome own = outcome(parameters.count("n"));
  Figures figures{{{"C", own.congestion}, {"T", own.steps}}};
  for (std::size_t n = 4; n <= 12; ++n) {
    const PhaseOutcome of_table = outcome(n);
    figures.values["table_n"].push_back(n);
    figures.values["table_C"].push_back(of_table.congestion);
    figures.values["table_T"].push_back(of_table.steps);
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
  BitFixing fixing(n);
  std::set<std::vector<std::uint32_t>> delays;  // Of all nodes.
  std::size_t longest = 0;
  for (std::size_t node = 0; node < fixing.cube().node_count(); ++node) {
    Instance instance;
    for (std::size_t bit = 1; bit <= packets; ++bit) {
      instance.push_back({to_id<NodeId>(node ^ std::size_t{1} << bit), to_id<NodeId>(node ^ 1)});
    }
    const PhaseOutcome outcome = fixing.run(instance);
    delays.insert(outcome.delays);
    longest = std::max(longest, outcome.max_queue);
  }
  // They arrive in step T = 1, and leave in the step in which they reach the next node.
  ordered_json leave = ordered_json::array();
  for (const std::uint32_t delay : *delays.begin()) leave.push_back(1 + delay);
  return {{{"leave", leave},
           {"delays", *delays.begin()},
           {"longest_queue", longest},
           {"nodes", fixing.cube().node_count()},
           {"orders", delays.size()}}};
}

// The expected number of routes that meet a route.

/// The exact mean of |S| over sources and destinations, for independent draws and for random
/// permutations, where no two destinations are equal. All sources see the same, so it is that of
/// source 0. Common links of two routes follow one another: the pairs of routes with a common link
/// are the pairs at all links less those at all successions of two links.
std::pair<double, double> expected_overlap(std::size_t n) {
  BitFixing fixing(n);
  const std::size_t nodes = fixing.cube().node_count();
  const auto for_each_part = [&](std::size_t from, std::size_t to, const auto& visit) {
    const CubeRoute route = fixing.route(from, to);
    for (std::size_t at = 0; at < route.size(); ++at) {
      visit(route[at] * n + crossed_bit(fixing.cube(), route[at]), 1);
      if (at > 0) visit(route[at - 1] * n + crossed_bit(fixing.cube(), route[at]), -1);
    }
  };
  std::vector<std::int64_t> from_others(nodes * n * n);  // By link and the bit of the next link.
  std::int64_t of_equal_destinations = 0;
  for (std::size_t to = 0; to < nodes; ++to) {
    const Addresses own = addresses_on(fixing, 0, to);
    for (std::size_t from = 1; from < nodes; ++from) {
      for_each_part(from, to, [&](std::size_t part, int) { ++from_others[part]; });
      RoutePairs pair;
      pair.add(own, addresses_on(fixing, from, to));
      of_equal_destinations += static_cast<std::int64_t>(pair.share);
    }
  }
  std::int64_t sharing = 0;
  for (std::size_t to = 0; to < nodes; ++to) {
    for_each_part(0, to, [&](std::size_t part, int sign) { sharing += sign * from_others[part]; });
  }
  const auto pairs = static_cast<double>(nodes * nodes);
  return {
      static_cast<double>(sharing) / pairs,
      static_cast<double>(sharing - of_equal_destinations) / (pairs - static_cast<double>(nodes))};
}

Figures overlap(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  BitFixing fixing(n);
  const auto [draws, permutations] = expected_overlap(n);
  Figures figures{{{"independent_draws", draws}, {"random_permutation", permutations}}};
  if (n <= kMostBitsOfPairs) {
    const RoutePairs pairs = pairs_of(all_routes(fixing), 0);
    figures.values["all_pairs"] =
        2 * static_cast<double>(pairs.share_from_others) / std::pow(8, static_cast<double>(n));
  }
  for (const char* count : {"runs", "random_permutations"}) {
    PhaseRuns runs(n);
    add_random(fixing, parameters, count, runs);
    const ordered_json measured = runs.figures();
    figures.values["measured"].push_back(measured.at("mean_S"));
    figures.values["half_widths"].push_back(measured.at("mean_S_half_width"));
  }
  return figures;
}

// Two phases.

/// The most nodes for which the network is simulated too.
constexpr std::size_t kMostNodesRun = 256;

/// Adds the steps that the cycle-accurate network takes for the first run.
void add_network_steps(std::size_t n, ordered_json workload, ordered_json& figures) {
  workload["kind"] = "permutation";
  const ordered_json result =
      run_on_network({{"topology", {{"kind", "hypercube"}, {"dimension", n}}},
                      {"router", {{"kind", "store_and_forward"}}},
                      {"routing", {{"kind", "e_cube"}}},
                      {"workload", workload}});
  figures["network_steps"] = result.at("permutation").at("network_steps");
}

/// The packets that a plan leads from their sources to their destinations.
std::size_t delivered(const Schedule& phases, const Instance& packets) {
  const Messages first = phases.messages(0);
  const Messages second = phases.messages(1);
  std::size_t count = 0;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const bool goes_on = first[p].from == packets[p].from && first[p].to == second[p].from;
    if (goes_on && second[p].to == packets[p].to) ++count;
  }
  return count;
}

Figures two_phases(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const bool permutations = parameters.text("draws") == "random_permutations";
  const ordered_json keys{{"permutation", permutation_name(parameters)},
                          {"algorithm", "two_phase"},
                          {"intermediates", permutations ? "permutation" : "function"},
                          {"intermediate_seed", parameters.count("seed")}};
  const Section workload =
      read_section("workload", permutation_params(), keys.dump(), "parameters");
  const AlgorithmEntry& entry = *permutation_algorithms().find("two_phase");
  BitFixing fixing(n);
  const Instance packets = permutation_of(parameters);
  const std::vector<NodeId> ends = all_nodes(packets.size());
  std::vector<double> steps[3];  // Of the first phase, of the second, of both.
  std::size_t undelivered = 0;
  std::size_t late = 0;
  for (std::size_t run = 0; run < parameters.count("runs"); ++run) {
    const Schedule phases = entry.make(workload, {fixing.cube(), ends, packets, run}).phases;
    undelivered += packets.size() - delivered(phases, packets);
    const std::size_t first = fixing.run(phases.messages(0)).steps;
    const std::size_t second = fixing.run(phases.messages(1)).steps;
    steps[0].push_back(static_cast<double>(first));
    steps[1].push_back(static_cast<double>(second));
    steps[2].push_back(static_cast<double>(first + second));
    if (first + second > 8 * n) ++late;
  }
  Figures figures{{{"undelivered", undelivered},
                   {"first_run", steps[2].front()},
                   {"largest", *std::max_element(steps[2].begin(), steps[2].end())}}};
  add_mean("mean", steps[2], figures.values);
  add_mean("mean_T1", steps[0], figures.values);
  add_mean("mean_T2", steps[1], figures.values);
  add_count("late_runs", late, steps[2].size(), figures.values);
  if (packets.size() <= kMostNodesRun) add_network_steps(n, keys, figures.values);
  return figures;
}

}  // namespace

std::vector<Machine> hypercube_machines() {
  const auto count = [](const char* key, double least, int fallback) {
    return Param::integer(key, "", "How many.", least, 100000).defaults_to(fallback);
  };
  const auto address = [](const char* key) {
    return Param::text(key, "An address.").defaults_to("0");
  };
  const Param seed = Param::integer("seed", "", "Of the first run.", 0, 1e9).defaults_to(1);
  const Param draws = Param::choice("draws", "The intermediate nodes.",
                                    {"independent_draws", "random_permutations"});
  const Param discipline =
      Param::choice("discipline", "The order of queues.", {"fifo", "lifo", "farthest", "random"});
  const std::vector<Param> of_phases{cube_dimension(1, 12),
                                     cube_permutation({"all_permutations", "none"}),
                                     discipline,
                                     count("random_permutations", 0, 0),
                                     count("runs", 0, 0),
                                     seed};
  const std::vector<Param> of_routes{cube_dimension(1, 9), address("from"), address("to"),
                                     count("samples", 1, 100000)};
  const std::vector<Param> of_overlap{cube_dimension(1, 10), count("runs", 2, 400),
                                      count("random_permutations", 2, 400), seed};
  const std::vector<Param> of_two_phases{cube_dimension(1, 12), cube_permutation(),
                                         count("runs", 2, 400), seed, draws};
  const std::vector<Param> of_queue{
      Param::integer("n", "", "Bits; 0: one more than packets.", 0, 12).defaults_to(0),
      Param::integer("packets", "", "Packets.", 1, 11)};
  return {
      {"cube_copies", "A cube and its two copies.", {cube_dimension(0, 14)}, cube_copies},
      {"cube_neighbours", "Neighbours.", {cube_dimension(1, 16), address("v")}, cube_neighbours},
      {"cube_pairs", "The routes of all pairs.", {cube_dimension(1, 10)}, all_pairs},
      {"cube_routes", "Addresses on routes, and pairs of routes.", of_routes, routes},
      {"cube_phases", "Phases by bit fixing.", of_phases, phases},
      {"cube_loads", "Phases by bit fixing, and all pairs.", of_phases, link_loads},
      {"cube_worst", "The worst permutation on cubes.", {cube_dimension(1, 16)}, worst_of_cubes},
      {"cube_queue", "Packets that reach a node at once.", of_queue, packets_at_once},
      {"cube_overlap", "The routes that meet a route.", of_overlap, overlap},
      {"cube_two_phase", "Two phases over random nodes.", of_two_phases, two_phases},
  };
}

}  // namespace flitcast::claims
