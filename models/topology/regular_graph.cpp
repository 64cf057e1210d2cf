// SPDX-License-Identifier: Apache-2.0
#include "topology/regular_graph.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "base/random.h"
#include "base/sequences.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"
#include "topology/concentrated.h"

namespace flitcast {
namespace {

std::vector<GraphLink> in_both_directions(const std::vector<RegularGraph::Link>& links) {
  std::vector<GraphLink> channels;
  for (const auto& [a, b] : links) {
    channels.push_back({RouterId{a}, RouterId{b}});
    channels.push_back({RouterId{b}, RouterId{a}});
  }
  return channels;
}

}  // namespace

RegularGraph::RegularGraph(std::string name, std::size_t routers,
                           const std::vector<RegularGraph::Link>& links)
    : Graph(std::move(name), routers, in_both_directions(links), NumberRange<RouterId>(routers)) {}

namespace {

/// The powers 1, u, u^2, ..., u^(q - 2) of the smallest primitive element u of a prime q.
std::vector<std::size_t> powers_of_primitive_element(std::size_t q) {
  for (std::size_t u = 2;; ++u) {
    std::vector<std::size_t> powers{1};
    while (powers.back() * u % q != 1) powers.push_back(powers.back() * u % q);
    if (powers.size() == q - 1) return powers;
  }
}

/// For each of the two groups, true for the differences within a row that have a link.
std::vector<std::vector<bool>> row_differences(std::size_t q) {
  const std::vector<std::size_t> powers = powers_of_primitive_element(q);
  std::vector<std::vector<bool>> linked(2, std::vector<bool>(q, false));
  for (std::size_t i = 0; i < (q + 1) / 4 * 2; ++i) {
    linked[i % 2][powers[i]] = linked[i % 2][q - powers[i]] = true;
  }
  return linked;
}

}  // namespace

bool is_slim_fly_size(std::size_t q) {
  if (q < 3 || q > kMaxPorts || q % 2 == 0) return false;
  for (std::size_t divisor = 3; divisor * divisor <= q; divisor += 2) {
    if (q % divisor == 0) return false;
  }
  return true;
}

RegularGraph slim_fly(std::size_t q) {
  if (!is_slim_fly_size(q)) throw std::invalid_argument("a slim fly has a prime q from 3");
  const auto number = [q](std::size_t group, std::size_t row, std::size_t place) {
    return static_cast<std::uint32_t>((group * q + row) * q + place % q);
  };
  const auto differences = row_differences(q);
  std::vector<RegularGraph::Link> links;
  for (std::size_t row = 0; row < q; ++row) {
    for (std::size_t place = 0; place < q; ++place) {
      for (std::size_t group = 0; group < 2; ++group) {
        for (std::size_t other = 0; other < place; ++other) {
          if (!differences[group][place - other]) continue;
          links.emplace_back(number(group, row, other), number(group, row, place));
        }
      }
      for (std::size_t x = 0; x < q; ++x) {
        links.emplace_back(number(0, x, row * x + place), number(1, row, place));
      }
    }
  }
  return {"slim_fly " + std::to_string(q), 2 * q * q, links};
}

namespace {

bool connects(const std::vector<RegularGraph::Link>& links, std::size_t routers) {
  std::vector<std::vector<std::uint32_t>> next(routers);
  for (const auto& [a, b] : links) {
    next[a].push_back(b);
    next[b].push_back(a);
  }
  const auto steps = count_steps({0}, routers, [&](std::uint32_t router, auto&& lead) {
    for (const std::uint32_t there : next[router]) lead(there);
  });
  return !contains(steps, kUnreached);
}

/// The links of a random regular graph.
class RandomLinks {
 public:
  RandomLinks(std::size_t routers, std::size_t degree, std::uint64_t seed) : random_(seed) {
    for (std::size_t r = 0; r < routers; ++r) {
      for (std::size_t chord = 1; chord <= degree / 2; ++chord) add(r, (r + chord) % routers);
      if (degree % 2 == 1 && r < routers / 2) add(r, r + routers / 2);
    }
  }

