// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/pattern.h"
#include "traffic/random_traffic.h"
#include "workload.h"

using namespace flitcast;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers numbers(const DestinationTable& table) {
  Numbers result;
  for (const NodeId node : table) result.push_back(index(node));
  return result;
}

std::unique_ptr<Pattern> make(const std::string& name, const Grid& grid,
                              std::map<std::string, nlohmann::json> values = {}) {
  values.emplace("pattern", name);
  return find(patterns(), name)->make(workload(traffic_params(), std::move(values)), grid);
}

std::string refusal(const std::string& name, const Grid& grid) {
  return complaint([&] { make(name, grid); });
}

/// By node, of `count` nodes: how often `source` draws it in `draws` draws.
std::map<std::uint32_t, int> histogram(const Pattern& pattern, NodeId source, int draws) {
  Random random(7);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[index(pattern.destination(source, random))];
  return counts;
}

}  // namespace

TEST_CASE("permutations hit every node once", "[traffic]") {
  const auto table = GENERATE(as<DestinationTable>{}, transpose(64), bit_complement(32),
                              bit_reverse(32), shuffle(32), transpose_square(5), tornado({3, 4, 5}),
                              neighbour({3, 4, 5}), random_permutation(9, 60));
  const std::set<NodeId> hit(table.begin(), table.end());
  CHECK(hit.size() == table.size());
}

