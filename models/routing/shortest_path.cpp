// SPDX-License-Identifier: Apache-2.0
#include "routing/shortest_path.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/sequences.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/routing_table.h"
#include "routing/vc_share.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

using Distances = std::vector<std::uint32_t>;  // In channels.

/// Finds the channels of shortest paths to a router.
class PathFinder {
 public:
  explicit PathFinder(const Topology& topology)
      : topology_(topology), adjacency_(topology), arriving_(topology.router_count()) {
    for (const Channel& channel : topology.channels()) {
      arriving_[index(channel.to.router)].push_back(channel);
    }
  }

  /// The channels that arrive at a router.
  const std::vector<Channel>& arriving(std::uint32_t router) const { return arriving_[router]; }

  Distances distances_to(RouterId end) const {
    return count_steps({index(end)}, arriving_.size(), [&](std::uint32_t router, auto&& lead) {
      for (const Channel& channel : arriving(router)) lead(index(channel.from.router));
    });
  }

  /// The lowest output whose channel is on a path: on_path(channel); 0 if there is none.
  template <class OnPath>
  std::uint8_t lowest_output(RouterId router, const OnPath& on_path) const {
    for (const PortId port : topology_.outputs(router)) {
      const std::uint32_t c = adjacency_.leaving(router, port);
      if (c == Adjacency::kNone || !on_path(topology_.channels()[c])) continue;
      return static_cast<std::uint8_t>(index(port));
    }
    return 0;
  }

  /// Lists for every output of every router the router that it leads to, or kUnreached.
  /// @param first  Per router, and for one more, the index of output 0 in the list.
  void list_neighbours(std::vector<std::size_t>& first, std::vector<std::uint32_t>& next) const {
    for (const RouterId router : topology_.routers()) {
      first.push_back(next.size());
      for (const PortId port : topology_.outputs(router)) {
        const std::uint32_t c = adjacency_.leaving(router, port);
        next.push_back(c == Adjacency::kNone ? kUnreached
                                             : index(topology_.channels()[c].to.router));
      }
    }
    first.push_back(next.size());
  }

 private:
  const Topology& topology_;
  const Adjacency adjacency_;
  std::vector<std::vector<Channel>> arriving_;  // Per router.
};

void check_table_size(const Topology& topology) {
  if (topology.router_count() > ShortestPath::kMaxEntries / topology.node_count()) {
    throw std::invalid_argument("the routing table would exceed kMaxEntries");
  }
  for (const RouterId router : topology.routers()) {
    if (topology.output_count(router) > 256) {
      throw std::invalid_argument("a router has more outputs than a table entry can name");
    }
  }
}

/// The largest distance of a node.
std::size_t longest_from_nodes(const Topology& topology, const Distances& distance) {
  const auto longest = largest_of<std::uint32_t>(topology.nodes(), [&](NodeId node) {
    return distance[index(topology.attachment(node).injection.router)];
  });
  if (longest == kUnreached) throw std::invalid_argument("a node cannot reach another");
  return longest;
}

/// The inputs at which channels end for which a condition holds.
template <class Condition>
InputBits inputs_behind(const Topology& topology, const Condition& condition) {
  InputBits inputs = mapped(topology.routers(), [&](RouterId router) {
    return std::vector<bool>(topology.input_count(router));
  });
  for (const Channel& channel : topology.channels()) {
    inputs[index(channel.to.router)][index(channel.to.port)] = condition(channel);
  }
  return inputs;
}

}  // namespace

ShortestPath::ShortestPath(const Topology& topology, const Params& params)
    : OnAllVcs(vc_range(0, params.virtual_channels)),
      params_(params),
      nodes_(topology.node_count()),
      from_link_(inputs_behind(topology, [](const Channel&) { return true; })) {
  check_table_size(topology);
  fill_tables(topology);
  for (std::size_t c = 0; c < longest_; ++c) {
    for (const VcId vc : EachVc(vc_share(c, longest_, params.virtual_channels))) {
      behind_[index(vc)] = vc_share(c + 1, longest_, params.virtual_channels);
    }
  }
}

