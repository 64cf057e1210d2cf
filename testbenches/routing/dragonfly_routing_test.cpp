// SPDX-License-Identifier: Apache-2.0
#include "routing/dragonfly_routing.h"

#include <map>
#include <set>

#include "routing/analysis/deadlock.h"
#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Dragonfly+: two leaves, four spines and eight global links of each group; 36 nodes.
Dragonfly with_leaves() { return Dragonfly({2, 4, 2, Dragonfly::Arrangement::kAbsolute, 2}); }

bool is_global(const Dragonfly& dragonfly, const Hop& hop) {
  const std::uint32_t channel = Adjacency(dragonfly).leaving(hop.router, hop.output);
  return channel != Adjacency::kNone &&
         dragonfly.channel_class(dragonfly.channels()[channel]) == "global";
}

/// The groups that a path enters by global links.
std::vector<std::size_t> groups_entered(const Dragonfly& dragonfly, const Walk& option) {
  const Adjacency adjacency(dragonfly);
  std::vector<std::size_t> groups;
  for (const Hop& hop : option.hops) {
    if (!is_global(dragonfly, hop)) continue;
    const std::uint32_t channel = adjacency.leaving(hop.router, hop.output);
    groups.push_back(dragonfly.group(dragonfly.channels()[channel].to.router));
  }
  return groups;
}

/// The number of links of a packet that takes one of the outputs offered at its first router.
std::size_t links_after(const Dragonfly& dragonfly, const DragonflyUgal& routing,
                        Alternative option, RouterId router, NodeId destination) {
  const Adjacency adjacency(dragonfly);
  for (std::size_t links = 0;; ++links) {
    const std::uint32_t channel = adjacency.leaving(router, option.output);
    if (channel == Adjacency::kNone) {
      CHECK(Endpoint{router, option.output} == dragonfly.attachment(destination).ejection);
      return links;
    }
    const Endpoint at = dragonfly.channels()[channel].to;
    router = at.router;
    const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(option.vcs))};
    Alternatives options;
    options.clear();
    routing.alternatives({router, at.port, vc, destination, 0, option.route_field}, options);
    REQUIRE(options.size() == 1);
    option = *options.begin();
  }
}

}  // namespace

// The a (a h + 1) routers are: the source, a - 1 others of its group, h groups behind its global
// links, in each of which one router is entered directly and a - 1 are one link further, and (a -
// 1) h groups behind global links of other routers.
TEST_CASE("minimal ways through a dragonfly are as long on average as their closed form",
          "[routing]") {
  for (const Dragonfly::Params& params : {Dragonfly::Params{1, 4, 2}, {1, 3, 1}, {2, 1, 3}}) {
    const Dragonfly dragonfly(params);
    INFO(dragonfly.name());
    const Adjacency adjacency(dragonfly);
    const DragonflyMinimal routing(dragonfly, 2);
    std::size_t hops = 0;
    for (const NodeId destination : dragonfly.nodes()) {
      hops += walk(dragonfly, adjacency, routing, NodeId{0}, destination).hops.size();
    }
    const std::size_t a = params.routers;
    const std::size_t h = params.global_links;
    const std::size_t expected = (a - 1) + h * (1 + (a - 1) * 2) + (a - 1) * h * (2 + (a - 1) * 3);
    CHECK(hops == params.nodes * expected);
  }
}

TEST_CASE("a packet is in the lower VCs of a dragonfly until it takes its global link",
          "[routing]") {
  const Dragonfly dragonfly({2, 4, 2});
  const Adjacency adjacency(dragonfly);
  const DragonflyMinimal routing(dragonfly, 5);
  for (std::uint32_t source = 0; source < 8; ++source) {
    for (std::uint32_t destination = 0; destination < dragonfly.node_count(); ++destination) {
      const Walk option = walk(dragonfly, adjacency, routing, NodeId{source}, NodeId{destination});
      bool crossed = false;
      for (const Hop& hop : option.hops) {
        if (is_global(dragonfly, hop)) {
          CHECK_FALSE(crossed);
          crossed = true;
        }
        CHECK(hop.vcs == (crossed ? 0b11100U : 0b00011U));
      }
      CHECK(crossed == (source / 8 != destination / 8));
    }
  }
}

