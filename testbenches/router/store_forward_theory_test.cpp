// SPDX-License-Identifier: Apache-2.0
// Compares networks of cores with the store-and-forward step model:
// spec/routing-and-collectives.md, sections 1 to 3 and the table of expected values.
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "router/store_forward_network.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "support/test_catch.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

using Destinations = std::vector<std::vector<NodeId>>;

/// The measures T, Q and H of one phase.
struct Figures {
  unsigned steps = 0;
  unsigned queue = 0;
  unsigned held = 0;

  friend bool operator==(const Figures& a, const Figures& b) {
    return a.steps == b.steps && a.queue == b.queue && a.held == b.held;
  }
};

RouterParams theory_params(Pipeline pipeline = {}, unsigned flit_time = 1) {
  RouterParams params;
  params.virtual_channels = 1;
  params.buffer_depth = 64;
  params.pipeline = pipeline;
  params.flit_time = flit_time;
  return params;
}

DimensionOrder dimension_order(const Grid& grid) {
  DimensionOrder::Params params;
  params.classes = VcClasses::kNone;
  params.virtual_channels = 1;
  return {grid, params};
}

Figures play(const Topology& topology, const Routing& routing, const QueuePriority& priority,
             const Destinations& destinations) {
  StoreForwardNetwork network(topology, routing, priority, theory_params(), 1, 2, destinations);
  network.run();
  return {network.steps(), network.max_queue(), network.max_held()};
}

Figures play_farthest_first(const Grid& grid, const Destinations& destinations) {
  return play(grid, dimension_order(grid), FarthestFirst(grid), destinations);
}

Figures play_cube(std::size_t dimension, const QueuePriority& priority,
                  const Destinations& destinations) {
  const Hypercube cube(dimension);
  const ECube routing(cube, ECube::Order::kMostSignificantFirst, 1);
  return play(cube, routing, priority, destinations);
}

// A packet for its own source arrives at step 0.
Destinations one_each(const std::vector<std::uint32_t>& targets) {
  Destinations result(targets.size());
  for (std::uint32_t n = 0; n < targets.size(); ++n) {
    if (targets[n] != n) result[n].push_back(NodeId{targets[n]});
  }
  return result;
}

// The sequences perm(seed, N) and func(seed, N) of section 1.3.
Destinations perm(std::uint64_t seed, std::uint32_t nodes) {
  std::vector<std::uint32_t> a(nodes);
  std::iota(a.begin(), a.end(), 0U);
  Random random(seed);
  for (std::uint32_t i = nodes - 1; i >= 1; --i) std::swap(a[i], a[random.next() % (i + 1)]);
  return one_each(a);
}

Destinations func(std::uint64_t seed, std::uint32_t nodes) {
  std::vector<std::uint32_t> a(nodes);
  Random random(seed);
  for (std::uint32_t& target : a) target = static_cast<std::uint32_t>(random.next() % nodes);
  return one_each(a);
}

Destinations draw_pairs(std::uint64_t seed, std::uint32_t nodes, unsigned packets) {
  Destinations result(nodes);
  Random random(seed);
  for (unsigned packet = 0; packet < packets; ++packet) {
    const std::uint64_t source = random.next() % nodes;
    const auto target = static_cast<std::uint32_t>(random.next() % nodes);
    if (source != target) result[source].push_back(NodeId{target});
  }
  return result;
}

// Swaps the halves of the address; the middle bit is unchanged.
Destinations transpose(unsigned bits, bool flip_middle = false) {
  const unsigned half = bits / 2;
  const unsigned low = (1U << half) - 1;
  std::vector<std::uint32_t> targets(std::size_t{1} << bits);
  for (std::uint32_t v = 0; v < targets.size(); ++v) {
    const std::uint32_t middle = bits % 2 == 0 ? 0 : (v >> half & 1) ^ (flip_middle ? 1U : 0U);
    targets[v] = (v & low) << (bits - half) | v >> (bits - half) | middle << half;
  }
  return one_each(targets);
}

std::uint32_t away(std::uint32_t column, std::uint32_t steps, std::uint32_t n) {
  return steps <= column ? column - steps : column + steps < n ? column + steps : n;
}

// WB(n) of section 3.3 for the column c and r = 0 or 1; (x, y) is node y * n + x.
std::vector<std::uint32_t> worst_sources(std::uint32_t n, std::uint32_t r, std::uint32_t c) {
  std::vector<std::uint32_t> sources;
  for (std::uint32_t t = 1; t <= n; ++t) {
    if (t <= c) sources.push_back(r * n + c - t);
    if (c + t <= n - 1) sources.push_back(r * n + c + t);
    if (r == 0) continue;
    const std::uint32_t x = t == 1 ? c : away(c, t - 1, n);
    if (x < n) sources.push_back(x);
  }
  sources.resize(std::min<std::size_t>(sources.size(), n - 1 - r));
  return sources;
}