void ShortestPath::fill_tables(const Topology& topology) {
  const std::size_t routers = topology.router_count();
  const PathFinder finder(topology);
  if (params_.spread) {
    distances_.reserve(routers * nodes_);
    finder.list_neighbours(first_output_, next_);
  } else {
    outputs_.resize(routers * nodes_);
  }
  for (const NodeId node : topology.nodes()) {
    const Endpoint ejection = topology.attachment(node).ejection;
    homes_.push_back(ejection);
    const Distances distance = finder.distances_to(ejection.router);
    longest_ = std::max(longest_, longest_from_nodes(topology, distance));
    if (params_.spread) {
      distances_.insert(distances_.end(), distance.begin(), distance.end());
      continue;
    }
    for (const RouterId router : topology.routers()) {
      const std::uint32_t hops = distance[index(router)];
      // The packet is at its end, or no packet for the node reaches this router.
      if (hops == 0 || hops == kUnreached) continue;
      outputs_[index(router) * nodes_ + index(node)] = finder.lowest_output(
          router,
          [&](const Channel& channel) { return distance[index(channel.to.router)] == hops - 1; });
    }
  }
}

Route ShortestPath::route(const RouteRequest& request) const {
  const Endpoint& home = this->home(request.destination);
  if (request.router == home.router) return {home.port, all_};
  const std::size_t entry = index(request.router) * nodes_ + index(request.destination);
  return {params_.spread ? drawn_output(request) : PortId{outputs_[entry]},
          params_.by_distance ? class_of(request) : all_};
}

// Consecutive numbers take all outputs in turn, from one that differs by router and destination, so
// that the outputs of successive routers do not depend on each other.
PortId ShortestPath::drawn_output(const RouteRequest& request) const {
  std::array<PortId, 256> minimal;
  std::size_t count = 0;
  for_each_minimal(request, [&](PortId output) { minimal[count++] = output; });
  const std::uint64_t place =
      std::uint64_t{index(request.router)} << 32 | index(request.destination);
  Random turn = Random::stream(place, request.route_field / count);
  return minimal[(request.route_field + turn.below(count)) % count];
}

VcSet ShortestPath::class_of(const RouteRequest& request) const {
  return from_link(request) ? behind_[index(request.vc)]
                            : vc_share(0, longest_, params_.virtual_channels);
}

AdaptiveShortestPath::AdaptiveShortestPath(const Topology& topology, std::size_t virtual_channels,
                                           std::unique_ptr<const Routing> escape,
                                           std::size_t escape_vcs, OutputSelection selection)
    : ShortestPath(topology, Params{virtual_channels, false, true}),
      escape_(std::move(escape)),
      escape_vcs_(vc_range(0, escape_vcs)),
      selection_(selection) {}

void AdaptiveShortestPath::alternatives(const RouteRequest& request,
                                        Alternatives& alternatives) const {
  const Endpoint& home = this->home(request.destination);
  if (request.router == home.router) return alternatives.add({home.port, 0, all_});
  const Route escape = escape_->route(request);
  alternatives.add({escape.output, 0, escape.vcs});
  if (from_link(request) && (escape_vcs_ >> index(request.vc) & 1) != 0) return;
  for_each_minimal(request, [&](PortId output) {
    alternatives.add({output, 0, all_ & ~escape_vcs_, 1, false});
  });
}

