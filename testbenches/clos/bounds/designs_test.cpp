// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/designs.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

using Clocks = std::vector<std::uint64_t>;

DesignRequest ports(std::uint64_t count) { return {count, std::nullopt, std::nullopt}; }
DesignRequest limited(std::uint64_t count, std::uint64_t fan_out) { return {count, fan_out, {}}; }

/// The design by this theorem with this plan, or null.
const Design* find_design(const std::vector<Design>& all, const std::string& basis,
                          const std::string& plan) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Design& design) {
    return design.basis == basis && to_text(design.plan) == plan;
  });
  return found == all.end() ? nullptr : &*found;
}

const Design& require_design(const std::vector<Design>& all, const std::string& basis,
                             const std::string& plan) {
  const Design* design = find_design(all, basis, plan);
  INFO(basis << " " << plan);
  REQUIRE(design != nullptr);
  return *design;
}

std::size_t count_by(const std::vector<Design>& all, const std::string& basis) {
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const Design& design) { return design.basis == basis; }));
}

}  // namespace

TEST_CASE("designs come cheapest first, the crossbar among them", "[clos]") {
  for (const std::uint64_t count : {12, 16, 36, 228, 1024}) {
    const std::vector<Design> all = designs(ports(count));
    CHECK(std::is_sorted(all.begin(), all.end(), [](const Design& a, const Design& b) {
      return a.plan.crosspoints < b.plan.crosspoints;
    }));
    CHECK(require_design(all, "crossbar", "").plan.crosspoints == count * count);
  }
  CHECK(designs(ports(16)).front().basis == "crossbar");
  CHECK(designs(ports(1024)).front().plan.crosspoints == 562176);
}

TEST_CASE("every divisor of N has a three-stage design by every theorem", "[clos]") {
  const std::vector<Design> all = designs(ports(36));
  for (const std::uint64_t n : {2, 3, 4, 6, 9, 12, 18}) {
    const std::uint64_t r = 36 / n;
    const auto with = [&](std::uint64_t m) {
      return "(" + std::to_string(n) + "," + std::to_string(r) + "," + std::to_string(m) + ")";
    };
    const std::uint64_t per_middle = 2 * 36 + r * r;
    const std::uint64_t wide = theorem3(n, r).m;
    CHECK(require_design(all, "Theorem 3", with(wide)).plan.crosspoints == wide * per_middle);
    CHECK(find_design(all, "refined bound", with(refined(n, r).m)) != nullptr);
    CHECK(find_design(all, "strict sense", with(strict_sense(n, r))) != nullptr);
  }
  // There are seven three-stage designs, one of five and one of seven stages: 36 has four prime
  // factors.
  CHECK(count_by(all, "Theorem 3") == 9);
  CHECK(count_by(all, "refined bound") == 9);
  CHECK(count_by(all, "strict sense") == 9);
}

TEST_CASE("a design says in which sense it is nonblocking", "[clos]") {
  for (const Design& design : designs(ports(64))) {
    const bool strict = design.basis == "crossbar" || design.basis == "strict sense";
    CHECK(to_text(design.claim) == (strict ? "strict sense" : "wide sense"));
    for (const PlanLevel& level : design.plan.levels) {
      CHECK((level.middles.x == 0) == (design.basis == "strict sense"));
    }
  }
}

TEST_CASE("five and seven stages appear with the plans of Theorem 5", "[clos]") {
  const std::vector<Design> all = designs(ports(65536));
  const Design& five = require_design(all, "Theorem 3", "(128,512,1078) (16,32,93)");
  CHECK(five.stages() == 5);
  CHECK(five.plan.crosspoints == 346615808);
  CHECK(require_design(all, "Theorem 3", "(128,512,1078) (16,32,93) (4,8,15)").stages() == 7);
}