TEST_CASE(
    "Valiant's packets pass each group but those of their ends by one choice, in three classes",
    "[routing]") {
  const Dragonfly dragonfly({1, 3, 2});
  const Adjacency adjacency(dragonfly);
  const DragonflyValiant routing(dragonfly, 3);
  CHECK(routing.most_choices() == 5);
  for (std::uint32_t destination = 0; destination < dragonfly.node_count(); ++destination) {
    const NodeId source{7};  // This node is in group 2.
    const std::uint32_t choices = routing.choices(source, NodeId{destination});
    std::set<std::size_t> passed;
    for (std::uint32_t c = 0; c < choices; ++c) {
      const Walk option =
          walk(dragonfly, adjacency, routing, source, NodeId{destination}, 0, 20, {c, 0});
      CHECK(option.end == dragonfly.attachment(NodeId{destination}).ejection);
      const std::vector<std::size_t> groups = groups_entered(dragonfly, option);
      REQUIRE(groups.size() == (destination / 3 == 2 ? 0 : 2));
      if (!groups.empty()) passed.insert(groups.front());
      std::size_t crossed = 0;
      for (const Hop& hop : option.hops) {
        crossed += is_global(dragonfly, hop) ? 1 : 0;
        CHECK(hop.vcs == VcSet{1} << crossed);
      }
    }
    CHECK(choices == (destination / 3 == 2 ? 1 : 5));
    CHECK(passed.size() == (destination / 3 == 2 ? 0 : 5));
    CHECK(passed.count(2) + passed.count(destination / 3) == 0);
  }
}

TEST_CASE("UGAL weighs the minimal way and one detour with the links of each", "[routing]") {
  const Dragonfly dragonfly = GENERATE(true, false) ? with_leaves() : Dragonfly({1, 4, 2});
  INFO(dragonfly.name());
  const DragonflyUgal routing(dragonfly, 3);
  const NodeId source{5};
  for (std::uint32_t destination = 0; destination < dragonfly.node_count(); ++destination) {
    for (std::uint16_t number = 0; number < routing.choices(source, NodeId{destination});
         ++number) {
      const Endpoint at = dragonfly.attachment(source).injection;
      Alternatives options;
      options.clear();
      routing.alternatives({at.router, at.port, VcId{0}, NodeId{destination}, 0, number}, options);
      const bool same_group = destination / 4 == 1;  // Both networks have 4 nodes in a group.
      REQUIRE(options.size() == (same_group ? 1 : 2));
      CHECK((options.drawn() > 0) == !same_group);
      if (same_group) continue;
      for (const Alternative& option : options) {
        CHECK(links_after(dragonfly, routing, option, at.router, NodeId{destination}) ==
              option.weight);
      }
      CHECK(options.begin()->priority > (options.begin() + 1)->priority);
      CHECK(options.begin()->weight <= 3);
      CHECK((options.begin() + 1)->weight >= 2);
    }
  }
}

