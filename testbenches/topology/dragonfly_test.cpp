// SPDX-License-Identifier: Apache-2.0
#include "topology/dragonfly.h"

#include <map>
#include <set>
#include <stdexcept>

#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("the routers of a group are all linked, and any two groups by one link", "[topology]") {
  using Arrangement = Dragonfly::Arrangement;
  const auto arrangement =
      GENERATE(Arrangement::kAbsolute, Arrangement::kRelative, Arrangement::kCirculant);
  for (Dragonfly::Params params :
       {Dragonfly::Params{2, 4, 2}, {1, 3, 1}, {1, 1, 3}, {1, 1, 1}, {1, 2, 3}}) {
    params.arrangement = arrangement;
    const Dragonfly dragonfly(params);
    INFO(dragonfly.name());
    std::set<std::pair<std::uint32_t, std::uint32_t>> local;
    std::map<std::pair<std::size_t, std::size_t>, int> global;
    for (const Channel& channel : dragonfly.channels()) {
      const std::size_t from = dragonfly.group(channel.from.router);
      const std::size_t to = dragonfly.group(channel.to.router);
      if (from == to) {
        CHECK(local.emplace(index(channel.from.router), index(channel.to.router)).second);
      } else {
        ++global[{from, to}];
      }
    }
    const std::size_t g = dragonfly.groups();
    CHECK(g == params.routers * params.global_links + 1);
    CHECK(local.size() == g * params.routers * (params.routers - 1));
    CHECK(global.size() == g * (g - 1));
    for (const auto& [groups, links] : global) CHECK(links == 1);
  }
}

// In group 3 of p = h = 2, a = 4, the links 0 to 7 lead to the groups 0, 1, 2, 4, 5, 6, 7, 8.
TEST_CASE("the global links of a group lead to the groups in ascending order", "[topology]") {
  const Dragonfly dragonfly({2, 4, 2});
  std::map<std::pair<std::uint32_t, unsigned>, std::size_t> leads_to;
  for (const Channel& channel : dragonfly.channels()) {
    if (dragonfly.group(channel.from.router) != 3 || index(channel.from.port) < 3) continue;
    leads_to[{index(channel.from.router), index(channel.from.port)}] =
        dragonfly.group(channel.to.router);
  }
  REQUIRE(leads_to.size() == 8);
  CHECK(leads_to[{12, 3}] == 0);
  CHECK(leads_to[{12, 4}] == 1);
  CHECK(leads_to[{13, 3}] == 2);
  CHECK(leads_to[{13, 4}] == 4);
  CHECK(leads_to[{15, 4}] == 8);
}

// The nine groups in a ring: links 0 to 7 of group 3 lead 1, 2, ..., 8 further on, or 1 further on,
// 1 back, 2 further on, 2 back and so on.
TEST_CASE("the arrangement of a dragonfly orders the groups behind global links", "[topology]") {
  const auto groups_behind = [](Dragonfly::Arrangement arrangement) {
    const Dragonfly dragonfly({2, 4, 2, arrangement});
    std::map<std::pair<std::uint32_t, unsigned>, std::size_t> leads_to;
    for (const Channel& channel : dragonfly.channels()) {
      if (dragonfly.group(channel.from.router) != 3 || index(channel.from.port) < 3) continue;
      leads_to[{index(channel.from.router), index(channel.from.port)}] =
          dragonfly.group(channel.to.router);
    }
    std::vector<std::size_t> groups;
    for (const auto& [link, group] : leads_to) groups.push_back(group);
    return groups;
  };
  using Groups = std::vector<std::size_t>;
  CHECK(groups_behind(Dragonfly::Arrangement::kAbsolute) == Groups{0, 1, 2, 4, 5, 6, 7, 8});
  CHECK(groups_behind(Dragonfly::Arrangement::kRelative) == Groups{4, 5, 6, 7, 8, 0, 1, 2});
  CHECK(groups_behind(Dragonfly::Arrangement::kCirculant) == Groups{4, 2, 5, 1, 6, 0, 7, 8});
  CHECK(Dragonfly({2, 4, 2, Dragonfly::Arrangement::kRelative}).name() ==
        "dragonfly p=2 a=4 h=2 relative");
}