namespace {

/// "choose dimension_order or o1turn, or another topology".
std::string instead_of_shortest_path(const Topology& topology) {
  const std::string others = algorithms_for(topology, "shortest_path");
  return "choose " + (others.empty() ? "" : others + ", or ") + "another topology";
}

// Without classes the paths treat all VCs alike, so an analysis with one VC shows if they can
// deadlock with any number.
void refuse_cycles(const Section& section, const Topology& topology, ShortestPath::Params params) {
  params.virtual_channels = 1;
  const DependencyCheck check = check_dependencies(topology, ShortestPath(topology, params), 1);
  if (check.acyclic()) return;
  section.fail("kind", cyclic_dependency(check.cycle),
               "write vc_classes: by_distance, " + instead_of_shortest_path(topology) +
                   ", or run anyway with --unsafe");
}

std::unique_ptr<Routing> make_up_down_from(std::size_t root, const Section& section,
                                           const RoutingContext& context) {
  try {
    return std::make_unique<UpDown>(context.topology, to_id<RouterId>(root),
                                    context.virtual_channels);
  } catch (const std::invalid_argument& error) {
    section.fail("kind", std::string("up_down on ") + context.topology.name() + ": " + error.what(),
                 "use a network whose links lead both ways, or choose " +
                     algorithms_for(context.topology, "up_down"));
  }
}

bool links_lead_both_ways(const Topology& topology) {
  std::set<std::pair<RouterId, RouterId>> joined;
  for (const Channel& c : topology.channels()) joined.emplace(c.from.router, c.to.router);
  return all_of(joined, [&](const auto& ends) {
    return joined.count({ends.second, ends.first}) != 0;
  });
}

// The first router with links; router 0 if no router has any.
std::size_t first_with_links(const Topology& topology) {
  std::size_t first = topology.router_count();
  for (const Channel& c : topology.channels()) {
    first = std::min<std::size_t>(first, index(c.from.router));
  }
  return first % topology.router_count();
}

// Packets enter the escape channels at any router, from any channel.
std::unique_ptr<const Routing> make_escape(const Section& section, const RoutingContext& context) {
  if (!section.has("escape_table")) {
    if (links_lead_both_ways(context.topology)) {
      return make_up_down_from(first_with_links(context.topology), section, context);
    }
    section.fail("tie", "adaptive paths escape by up_down, which needs links that lead both ways",
                 "name a routing table as routing.escape_table, or choose spread");
  }
  auto table = std::make_unique<RoutingTable>(
      read_routing_table(section.path("escape_table"), context.topology, context.virtual_channels,
                         OutputSelection::kFreeCredits, true));
  if (!table->adaptive() && table->most_choices() == 1 && !table->reads_arrival()) return table;
  section.fail("escape_table", "an escape channel depends on router and destination only",
               "leave out the columns input, vc, weight and priority");
}

std::unique_ptr<Routing> make_adaptive(const Section& section, RoutingContext context) {
  const std::size_t vcs = context.virtual_channels;
  const std::size_t escape_vcs = section.count("escape_vcs");
  context.unsafe = false;  // Without both kinds of channels there is nothing to choose from.
  require_vcs(context, escape_vcs + 1, "adaptive paths have escape channels of their own");
  context.virtual_channels = escape_vcs;
  return std::make_unique<AdaptiveShortestPath>(
      context.topology, vcs, make_escape(section, context), escape_vcs, selection_of(section));
}

std::unique_ptr<Routing> make_shortest_path(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  if (topology.router_count() > ShortestPath::kMaxEntries / topology.node_count()) {
    section.fail(
        "kind", "the table of shortest_path would have more than 2^28 entries",
        instead_of_shortest_path(topology) + " with routers times nodes of at most 268435456");
  }
  if (section.text("tie") == "adaptive") return make_adaptive(section, context);
  const ShortestPath::Params params{context.virtual_channels,
                                    section.text("vc_classes") == "by_distance",
                                    section.text("tie") == "spread"};
  if (!params.by_distance && !context.unsafe) refuse_cycles(section, topology, params);
  auto routing = std::make_unique<ShortestPath>(topology, params);
  if (params.by_distance) {
    require_vcs(context, routing->longest(), "each hop has virtual channels of its own");
  }
  return routing;
}

RoutingEntry shortest_path() {
  std::vector<Param> keys{
      Param::choice("tie",
                    "Where several outputs begin a shortest path: the lowest, spread over all of "
                    "them by a number that the source draws, or adaptive, any that is open.",
                    {"lowest", "spread", "adaptive"})
          .dumped_if_changed(),
      Param::choice("vc_classes",
                    "none: any VC, refused where packets can deadlock; by_distance: on each "
                    "hop VCs of its own, as many classes as the longest path has hops.",
                    {"none", "by_distance"})
          .dumped_if_changed()};
  keys[1].when = {"tie", {"lowest", "spread"}};
  append(keys,
         only_while(
             "tie", "adaptive",
             {Param::file("escape_table",
                          "Routing table of the first VCs, for packets that find no open output; "
                          "without it up*/down*.")
                  .or_absent(),
              Param::integer("escape_vcs", "", "VCs of the escape channels.", 1,
                             kMaxVirtualChannels - 1)
                  .defaults_to(1),
              selection_param()}));
  return {"shortest_path",
          "On any topology: a shortest path. 1 VC where the paths cannot deadlock, else as many as "
          "the diameter; 2 if they are adaptive.",
          std::move(keys),
          accepts<Topology>(),
          make_shortest_path,
          {"", "vc_classes: by_distance", "tie: spread", "tie: spread, vc_classes: by_distance",
           "tie: adaptive", "tie: adaptive, escape_vcs: 2, selection: random"}};
}

/// Finds paths that lead up, then down.
class UpDownPaths {
 public:
  UpDownPaths(const Topology& topology, RouterId root)
      : routers_(topology.router_count()), finder_(topology) {
    std::vector<std::vector<std::uint32_t>> neighbours(routers_);
    for (const Channel& channel : topology.channels()) {
      neighbours[index(channel.from.router)].push_back(index(channel.to.router));
      neighbours[index(channel.to.router)].push_back(index(channel.from.router));
    }
    levels_ = count_steps({index(root)}, routers_, [&](std::uint32_t router, auto&& lead) {
      for (const std::uint32_t next : neighbours[router]) lead(next);
    });
  }