  const std::vector<RegularGraph::Link>& links() const { return links_; }

  // Links a - b and c - d become a - d and c - b, or links a - b and d - c.
  void exchange() {
    auto& [a, b] = links_[random_.below(links_.size())];
    auto& [c, d] = links_[random_.below(links_.size())];
    if (random_.below(2) == 1) std::swap(c, d);
    if (a == d || c == b || present_.count(key(a, d)) + present_.count(key(c, b)) > 0) return;
    for (const std::uint64_t old : {key(a, b), key(c, d)}) present_.erase(old);
    std::swap(b, d);
    for (const std::uint64_t fresh : {key(a, b), key(c, d)}) present_.insert(fresh);
  }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }

  void add(std::size_t a, std::size_t b) {
    links_.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    present_.insert(key(links_.back().first, links_.back().second));
  }

  Random random_;
  std::vector<RegularGraph::Link> links_;
  std::unordered_set<std::uint64_t> present_;
};

}  // namespace

RegularGraph jellyfish(std::size_t routers, std::size_t degree, std::uint64_t seed) {
  if (!is_jellyfish(routers, degree)) throw std::invalid_argument("no such random graph");
  constexpr std::size_t kExchangesPerLink = 16;
  RandomLinks random(routers, degree, seed);
  do {
    for (std::size_t n = kExchangesPerLink * random.links().size(); n > 0; --n) random.exchange();
  } while (!connects(random.links(), routers));
  return {"jellyfish " + std::to_string(routers) + " of degree " + std::to_string(degree), routers,
          random.links()};
}

namespace {

/// The numbers 0 .. count - 1 in random order.
std::vector<std::uint32_t> shuffled(std::uint32_t count, Random& random) {
  std::vector<std::uint32_t> order = numbers(count);
  for (std::uint32_t n = count; n > 1; --n) std::swap(order[n - 1], order[random.below(n)]);
  return order;
}

}  // namespace

RegularGraph xpander(std::size_t degree, std::size_t copies, std::uint64_t seed) {
  const std::size_t routers = (degree + 1) * copies;
  const auto count = static_cast<std::uint32_t>(copies);
  Random random(seed);
  std::vector<RegularGraph::Link> links;
  do {
    links.clear();
    for (std::uint32_t one = 0; one <= degree; ++one) {
      for (std::uint32_t other = one + 1; other <= degree; ++other) {
        const std::vector<std::uint32_t> partners = shuffled(count, random);
        for (std::uint32_t c = 0; c < count; ++c) {
          links.emplace_back(one * count + c, other * count + partners[c]);
        }
      }
    }
  } while (!connects(links, routers));
  return {"xpander " + std::to_string(copies) + " of degree " + std::to_string(degree), routers,
          links};
}

