// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "clos/catalog.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

using Names = std::vector<std::uint32_t>;

Names names_in_order(std::uint32_t size) {
  Names names(size);
  std::iota(names.begin(), names.end(), 0U);
  return names;
}

Names shuffled(std::uint32_t size, std::mt19937& random) {
  Names names = names_in_order(size);
  std::shuffle(names.begin(), names.end(), random);
  return names;
}

RouteWord renamed(RouteWord route, const Names& outputs, const Names& middles) {
  RouteWord result = 0;
  for_each_link(route, [&](std::uint32_t middle, std::uint32_t k) {
    result |= leg_word(middles[middle], outputs[k]);
  });
  return result;
}

bool uses(RouteWord route, std::uint32_t middle) {
  bool found = false;
  for_each_link(route, [&](std::uint32_t by, std::uint32_t) { found = found || by == middle; });
  return found;
}

/// Random connections over free links.
clos::Configuration random_configuration(const Structure& structure, std::mt19937& random) {
  clos::Configuration routes{};
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      const LinkUse links(routes, structure);
      const auto middle = static_cast<std::uint32_t>(random() % structure.m);
      const bool reaches =
          (links.available[p / structure.n1] >> middle & 1) != 0 || uses(routes[p], middle);
      const bool leaves = (links.busy[middle] >> k & 1) == 0 && (links.open_outputs >> k & 1) != 0;
      if (reaches && leaves) routes[p] |= leg_word(middle, k);
    }
  }
  return routes;
}

/// The same configuration with new names for everything that the symmetry leaves unnamed.
clos::Configuration random_renaming(const clos::Configuration& routes, const Structure& structure,
                                    Symmetry symmetry, std::mt19937& random) {
  Names outputs = names_in_order(structure.r2);
  Names middles = names_in_order(structure.m);
  if (symmetry != Symmetry::kInputs) outputs = shuffled(structure.r2, random);
  if (symmetry == Symmetry::kMiddles) middles = shuffled(structure.m, random);
  const Names switches = shuffled(structure.r1, random);
  clos::Configuration result{};
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    const Names ports = shuffled(structure.n1, random);
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      result[switches[i] * structure.n1 + ports[t]] =
          renamed(routes[i * structure.n1 + t], outputs, middles);
    }
  }
  return result;
}

/// The strategy's answer to `wanted`, with these destination sets and available middle switches.
RouteWord answer(StrategyRule& rule, const std::array<SwitchMask, 3>& busy, SwitchMask available,
                 SwitchMask wanted, const Structure& structure) {
  LinkUse links({}, structure);
  std::copy(busy.begin(), busy.end(), links.busy.begin());
  links.available[0] = available;
  std::vector<RouteWord> routes;
  rule.find_routes(links, 0, wanted, routes);
  return routes.empty() ? 0 : routes.front();
}

SwitchMask renamed_mask(SwitchMask mask, const Names& outputs) {
  SwitchMask result = 0;
  for_each_member(mask, [&](std::uint32_t k) { result |= SwitchMask{1} << outputs[k]; });
  return result;
}

/// True if the answers to a problem and to the renamed problem are the same up to the names.
bool commutes(StrategyRule& rule, const Structure& structure, const std::array<SwitchMask, 3>& busy,
              SwitchMask available, SwitchMask wanted) {
  const RouteWord plain = answer(rule, busy, available, wanted, structure);
  Names outputs = names_in_order(structure.r2);
  do {
    std::array<SwitchMask, 3> other = busy;
    for (SwitchMask& set : other) set = renamed_mask(set, outputs);
    const RouteWord route =
        answer(rule, other, available, renamed_mask(wanted, outputs), structure);
    if (route != renamed(plain, outputs, names_in_order(structure.m))) return false;
  } while (std::next_permutation(outputs.begin(), outputs.end()));
  return true;
}

/// True if that holds for all problems with three middle and three output switches.
bool commutes_with_outputs(const std::string& strategy) {
  const Structure structure = Structure::symmetric(3, 3, 3);
  StrategyRule rule(structure, find(strategies(), strategy)->make({structure}));
  for (std::uint32_t problem = 0; problem < 1U << 15; ++problem) {
    const std::array<SwitchMask, 3> busy{problem & 7, problem >> 3 & 7, problem >> 6 & 7};
    const SwitchMask available = problem >> 9 & 7;
    const SwitchMask wanted = problem >> 12 & 7;
    if (wanted != 0 && !commutes(rule, structure, busy, available, wanted)) return false;
  }
  return true;
}

constexpr std::uint32_t kNoProblem = 1U << 15;

/// A state of three middle and three output switches, by number, for all states that a request can
/// meet.
LinkUse links_of(std::uint32_t problem, const Structure& structure) {
  LinkUse links({}, structure);
  for (std::uint32_t j = 0; j < 3; ++j) links.busy[j] = problem >> 3 * j & 7;
  links.available[0] = problem >> 9 & 7;
  return links;
}