TEST_CASE("a router of a dragonfly has its nodes behind its links", "[topology]") {
  const Dragonfly dragonfly({2, 4, 2});
  CHECK(dragonfly.node_count() == 72);
  CHECK(dragonfly.router_count() == 36);
  CHECK(dragonfly.attachment(NodeId{27}).injection == Endpoint{RouterId{13}, PortId{6}});
  CHECK(dragonfly.node_grid() == std::vector<std::size_t>{2, 4, 9});
}

TEST_CASE("dragonflies outside the limits are refused", "[topology]") {
  CHECK_THROWS_AS(Dragonfly({0, 1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(Dragonfly({1, 0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(Dragonfly({1, 1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(Dragonfly({33, 64, 33}),
                  std::invalid_argument);  // A router would have 129 ports.
  CHECK(Dragonfly::buildable({32, 64, 32}));
  const auto with_leaves = [](std::size_t leaves) {
    return Dragonfly::buildable({64, 64, 64, Dragonfly::Arrangement::kAbsolute, leaves});
  };
  CHECK_FALSE(with_leaves(0));
  CHECK_FALSE(with_leaves(64));  // There would be 64 * 64 * 4097 nodes, more than 2^24.
  CHECK(with_leaves(63));
  CHECK_FALSE(Dragonfly::buildable({1, 1, 64, Dragonfly::Arrangement::kAbsolute, 65}));
  CHECK_FALSE(Dragonfly::buildable({64, 65, 1, Dragonfly::Arrangement::kAbsolute, 1}));
}

// Groups 0 to 4 of p = 3, l = 2, a = 4, h = 1: nodes 0 to 5 of a group are at its routers 0 and 1,
// which each have a link to the spines 2 to 5.
TEST_CASE("the leaves of a dragonfly have the nodes, and its spines the global links",
          "[topology]") {
  const Dragonfly dragonfly({3, 4, 1, Dragonfly::Arrangement::kAbsolute, 2});
  CHECK(dragonfly.name() == "dragonfly p=3 a=4 h=1 leaves=2");
  CHECK(dragonfly.groups() == 5);
  CHECK(dragonfly.router_count() == 30);
  CHECK(dragonfly.node_count() == 30);
  CHECK(dragonfly.node_grid() == std::vector<std::size_t>{3, 2, 5});
  CHECK(dragonfly.channels().size() == 5 * (2 * 2 * 4 + 4));
  for (const NodeId node : dragonfly.nodes()) {
    const std::uint32_t group = index(node) / 6;
    const Endpoint expected{RouterId{group * 6 + index(node) % 6 / 3},
                            to_id<PortId>(4 + index(node) % 3)};
    CHECK(dragonfly.attachment(node).injection == expected);
    CHECK(dragonfly.router_of(node) == expected.router);
  }
  std::set<std::pair<std::size_t, std::size_t>> joined;
  for (const Channel& channel : dragonfly.channels()) {
    const auto [from, to] = std::pair(index(channel.from.router), index(channel.to.router));
    const bool local = from / 6 == to / 6;
    CHECK(dragonfly.channel_class(channel) == (local ? "local" : "global"));
    if (local) {
      CHECK((from % 6 < 2) != (to % 6 < 2));
      CHECK(index(channel.from.port) == (from % 6 < 2 ? to % 6 - 2 : to % 6));
    } else {
      CHECK(index(channel.from.port) == 2);
      CHECK(from % 6 >= 2);
      joined.emplace(from / 6, to / 6);
    }
  }
  CHECK(joined.size() == 20);
}