TEST_CASE("clocks are those of x passes, and the levels run one after another", "[clos]") {
  REQUIRE(controllers().size() == 5);
  REQUIRE(controllers()[0].name == "seq_counter");
  const std::vector<Design> all = designs(ports(16));
  // v(13, 4, 4), x = 2: 1 + 2 c + 1 with c = 13 x 4 + 1, 13 + 1, 4 + 1, 1 and 1.
  CHECK(require_design(all, "Theorem 3", "(4,4,13)").clocks == Clocks{108, 30, 12, 4, 4});
  // Inside it v(4, 2, 2), x = 1: c = 9, 5, 3, 1 and 1.
  CHECK(require_design(all, "Theorem 3", "(4,4,13) (2,2,4)").clocks ==
        Clocks{108 + 11, 30 + 7, 12 + 5, 4 + 3, 4 + 3});
  // Strict sense has no limit, so there are as many passes as output switches.
  CHECK(require_design(all, "strict sense", "(2,8,9)").clocks ==
        Clocks{2 + 8 * 73, 2 + 8 * 10, 2 + 8 * 9, 2 + 8, 2 + 8});
  CHECK(require_design(all, "crossbar", "").clocks.empty());
}

TEST_CASE("a fan-out limit saves middle switches, by Corollary 1", "[clos]") {
  const std::vector<Design> all = designs(limited(1024, 4));
  CHECK(find_design(all, "Theorem 3", "(32,32,192)") == nullptr);
  CHECK(require_design(all, "Corollary 1", "(32,32,125)").claim == Nonblocking::kWideSense);
  // 31 x 5 + 1 middle switches; as many passes as output switches, 4 at most.
  CHECK(require_design(all, "strict sense", "(32,32,156)").clocks.back() == 2 + 4);
  const std::vector<Design> unlimited = designs(ports(1024));
  CHECK(all.front().plan.crosspoints < unlimited.front().plan.crosspoints);
  CHECK(designs(limited(64, 1000)).size() == designs(ports(64)).size());
  CHECK(designs(limited(64, 64)).front().basis == designs(ports(64)).front().basis);
}

TEST_CASE("only one destination per connection allows for rearrangeable designs", "[clos]") {
  const std::vector<Design> all = designs(limited(1024, 1));
  CHECK(require_design(all, "Clos", "(16,64,31)").plan.crosspoints == 190464);
  const Design& rearranged = require_design(all, "Slepian and Duguid", "(16,64,16)");
  CHECK(to_text(rearranged.claim) == "rearrangeable");
  CHECK(rearranged.clocks.empty());
  for (const Design& design : designs(limited(1024, 2))) {
    CHECK(design.claim != Nonblocking::kRearrangeable);
  }
}

TEST_CASE("connections that share links need the middle switches of Theorem 10", "[clos]") {
  const std::vector<Design> half = designs({32, std::nullopt, Rate{1, 2}});
  CHECK(require_design(half, "Theorem 10", "(4,8,29)").claim == Nonblocking::kWideSense);
  CHECK(count_by(half, "Theorem 3") == 0);
  const std::vector<Design> most = designs({32, std::nullopt, Rate{2, 3}});
  CHECK(find_design(most, "Theorem 3", "(4,8,15)") != nullptr);  // No two connections share a link.
  const std::vector<Design> unicast = designs({32, 1, Rate{1, 2}});
  CHECK(require_design(unicast, "Corollary 4", "(4,8,13)").claim == Nonblocking::kStrictSense);
}

TEST_CASE("a prime number of ports leaves the crossbar only", "[clos]") {
  for (const std::uint64_t count : {1, 2, 3, 13, 65537}) {
    const std::vector<Design> all = designs(ports(count));
    REQUIRE(all.size() == 1);
    CHECK(all.front().basis == "crossbar");
    CHECK(all.front().stages() == 1);
  }
}

TEST_CASE("the largest networks are listed without overflow", "[clos]") {
  CHECK(designs(ports(1 << 24)).front().stages() == 5);
  CHECK(designs(limited(14414400, 1)).front().claim == Nonblocking::kRearrangeable);
}

TEST_CASE("requests that no network fits are refused", "[clos]") {
  CHECK_THROWS_AS(designs(ports(0)), std::invalid_argument);
  CHECK_THROWS_AS(designs(ports((1 << 24) + 1)), std::invalid_argument);
  CHECK_THROWS_AS(designs(limited(16, 0)), std::invalid_argument);
  CHECK_THROWS_AS(designs({16, std::nullopt, Rate{0, 1}}), std::invalid_argument);
  CHECK_THROWS_AS(designs({16, std::nullopt, Rate{3, 2}}), std::invalid_argument);
}