/// The strategy's answers in all orders of the middle switches.
std::set<RouteWord> routes_in_all_orders(NamedMiddles& middles, const LinkUse& links,
                                         SwitchMask wanted) {
  std::set<RouteWord> routes;
  Names order = names_in_order(3);
  do {
    for (std::uint32_t j = 0; j < 3; ++j) {
      std::uint32_t at = j;
      while (middles.name(at) != order[j]) ++at;
      middles.swap(j, at);
    }
    if (!middles.select(links, 0, wanted).blocked()) routes.insert(middles.route());
  } while (std::next_permutation(order.begin(), order.end()));
  return routes;
}

/// The first problem whose routes differ from those of all orders, or kNoProblem.
std::uint32_t first_problem_of_open_ties(const std::string& strategy, const Structure& structure) {
  const auto make = find(strategies(), strategy)->make;
  StrategyRule rule(structure, make({structure}), Ties::kByAdversary);
  NamedMiddles middles(structure, make({structure}));
  std::vector<RouteWord> routes;
  for (std::uint32_t problem = 0; problem < kNoProblem; ++problem) {
    const LinkUse links = links_of(problem, structure);
    const SwitchMask wanted = problem >> 12 & 7;
    if (wanted == 0) continue;
    rule.find_routes(links, 0, wanted, routes);
    const auto expected = routes_in_all_orders(middles, links, wanted);
    if (std::set<RouteWord>(routes.begin(), routes.end()) != expected) return problem;
  }
  return kNoProblem;
}

}  // namespace

TEST_CASE("configurations that differ in names have one canonical form", "[clos]") {
  const auto symmetry = GENERATE(Symmetry::kInputs, Symmetry::kOutputs, Symmetry::kMiddles);
  const Structure structure =
      GENERATE(Structure::symmetric(4, 2, 3), Structure{5, 3, 2, 2, 4}, Structure{3, 1, 4, 3, 2});
  const auto canonical = [&](const clos::Configuration& routes) {
    return canonical_form(routes, structure, symmetry);
  };
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const clos::Configuration routes = random_configuration(structure, random);
    const clos::Configuration form = canonical(routes);
    REQUIRE(canonical(random_renaming(routes, structure, symmetry, random)) == form);
    REQUIRE(canonical(form) == form);
  }
}

// The numbers come from Burnside's lemma: with one connection there is one form for each number of
// legs and each division of output switches among them.
TEST_CASE("configurations that differ in more than names keep different forms", "[clos]") {
  const Structure structure = Structure::symmetric(3, 1, 3);
  std::set<clos::Configuration> forms, forms_with_middles;
  for (std::uint32_t legs = 0; legs < 64; ++legs) {
    clos::Configuration routes{};
    for (std::uint32_t k = 0; k < 3; ++k) routes[0] |= (legs >> 2 * k & 3) << 4 * k;
    forms.insert(canonical_form(routes, structure, Symmetry::kMiddles));
    forms_with_middles.insert(canonical_form(routes, structure, Symmetry::kOutputs));
  }
  CHECK(forms.size() == 7);                // Partitions of 0, 1, 2 and 3.
  CHECK(forms_with_middles.size() == 20);  // Multisets of three out of four.
}

TEST_CASE("strategies that choose by sizes of sets do not see names of output switches", "[clos]") {
  for (const auto& entry : strategies()) {
    if (entry.decides == Decides::kAtRandom) continue;
    INFO(entry.name);
    CHECK(commutes_with_outputs(entry.name) == (entry.decides == Decides::kBySizes));
  }
}

TEST_CASE("routes with open ties are those of all orders of the middle switches", "[clos]") {
  const Structure structure = Structure::symmetric(3, 3, 3);
  for (const auto& entry : strategies()) {
    if (entry.decides != Decides::kBySizes) continue;
    INFO(entry.name);
    CHECK(first_problem_of_open_ties(entry.name, structure) == kNoProblem);
  }
}

TEST_CASE("a packed configuration unpacks to itself", "[clos]") {
  std::mt19937 random(2);
  for (const Structure& structure : {Structure::symmetric(6, 3, 3), Structure::symmetric(12, 4, 4),
                                     Structure{15, 1, 1, 1, 1}, Structure{1, 4, 5, 2, 8}}) {
    const Packing packing(structure);
    std::vector<std::uint64_t> words(packing.words());
    for (int trial = 0; trial < 50; ++trial) {
      const clos::Configuration routes = random_configuration(structure, random);
      packing.pack(routes, words.data());
      REQUIRE(packing.unpack(words.data()) == routes);
    }
  }
  CHECK(Packing(Structure::symmetric(6, 3, 3)).words() == 1);
  CHECK(Packing(Structure::symmetric(12, 4, 4)).words() == 2);
}
