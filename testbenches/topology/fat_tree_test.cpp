// SPDX-License-Identifier: Apache-2.0
#include "topology/fat_tree.h"

#include <set>
#include <stdexcept>
#include <string>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

// A switch <w, l> of the definition: switch_digits w_(n-2) .. w_0, the lowest at the end.
std::string switch_digits(std::size_t number, std::size_t arity, std::size_t count) {
  std::string text;
  for (std::size_t d = 0; d < count; ++d, number /= arity) {
    text.insert(text.begin(), static_cast<char>('0' + number % arity));
  }
  return text;
}

}  // namespace

TEST_CASE("switches of neighbouring levels are linked if they differ in that level's digit only",
          "[topology]") {
  for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{2, 4}, {3, 3}, {4, 2}}) {
    const FatTree tree = k_ary_n_tree(k, n);
    INFO(tree.name());
    const std::size_t per_level = tree.switches(0);
    std::set<std::pair<std::uint32_t, std::uint32_t>> linked;
    for (const Channel& channel : tree.channels()) {
      CHECK(linked.emplace(index(channel.from.router), index(channel.to.router)).second);
    }
    std::size_t expected = 0;
    for (std::uint32_t a = 0; a < tree.router_count(); ++a) {
      for (std::uint32_t b = 0; b < tree.router_count(); ++b) {
        const std::size_t level = std::min(a, b) / per_level;
        if (std::max(a, b) / per_level != level + 1) continue;
        std::string w = switch_digits(a % per_level, k, n - 1);
        std::string v = switch_digits(b % per_level, k, n - 1);
        w[n - 2 - level] = v[n - 2 - level] = '*';
        CHECK((w == v) == (linked.count({a, b}) == 1));
        expected += w == v ? 1 : 0;
      }
    }
    CHECK(linked.size() == expected);
  }
}

TEST_CASE("the nodes whose numbers agree but for the last digit share a leaf", "[topology]") {
  const FatTree tree = k_ary_n_tree(4, 3);
  CHECK(tree.node_count() == 64);
  CHECK(tree.router_count() == 3 * 16);
  CHECK(tree.channels().size() == 2 * 2 * 64);
  const Attachment at = tree.attachment(NodeId{27});
  CHECK(at.injection == Endpoint{RouterId{6}, PortId{3}});
  CHECK(at.ejection == Endpoint{RouterId{6}, PortId{3}});
  CHECK(tree.node_grid() == std::vector<std::size_t>{4, 4, 4});
}

TEST_CASE("every leaf is linked to every spine", "[topology]") {
  const FatTree clos = folded_clos(5, 3, 2);
  CHECK(clos.node_count() == 15);
  CHECK(clos.router_count() == 5);
  std::set<std::pair<std::uint32_t, std::uint32_t>> linked;
  for (const Channel& channel : clos.channels()) {
    linked.emplace(index(channel.from.router), index(channel.to.router));
  }
  for (std::uint32_t leaf = 0; leaf < 3; ++leaf) {
    for (std::uint32_t spine = 3; spine < 5; ++spine) {
      CHECK(linked.count({leaf, spine}) == 1);
      CHECK(linked.count({spine, leaf}) == 1);
    }
  }
  CHECK(linked.size() == 12);
}

TEST_CASE("fat trees outside the limits are refused", "[topology]") {
  CHECK_THROWS_AS(k_ary_n_tree(2, 0), std::invalid_argument);
  CHECK_THROWS_AS(k_ary_n_tree(0, 2), std::invalid_argument);
  CHECK_THROWS_AS(k_ary_n_tree(65, 2), std::invalid_argument);
  CHECK_THROWS_AS(k_ary_n_tree(2, 22), std::invalid_argument);  // It would have 22 * 2^21 switches.
  CHECK_THROWS_AS(k_ary_n_tree(64, 5), std::invalid_argument);
  CHECK_THROWS_AS(folded_clos(64, 2, 65), std::invalid_argument);
  CHECK_THROWS_AS(folded_clos(1, 129, 1), std::invalid_argument);
  CHECK_THROWS_AS(FatTree("no parents", {{2, 0}, {2, 0}}), std::invalid_argument);
  CHECK_NOTHROW(folded_clos(64, 2, 64));
}