Figures play_worst(std::uint32_t n) {
  Figures worst;
  for (std::uint32_t r = 0; r <= 1; ++r) {
    for (std::uint32_t c = 0; c < n; ++c) {
      Destinations destinations(std::size_t{n} * n);
      std::uint32_t row = r + 1;
      for (const std::uint32_t source : worst_sources(n, r, c)) {
        destinations[source].push_back(NodeId{row++ * n + c});
      }
      const Figures figures = play_farthest_first(mesh({n, n}), destinations);
      if (figures.queue > worst.queue ||
          (figures.queue == worst.queue && figures.held > worst.held)) {
        worst = figures;
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("a packet without contention takes td + m tm cycles per hop, for any parameters",
          "[router]") {
  const Pipeline pipeline{GENERATE(0U, 1U, 3U), GENERATE(0U, 1U), GENERATE(1U, 2U),
                          GENERATE(1U, 3U)};
  const unsigned flit_time = GENERATE(1U, 2U, 7U);
  const unsigned latency = GENERATE(1U, 4U);
  const unsigned length = GENERATE(1U, 2U, 9U);
  const Grid line = mesh({5});
  Destinations destinations(5);
  destinations[0].push_back(NodeId{4});
  const Fifo fifo;
  const DimensionOrder routing = dimension_order(line);
  StoreForwardNetwork network(line, routing, fifo, theory_params(pipeline, flit_time), latency,
                              length, destinations);
  network.run();
  const unsigned visible = pipeline.route + pipeline.vc_allocation;
  const unsigned flight = pipeline.switch_allocation + pipeline.traversal + latency;
  const unsigned step = visible + flight + length * flit_time;
  CHECK(network.step() == step);
  REQUIRE(network.hops.size() == 4);
  for (unsigned hop = 0; hop < 4; ++hop) CHECK(network.hops[hop].cycle == 1 + visible + hop * step);
  // The packet streams to the node as it arrives: the first flit after the pipeline, the last one
  // on arrival.
  const std::uint64_t head = network.hops[3].cycle + flight;
  CHECK(network.tails[0] == head + std::max(visible + length - 1, (length - 1) * flit_time));
}

TEST_CASE("packets on disjoint channels advance in the same steps", "[router]") {
  const Grid grid = mesh({8, 8});
  std::vector<std::uint32_t> transposed(64);
  for (std::uint32_t v = 0; v < 64; ++v) transposed[v] = v % 8 * 8 + v / 8;
  const Figures figures = play_farthest_first(grid, one_each(transposed));
  CHECK(figures == Figures{14, 1, 0});  // 2n - 2 steps without contention, section 3.3.
}

TEST_CASE("the line under farthest-first takes the steps of the specification", "[router]") {
  CHECK(play_farthest_first(mesh({8}), draw_pairs(5, 8, 12)).steps == 7);
  CHECK(play_farthest_first(mesh({10}), draw_pairs(6, 10, 20)).steps == 9);
  CHECK(play_farthest_first(mesh({8}), perm(21, 8)) == Figures{5, 1, 0});
  CHECK(play_farthest_first(mesh({12}), perm(22, 12)) == Figures{10, 1, 0});
}

TEST_CASE("XY under farthest-first has the steps and queues of the specification", "[router]") {
  CHECK(play_farthest_first(mesh({8, 8}), perm(1, 64)) == Figures{13, 2, 1});
  CHECK(play_farthest_first(mesh({8, 8}), func(1, 64)) == Figures{11, 2, 1});
  CHECK(play_farthest_first(mesh({16, 16}), perm(2, 256)) == Figures{26, 2, 1});
  CHECK(play_farthest_first(mesh({16, 16}), func(2, 256)) == Figures{26, 2, 1});
  CHECK(play_farthest_first(mesh({6, 4}), perm(41, 24)) == Figures{7, 1, 0});
  CHECK(play_farthest_first(mesh({4, 6}), perm(41, 24)) == Figures{6, 1, 0});
}

TEST_CASE("the worst permutation under XY needs the buffers of the specification", "[router]") {
  CHECK(play_worst(3) == Figures{3, 2, 1});
  CHECK(play_worst(4) == Figures{5, 2, 1});
  CHECK(play_worst(6) == Figures{8, 3, 2});  // Q = max(2, ceil(2n/3) - 1), H = Q - 1.
  CHECK(play_worst(8) == Figures{8, 5, 4});
  CHECK(play_worst(9) == Figures{12, 5, 4});
}

TEST_CASE("three dimensions break the bound n (k - 1) by as much as specified", "[router]") {
  CHECK(play_farthest_first(mesh({4, 4, 4}), perm(1, 64)) == Figures{9, 2, 1});
  const std::vector<std::uint32_t> bad{5,  0,  24, 2,  9,  3, 20, 11, 21, 26, 4,  13, 10, 12,
                                       19, 25, 1,  18, 16, 6, 15, 7,  22, 8,  23, 17, 14};
  CHECK(play_farthest_first(mesh({3, 3, 3}), one_each(bad)).steps == 7);
}

TEST_CASE("bit fixing under first in, first out has the figures of the specification", "[router]") {
  const Fifo fifo;
  CHECK(play_cube(4, fifo, transpose(4)) == Figures{4, 1, 0});
  CHECK(play_cube(5, fifo, transpose(5)) == Figures{4, 1, 0});
  CHECK(play_cube(5, fifo, transpose(5, true)) == Figures{6, 2, 1});
  CHECK(play_cube(6, fifo, transpose(6)) == Figures{7, 2, 1});
  CHECK(play_cube(6, fifo, perm(1, 64)) == Figures{6, 2, 1});
  CHECK(play_cube(8, fifo, transpose(8)) == Figures{12, 4, 3});
  CHECK(play_cube(8, fifo, perm(1, 256)) == Figures{8, 2, 1});
}

TEST_CASE("bit fixing with the farthest packet first saves steps on the transpose", "[router]") {
  CHECK(play_cube(6, Farthest(Hypercube(6)), transpose(6)).steps == 6);
  CHECK(play_cube(8, Farthest(Hypercube(8)), transpose(8)).steps == 10);
}