namespace {

/// The options of a packet at an input, in a VC.
Alternatives options_at(const Routing& routing, Endpoint at, VcId vc, NodeId to,
                        std::uint16_t number) {
  Alternatives options;
  options.clear();
  routing.alternatives({at.router, at.port, vc, to, 0, number}, options);
  return options;
}

/// The classes of VCs of a packet on its way: with a single VC in each class, the VCs.
/// @param detour_at  The router of the source's group, from 0, that sends it on its detour.
std::vector<std::size_t> progressive_path(const Dragonfly& dragonfly, const Routing& routing,
                                          NodeId from, NodeId to, std::uint16_t number,
                                          std::size_t detour_at) {
  const Adjacency adjacency(dragonfly);
  Endpoint at = dragonfly.attachment(from).injection;
  VcId vc{0};
  std::vector<std::size_t> classes;
  for (std::size_t router = 0;; ++router) {
    const Alternatives options = options_at(routing, at, vc, to, number);
    const Alternative option = options.begin()[options.size() == 2 && router >= detour_at ? 1 : 0];
    CHECK((options.drawn() > 0) == (options.size() == 2));
    CHECK(option.route_field == number);
    const std::uint32_t channel = adjacency.leaving(at.router, option.output);
    if (channel == Adjacency::kNone) {
      CHECK(Endpoint{at.router, option.output} == dragonfly.attachment(to).ejection);
      return classes;
    }
    at = dragonfly.channels()[channel].to;
    vc = lowest_vc(option.vcs);
    classes.push_back(index(vc));
  }
}

using Classes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("by progressive routing the router of the minimal global link decides again, once",
          "[routing]") {
  const Dragonfly dragonfly({1, 4, 2});
  const DragonflyUgal routing(dragonfly, 4, 0, true);
  const auto path = [&](std::uint32_t from, std::uint32_t to, std::uint16_t number,
                        std::size_t detour_at) {
    return progressive_path(dragonfly, routing, NodeId{from}, NodeId{to}, number, detour_at);
  };
  // Group 0 has the links to groups 1 and 2 at its router 0, to 3 and 4 at router 1, and so on.
  // From router 0 to the last router of group 3: minimal over router 1.
  CHECK(path(0, 12 + 3, 5, 9) == Classes{0, 1, 1});
  // By group 7, whose link is at router 3: decided by the source, by router 1, or by neither.
  CHECK(path(0, 12 + 3, 5, 0).front() == 1);
  CHECK(path(0, 12 + 3, 5, 1).front() == 0);
  CHECK(path(0, 12 + 3, 5, 1)[1] == 1);
  CHECK(path(0, 12 + 3, 5, 2) == path(0, 12 + 3, 5, 9));
  // Within the group there is nothing to decide.
  CHECK(path(0, 3, 0, 0) == Classes{0});
  std::set<std::size_t> lengths;
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint32_t to = 4; to < dragonfly.node_count(); ++to) {
      for (std::uint16_t number = 0; number < 7; ++number) {
        for (std::size_t detour_at = 0; detour_at < 3; ++detour_at) {
          const Classes classes = path(from, to, number, detour_at);
          CHECK(std::is_sorted(classes.begin(), classes.end()));
          lengths.insert(classes.size());
        }
      }
    }
  }
  CHECK(lengths == std::set<std::size_t>{1, 2, 3, 4, 5, 6});
  CHECK(check_dependencies(dragonfly, routing, 4).acyclic());
}

TEST_CASE("progressive routing weighs the rest of the minimal path at the second router",
          "[routing]") {
  const Dragonfly dragonfly({1, 4, 2});
  const DragonflyUgal routing(dragonfly, 4, 0, true);
  const DragonflyPaths paths(dragonfly, 4, 4);
  // At router 1 of group 0, from router 0 in class 0, to the last router of group 3.
  const Endpoint at{RouterId{1}, dragonfly.towards(RouterId{1}, RouterId{0})};
  const Alternatives options = options_at(routing, at, VcId{0}, NodeId{15}, 5);
  REQUIRE(options.size() == 2);
  CHECK(Endpoint{RouterId{1}, options.begin()->output} == dragonfly.gateway(0, 3));
  CHECK(options.begin()->weight == paths.links(RouterId{1}, {3}, NodeId{15}));
  CHECK(options.begin()[1].weight == paths.links(RouterId{1}, {7, 3}, NodeId{15}));
  // In class 1 it is on its detour.
  CHECK(options_at(routing, at, VcId{1}, NodeId{15}, 5).size() == 1);
}

TEST_CASE("a dragonfly of two or three groups has a detour in the second case only", "[routing]") {
  const Dragonfly two({1, 1, 1});
  const DragonflyValiant direct(two, 3);
  CHECK(groups_entered(two, walk(two, Adjacency(two), direct, NodeId{0}, NodeId{1})).size() == 1);
  const Dragonfly three({1, 2, 1});
  const DragonflyValiant over(three, 3);
  const Walk option = walk(three, Adjacency(three), over, NodeId{0}, NodeId{5});
  CHECK(groups_entered(three, option) == std::vector<std::size_t>{1, 2});
}