  /// True if a channel leads nearer to the root, or to a lower number at the same distance.
  bool up(const Channel& channel) const { return place(channel.to) < place(channel.from); }

  /// Hops from every state to a router: state 2 r of router r for packets that may go up, 2 r + 1
  /// for those that may not.
  Distances distances_to(RouterId end) const {
    const std::uint32_t last = 2 * index(end);
    return count_steps({last, last + 1}, 2 * routers_, [&](std::uint32_t state, auto&& lead) {
      for (const Channel& channel : finder_.arriving(state / 2)) {
        const bool goes_up = up(channel);
        if (goes_up != (state % 2 == 0)) continue;
        lead(2 * index(channel.from.router));
        if (!goes_up) lead(2 * index(channel.from.router) + 1);
      }
    });
  }

  /// The lowest output by which a shortest path leaves a state; 0 if there is none.
  std::uint8_t lowest_output(std::size_t state, const Distances& distance) const {
    if (distance[state] == kUnreached) return 0;
    return finder_.lowest_output(to_id<RouterId>(state / 2), [&](const Channel& channel) {
      const bool goes_up = up(channel);
      if (goes_up && state % 2 == 1) return false;
      return distance[2 * index(channel.to.router) + (goes_up ? 0 : 1)] + 1 == distance[state];
    });
  }

 private:
  std::pair<std::uint32_t, std::uint32_t> place(Endpoint at) const {
    return {levels_[index(at.router)], index(at.router)};
  }

  const std::size_t routers_;
  const PathFinder finder_;
  std::vector<std::uint32_t> levels_;  // Per router.
};

void check_ends(const Topology& topology, NodeId end, const Distances& distance) {
  for (const NodeId node : topology.nodes()) {
    const RouterId start = topology.attachment(node).injection.router;
    if (distance[2 * index(start)] != kUnreached) continue;
    throw std::invalid_argument("no path leads up and down from node " +
                                std::to_string(index(node)) + " to node " +
                                std::to_string(index(end)));
  }
}

}  // namespace

UpDown::UpDown(const Topology& topology, RouterId root, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)), nodes_(topology.node_count()) {
  if (index(root) >= topology.router_count()) throw std::invalid_argument("the root is no router");
  if (topology.router_count() > kMaxEntries / 2 / nodes_) {
    throw std::invalid_argument("the routing table would have more than 2^28 entries");
  }
  const UpDownPaths paths(topology, root);
  came_down_ = inputs_behind(topology, [&](const Channel& channel) { return !paths.up(channel); });
  outputs_.resize(2 * topology.router_count() * nodes_);
  for (const NodeId node : topology.nodes()) {
    const Endpoint ejection = topology.attachment(node).ejection;
    const Distances distance = paths.distances_to(ejection.router);
    check_ends(topology, node, distance);
    for (std::size_t state = 0; state < distance.size(); ++state) {
      outputs_[state * nodes_ + index(node)] = distance[state] == 0
                                                   ? static_cast<std::uint8_t>(index(ejection.port))
                                                   : paths.lowest_output(state, distance);
    }
  }
}

Route UpDown::route(const RouteRequest& request) const {
  const std::size_t router = index(request.router);
  const bool down =
      (all_ >> index(request.vc) & 1) != 0 && came_down_[router][index(request.input)];
  const std::size_t state = 2 * router + (down ? 1 : 0);
  return {PortId{outputs_[state * nodes_ + index(request.destination)]}, all_};
}

namespace {

std::unique_ptr<Routing> make_up_down(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  const std::size_t root = section.count("root");
  if (root >= topology.router_count()) {
    section.fail("root", topology.name() + " has no router " + std::to_string(root),
                 "name one from 0 to " + std::to_string(topology.router_count() - 1));
  }
  const auto leaves_root = [&](const Channel& c) { return index(c.from.router) == root; };
  if (!topology.channels().empty() && !any_of(topology.channels(), leaves_root)) {
    section.fail("root", "router " + std::to_string(root) + " has no links",
                 "name a router that has links");
  }
  return make_up_down_from(root, section, context);
}

}  // namespace

std::vector<RoutingEntry> shortest_path_routings() {
  return {shortest_path(),
          {"up_down",
           "On any topology whose links lead both ways: towards the root, then away from it. 1 VC.",
           {Param::integer("root", "", "Router at the top of the order.", 0).defaults_to(0)},
           accepts<Topology>(),
           make_up_down}};
}

}  // namespace flitcast