namespace {

/// The size of a graph of routers with equal numbers of links and of nodes.
TopologySize regular_size(std::size_t routers, std::size_t degree, std::size_t nodes) {
  return {routers, routers * nodes, routers * degree, degree + nodes};
}

TopologySize slim_fly_size(const Section& section) {
  const std::size_t q = section.count("q");
  const std::size_t nodes = section.count("nodes_per_router");
  const std::size_t degree = slim_fly_degree(q);
  return regular_size(2 * q * q, degree, nodes == 0 ? (degree + 1) / 2 : nodes);
}

TopologySize jellyfish_size(const Section& section) {
  return regular_size(section.count("routers"), section.count("degree"),
                      section.count("nodes_per_router"));
}

TopologySize xpander_size(const Section& section) {
  const std::size_t degree = section.count("degree");
  return regular_size((degree + 1) * section.count("copies"), degree,
                      section.count("nodes_per_router"));
}

/// The graph with several nodes at each router; throws ConfigError, before the graph is made, if
/// the network exceeds the limits.
template <class MakeGraph>
std::unique_ptr<Topology> with_nodes(const Section& section, const TopologySize& size,
                                     const MakeGraph& graph) {
  if (size.nodes > kMaxRouters) {
    section.fail("nodes_per_router", "more than 2^24 nodes", "make the network smaller");
  }
  if (size.ports > kMaxPorts) {
    section.fail("nodes_per_router", "a router would have " + std::to_string(size.ports) + " ports",
                 "keep links and nodes of a router to " + std::to_string(kMaxPorts));
  }
  const auto core = std::make_shared<RegularGraph>(graph());
  return with_nodes_each(core->name(), core, size.nodes / size.routers);
}

std::unique_ptr<Topology> make_slim_fly(const Section& section) {
  const std::size_t q = section.count("q");
  if (!is_slim_fly_size(q)) {
    section.fail("q", "no slim fly is known for q = " + std::to_string(q) + " here",
                 "use an odd prime: 3, 5, 7, 11, 13, 17, 19, 23, ...");
  }
  return with_nodes(section, slim_fly_size(section), [&] { return slim_fly(q); });
}

std::unique_ptr<Topology> make_jellyfish(const Section& section) {
  const std::size_t routers = section.count("routers");
  const std::size_t degree = section.count("degree");
  if (!is_jellyfish(routers, degree)) {
    section.fail("degree",
                 "no " + std::to_string(routers) + " routers have " + std::to_string(degree) +
                     " links each, to different routers",
                 "use more routers than the degree, and an even number if the degree is odd");
  }
  return with_nodes(section, jellyfish_size(section),
                    [&] { return jellyfish(routers, degree, section.count("seed")); });
}

std::unique_ptr<Topology> make_xpander(const Section& section) {
  return with_nodes(section, xpander_size(section), [&] {
    return xpander(section.count("degree"), section.count("copies"), section.count("seed"));
  });
}

}  // namespace

std::vector<TopologyEntry> regular_graph_topologies() {
  const Param degree = Param::integer("degree", "links", "Links of each router.", 3, kMaxPorts - 1);
  const Param nodes =
      Param::integer("nodes_per_router", "nodes", "Nodes of each router.", 1, kMaxPorts)
          .defaults_to(1);
  const Param seed = Param::integer("seed", "", "Another seed is another graph.", 0).defaults_to(1);
  return {
      {{"slim_fly",
        "Slim Fly: a graph of diameter 2 with nearly as many routers as one can have.",
        {Param::integer("q", "", "An odd prime; there are 2 q^2 routers of degree about 3 q / 2.",
                        3, kMaxPorts),
         Param::integer("nodes_per_router", "nodes",
                        "Nodes of each router; 0: half as many as links, rounded up.", 0, kMaxPorts)
             .defaults_to(0)},
        make_slim_fly,
        {"q: 3, nodes_per_router: 1", "q: 3, nodes_per_router: 2"}},
       slim_fly_size},
      {{"jellyfish",
        "Jellyfish: a connected random graph whose routers have equal numbers of links.",
        {Param::integer("routers", "routers", "Routers.", 4, kMaxRouters), degree, nodes, seed},
        make_jellyfish,
        {"routers: 8, degree: 3", "routers: 9, degree: 4, nodes_per_router: 2, seed: 7"}},
       jellyfish_size},
      {{"xpander",
        "Xpander: copies of a complete graph, in which random copies of each two routers are "
        "linked.",
        {degree,
         Param::integer("copies", "routers",
                        "Copies of each of the degree + 1 routers of a complete graph.", 1,
                        kMaxRouters),
         nodes, seed},
        make_xpander,
        {"degree: 3, copies: 2", "degree: 4, copies: 3, nodes_per_router: 2, seed: 7"}},
       xpander_size}};
}

}  // namespace flitcast