// The spines of the source's group and of the group in between are those with the global links; a
// packet goes from one spine to another by a leaf.
TEST_CASE("paths through leaves and spines are as long as their links are far apart", "[routing]") {
  const Dragonfly dragonfly = with_leaves();
  const Adjacency adjacency(dragonfly);
  const DragonflyMinimal minimal(dragonfly, 2);
  const DragonflyValiant valiant(dragonfly, 3);
  const DragonflyPaths paths(dragonfly, 3, 3);
  for (const NodeId source : dragonfly.nodes()) {
    for (const NodeId destination : dragonfly.nodes()) {
      const RouterId from = dragonfly.router_of(source);
      const RouterId to = dragonfly.router_of(destination);
      const std::size_t group = dragonfly.group(from);
      const bool local = group == dragonfly.group(to);
      const Walk shortest = walk(dragonfly, adjacency, minimal, source, destination);
      CHECK(shortest.end == dragonfly.attachment(destination).ejection);
      CHECK(shortest.hops.size() == (from == to ? 0 : local ? 2 : 3));
      if (local) continue;
      for (std::uint32_t c = 0; c < valiant.choices(source, destination); ++c) {
        const Walk detour = walk(dragonfly, adjacency, valiant, source, destination, 0, 20, {c, 0});
        CHECK(detour.end == dragonfly.attachment(destination).ejection);
        const std::size_t over = paths.detour(group, dragonfly.group(to), c);
        const bool one_spine = dragonfly.gateway(over, group).router ==
                               dragonfly.gateway(over, dragonfly.group(to)).router;
        CHECK(detour.hops.size() == (one_spine ? 4 : 6));
        CHECK(detour.hops.size() == paths.links(from, {over, dragonfly.group(to)}, destination));
      }
    }
  }
}

TEST_CASE("packets between two leaves of a group spread over its spines", "[routing]") {
  const Dragonfly dragonfly({8, 4, 1, Dragonfly::Arrangement::kAbsolute, 2});
  const Adjacency adjacency(dragonfly);
  const DragonflyMinimal routing(dragonfly, 2);
  std::map<std::uint32_t, int> packets;  // By spine.
  for (std::uint32_t destination = 8; destination < 16; ++destination) {
    const Walk path = walk(dragonfly, adjacency, routing, NodeId{0}, NodeId{destination});
    ++packets[index(path.hops.back().router)];
  }
  CHECK(packets == std::map<std::uint32_t, int>{{2, 2}, {3, 2}, {4, 2}, {5, 2}});
}

TEST_CASE("no routing of leaves and spines has a cyclic dependency", "[routing]") {
  for (const Dragonfly::Params& params :
       {Dragonfly::Params{2, 4, 2, Dragonfly::Arrangement::kAbsolute, 2},
        {1, 1, 3, Dragonfly::Arrangement::kRelative, 3},
        {1, 3, 1, Dragonfly::Arrangement::kCirculant, 4}}) {
    const Dragonfly dragonfly(params);
    INFO(dragonfly.name());
    CHECK(check_dependencies(dragonfly, DragonflyMinimal(dragonfly, 2), 2).acyclic());
    CHECK(check_dependencies(dragonfly, DragonflyValiant(dragonfly, 3), 3).acyclic());
    CHECK(check_dependencies(dragonfly, DragonflyUgal(dragonfly, 3), 3).acyclic());
    CHECK(check_dependencies(dragonfly, DragonflyUgal(dragonfly, 4, 0, true), 4).acyclic());
  }
  // A packet that comes into a group goes down and up again, and one that ends there goes down.
  const Dragonfly dragonfly = with_leaves();
  CHECK_FALSE(check_dependencies(dragonfly, DragonflyValiant(dragonfly, 1), 1).acyclic());
}

TEST_CASE("by progressive routing a spine with the minimal global link decides again",
          "[routing]") {
  const Dragonfly dragonfly = with_leaves();
  const DragonflyUgal routing(dragonfly, 4, 0, true);
  // Group 0 has the links to groups 1 and 2 at its first spine, router 2, to 3 and 4 at router 3,
  // and so on. To group 3 over router 3, or by group 8, whose link is at router 5.
  const auto path = [&](std::size_t detour_at) {
    return progressive_path(dragonfly, routing, NodeId{0}, NodeId{12}, 6, detour_at);
  };
  CHECK(path(9) == Classes{0, 1, 1});
  CHECK(path(0) == Classes{1, 2, 2, 2, 3, 3});
  CHECK(path(1) == Classes{0, 1, 1, 2, 2, 2, 3, 3});
  CHECK(path(2) == path(9));
}