TEST_CASE("bit permutations of eight nodes are those of the literature", "[traffic]") {
  CHECK(numbers(bit_complement(8)) == Numbers{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(numbers(bit_reverse(8)) == Numbers{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(numbers(shuffle(8)) == Numbers{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(numbers(shuffle(1)) == Numbers{0});
  CHECK(numbers(bit_rotation(8)) == Numbers{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(numbers(bit_rotation(1)) == Numbers{0});
}

TEST_CASE("transpose swaps coordinates, which swaps the halves of the bits", "[traffic]") {
  CHECK(numbers(transpose_square(3)) == Numbers{0, 3, 6, 1, 4, 7, 2, 5, 8});
  const DestinationTable table = transpose(256);
  for (std::uint32_t node = 0; node < 256; ++node) {
    CHECK(index(table[node]) == (node >> 4 | (node & 15) << 4));
  }
  Random random(1);
  CHECK(make("transpose", mesh({3, 3}))->destination(NodeId{1}, random) == NodeId{3});
  CHECK(make("transpose", mesh({16}))->destination(NodeId{1}, random) == NodeId{4});
}

TEST_CASE("tornado goes ceil(k/2) - 1 round every dimension", "[traffic]") {
  CHECK(numbers(tornado({8})) == Numbers{3, 4, 5, 6, 7, 0, 1, 2});
  CHECK(numbers(tornado({5})) == Numbers{2, 3, 4, 0, 1});
  // (x + 1 mod 4, y + 1 mod 3): node 0 to (1, 1), node 3 at (3, 0) to (0, 1).
  CHECK(numbers(tornado({4, 3})) == Numbers{5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0});
  CHECK(numbers(tornado({1, 2})) == Numbers{0, 1});
}

TEST_CASE("neighbour goes one step up in every dimension", "[traffic]") {
  CHECK(numbers(neighbour({4})) == Numbers{1, 2, 3, 0});
  CHECK(numbers(neighbour({2, 3})) == Numbers{3, 2, 5, 4, 1, 0});
}

TEST_CASE("random permutations are the published instances", "[traffic]") {
  CHECK(numbers(random_permutation(1, 8)) == Numbers{4, 3, 2, 7, 5, 6, 0, 1});
  CHECK(numbers(random_permutation(42, 16)) ==
        Numbers{12, 13, 4, 2, 14, 6, 7, 8, 11, 15, 9, 10, 3, 0, 1, 5});
  Random random(99);
  CHECK(make("random_permutation", mesh({8}))->destination(NodeId{3}, random) == NodeId{7});
}

TEST_CASE("uniform traffic reaches every node equally often, itself included", "[traffic]") {
  const auto counts = histogram(Uniform(16), NodeId{5}, 16'000);
  REQUIRE(counts.size() == 16);
  for (const auto& [node, count] : counts) {
    CHECK(count > 850);  // The bound is 1000 minus 5 standard deviations of 31.
    CHECK(count < 1150);
  }
}

TEST_CASE("uniform traffic without the source reaches all others equally often", "[traffic]") {
  const auto source = GENERATE(0U, 5U, 15U);
  const auto counts = histogram(Uniform(16, false), NodeId{source}, 15'000);
  CHECK(counts.size() == 15);
  CHECK(counts.count(source) == 0);
  for (const auto& [node, count] : counts) {
    CHECK(count > 850);
    CHECK(count < 1150);
  }
}

std::unique_ptr<Pattern> hot_spots(const std::vector<int>& nodes, double fraction) {
  return make("hot_spot", mesh({4, 4}), {{"hot_spots", nodes}, {"hot_fraction", fraction}});
}

TEST_CASE("a hot spot gets its share on top of the uniform rest", "[traffic]") {
  const auto counts = histogram(*hot_spots({3, 9}, 0.5), NodeId{0}, 32'000);
  // Each of the two hot nodes gets 0.5 / 2 + 0.5 / 16 of the packets, the other nodes 0.5 / 16.
  for (const auto& [node, count] : counts) {
    const int expected = node == 3 || node == 9 ? 9'000 : 1'000;
    CHECK(count > expected * 0.85);
    CHECK(count < expected * 1.15);
  }
  CHECK(histogram(*hot_spots({3}, 1.0), NodeId{0}, 100).at(3) == 100);
}

TEST_CASE("diagonal traffic stays with two thirds and goes to the next with a third", "[traffic]") {
  const auto diagonal = make("diagonal", mesh({5}));
  CHECK(*diagonal->share(NodeId{4}, NodeId{4}) == Approx(2.0 / 3));
  CHECK(*diagonal->share(NodeId{4}, NodeId{0}) == Approx(1.0 / 3));
  CHECK(*diagonal->share(NodeId{2}, NodeId{3}) == Approx(1.0 / 3));
  CHECK(*diagonal->share(NodeId{2}, NodeId{1}) == 0);
}

TEST_CASE("asymmetric traffic goes to one's place in either half", "[traffic]") {
  const auto asymmetric = make("asymmetric", mesh({6}));
  for (const std::uint32_t source : {1U, 4U}) {
    CHECK(*asymmetric->share(NodeId{source}, NodeId{1}) == Approx(0.5));
    CHECK(*asymmetric->share(NodeId{source}, NodeId{4}) == Approx(0.5));
  }
  CHECK_THAT(refusal("asymmetric", mesh({5})), Catch::Contains("an even number"));
}

TEST_CASE("a permutation of one's own is a pattern if every node has one destination",
          "[traffic]") {
  const auto own = [](const nlohmann::json& list) {
    return make("permutation", mesh({3}), {{"permutation", {{"destinations", list}}}});
  };
  Random random(1);
  CHECK(own({2, 0, 1})->destination(NodeId{0}, random) == NodeId{2});
  CHECK(own({2, 0, 1})->destination(NodeId{2}, random) == NodeId{1});
  CHECK_THAT(complaint([&] {
               own({2, -1, 1});
             }),
             Catch::Contains("node 1 has not one destination") && Catch::Contains("matrix"));
  CHECK_THAT(complaint([&] { own({2, 0}); }), Catch::Contains("a list of 2 destinations"));
  CHECK_THAT(complaint([&] { own({2, 2, 1}); }), Catch::Contains("2 comes more than once"));
}

namespace {

std::unique_ptr<Pattern> mix_of(const std::string& parts, const Grid& grid) {
  const Section section = read_section("workload", traffic_params(),
                                       "{pattern: mix, mix: [" + parts + "]}", "mix.yaml");
  return make_pattern(section, grid, nullptr);
}

}  // namespace

TEST_CASE("a mix sends to each of its patterns in proportion to their weights", "[traffic]") {
  const auto mix =
      mix_of("{pattern: neighbour, weight: 3}, {pattern: uniform}, {pattern: tornado, weight: 0}",
             mesh({8}));
  CHECK(*mix->share(NodeId{2}, NodeId{3}) == Approx(0.75 + 0.25 / 8));
  CHECK(*mix->share(NodeId{2}, NodeId{5}) == Approx(0.25 / 8));
  const auto counts = histogram(*mix, NodeId{2}, 32'000);
  CHECK(std::abs(counts.at(3) - 25'000) < 5 * std::sqrt(25'000 * 0.22));
}

TEST_CASE("a mix refuses what its parts refuse, and no weight at all", "[traffic]") {
  CHECK_THAT(complaint([] { mix_of("{pattern: shuffle}, {pattern: bit_reverse}", mesh({5})); }),
             Catch::Contains("shuffle permutes") && Catch::Contains("bit_reverse permutes"));
  CHECK_THAT(complaint([] { mix_of("", mesh({5})); }), Catch::Contains("no pattern has a weight"));
  CHECK_THAT(complaint([] { mix_of("{pattern: uniform, weight: 0}", mesh({5})); }),
             Catch::Contains("no pattern has a weight"));
  CHECK_THAT(complaint([] { mix_of("{pattern: worst_case}", mesh({5})); }),
             Catch::Contains("not known here"));
}

TEST_CASE("patterns refuse what they are not defined on, and name counts that work", "[traffic]") {
  CHECK_THAT(refusal("shuffle", mesh({5, 4})), Catch::Contains("workload.pattern") &&
                                                   Catch::Contains("20 nodes") &&
                                                   Catch::Contains("use 16 or 32 nodes"));
  CHECK_THAT(refusal("bit_reverse", mesh({9})), Catch::Contains("use 8 or 16 nodes"));
  CHECK_THAT(refusal("bit_complement", mesh({3})), Catch::Contains("use 2 or 4 nodes"));
  CHECK_THAT(refusal("transpose", mesh({8, 4})), Catch::Contains("use 16 or 64 nodes"));
  CHECK(refusal("transpose", mesh({5, 5})).empty());
  CHECK(refusal("transpose", mesh({2, 2, 2, 2})).empty());
}

TEST_CASE("hot spots outside the network and lonely sources are refused", "[traffic]") {
  const Grid grid = mesh({4, 4});
  const auto hot = [&](const nlohmann::json& nodes) {
    return complaint([&] { make("hot_spot", grid, {{"hot_spots", nodes}}); });
  };
  CHECK_THAT(hot({3, 16}), Catch::Contains("workload.hot_spots") && Catch::Contains("no node 16") &&
                               Catch::Contains("from 0 to 15"));
  CHECK_THAT(hot(nlohmann::json::array()), Catch::Contains("empty"));
  CHECK(hot({3, 15}).empty());
  CHECK_THAT(complaint([] {
               make("uniform", mesh({1}), {{"include_self", false}});
             }),
             Catch::Contains("workload.include_self"));
}

namespace {

/// A pattern that draws from the stream and does not override share().
class Silent : public Pattern {
 public:
  NodeId destination(NodeId, Random& random) const override {
    return NodeId{static_cast<std::uint32_t>(random.below(2))};
  }
};

std::string note(const std::string& name, const Grid& grid) { return make(name, grid)->note(); }

}  // namespace

TEST_CASE("a pattern that draws tells no shares by itself, one that does not is known",
          "[traffic]") {
  CHECK_FALSE(Silent().share(NodeId{0}, NodeId{1}));
  const Permutation swap({NodeId{1}, NodeId{0}});
  CHECK(swap.share(NodeId{0}, NodeId{1}) == 1.0);
  CHECK(swap.share(NodeId{0}, NodeId{0}) == 0.0);
}

TEST_CASE("a permutation of node numbers notes if it ignores coordinates", "[traffic]") {
  CHECK(mixes_coordinates(shuffle(64), {8, 8}));
  CHECK(mixes_coordinates(transpose(64), {4, 16}));
  CHECK(mixes_coordinates(transpose(64), {4, 4, 4}));
  CHECK_FALSE(mixes_coordinates(transpose(256), {4, 4, 4, 4}));
  CHECK_FALSE(mixes_coordinates(bit_reverse(64), {8, 8}));
  CHECK_FALSE(mixes_coordinates(bit_complement(64), {16, 4}));
  CHECK_FALSE(mixes_coordinates(shuffle(64), {64}));
  CHECK_FALSE(mixes_coordinates(shuffle(8), {2, 2, 2}));
  CHECK(note("shuffle", mesh({8, 8})) ==
        "shuffle permutes the bits of the node number, regardless of the coordinates of mesh 8x8");
  CHECK_THAT(note("transpose", mesh({4, 16})), Catch::Contains("regardless"));
  CHECK(note("transpose", mesh({8, 8})).empty());
  CHECK(note("bit_reverse", mesh({8, 8})).empty());
}
