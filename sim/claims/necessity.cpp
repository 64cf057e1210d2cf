// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: the strategies, and numbers of middle switches that are necessary.
// Switches have numbers from 1 in parameters and figures, as on the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "clos/adversaries/lemma1.h"
#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/minimum/minimum_search.h"
#include "sim/claims/control_input.h"
#include "sim/claims/statement.h"
#include "sim/claims/switch_sets.h"

namespace flitcast::claims {
namespace {

/// The smallest m that never blocks under a strategy, by search of all states.
std::uint32_t smallest_middles(const Section& parameters, const std::string& strategy) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  clos::MinimumParams search;
  search.strategy = strategy;
  search.limits.most_states = 1'000'000;
  search.shortening_states = 1000;
  for (std::uint32_t m = 1; n * r <= clos::kMostSearchInputs && r <= 8; ++m) {
    const clos::MiddleVerdict verdict = clos::check_middles(network_of(m, n, r), search);
    if (verdict.outcome == clos::SearchOutcome::kNeverBlocks) return m;
    if (verdict.outcome == clos::SearchOutcome::kNoVerdict) break;
  }
  parameters.fail("n", "there are too many states", "take (2,2), (2,3), (2,4), (3,2) or (4,2)");
}

/// The number of faults in the choices of the strategies for an input, by their definitions.
std::size_t strategy_faults(const ControlInput& input) {
  const clos::Selection one = selected_by("S1", input);
  const clos::Selection two = selected_by("S2", input);
  const clos::Selection three = selected_by("S3", input);
  const bool blocked = unservable(input).any();
  std::size_t faults = 0;
  for (const clos::Selection* selection : {&one, &two, &three}) {
    BitSet rest = input.wanted;
    BitSet unserved = input.wanted;
    for (std::size_t leg = 0; leg < selection->size(); ++leg) {
      rest &= input.sets.set_of(index(selection->middle(leg)));
      unserved -= selection->served_set(leg);
    }
    if (selection->blocked() != blocked) ++faults;
    if (!blocked && (rest.any() || unserved.any())) ++faults;
  }
  if (two.size() > one.size()) ++faults;
  ControlInput used = input;
  input.available.for_each([&](std::size_t j) {
    if (input.sets.set_of(j).none()) used.available.reset(j);
  });
  for (std::size_t leg = 0; leg < three.size(); ++leg) {
    const bool empty = input.sets.set_of(index(three.middle(leg))).none();
    if (empty && unservable(used).none()) ++faults;
  }
  return faults;
}

/// The strategies on one request, on random ones, and their smallest m.
Figures strategy_minimum(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const ControlInput shown = control_input_of(parameters, 0);
  Random random(parameters.count("seed"));
  std::size_t faults = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    faults += strategy_faults(drawn_input(1 + random.below(8), 1 + random.below(8), random));
  }
  Figures figures;
  figures.values = {{"smallest_m", smallest_middles(parameters, parameters.text("strategy"))},
                    {"strict_sense", clos::strict_sense(n, r)},
                    {"theorem_3", clos::theorem3(n, r).m},
                    {"faults", faults}};
  for (const char* strategy : {"S1", "S2", "S3"}) {
    const clos::Selection selection = selected_by(strategy, shown);
    figures.values[std::string(strategy) + "_takes"] = middles_of_route(selection);
    figures.values[std::string(strategy) + "_serves"] = served_by_route(selection);
  }
  return figures;
}

Figures any_strategy(const Section& parameters) {
  Figures figures;
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  std::uint64_t least = clos::strict_sense(n, r);
  figures.values["any_strategy"] = smallest_middles(parameters, clos::kAnyStrategy);
  figures.values["strict_sense"] = least;
  for (const char* strategy : {"S1", "S2", "S3"}) {
    if (n * r > 8) break;  // The search of their states takes minutes.
    const std::uint32_t smallest = smallest_middles(parameters, strategy);
    figures.values[strategy] = smallest;
    least = std::min<std::uint64_t>(least, smallest);
  }
  figures.values["least_of_strategies"] = least;
  figures.values["n_squared"] = n * n;
  return figures;
}

/// Connections by legal routes with which the first port of v(m, n, r) cannot reach the first
/// output switch: the other ports of its switch have one middle switch for each other output
/// switch, and the output switch is reached over n - 1 more.
bool blocks_at_worst(const clos::Structure& network) {
  clos::NetworkState state(network);
  std::uint32_t middle = 0;
  for (std::uint32_t p = 1; p < network.n1; ++p) {
    clos::Route route(network.r2);
    std::vector<clos::OutputId> outputs;
    for (std::uint32_t k = 1; k < network.r2 && middle < network.m; ++k) {
      route.add(clos::MiddleId(middle++), k);
      outputs.push_back(clos::OutputId(k * network.n2 + p));
    }
    if (!outputs.empty()) state.connect(clos::InputId(p), outputs, route);
  }
  for (std::uint32_t p = 1; p < network.n2 && middle < network.m; ++p) {
    clos::Route route(network.r2);
    route.add(clos::MiddleId(middle++), std::size_t{0});
    state.connect(clos::InputId(network.n1 + p), {clos::OutputId(p)}, route);
  }
  ControlInput input{BitSet(network.r2), state.available(0), state.destination_sets()};
  input.wanted.set(0);
  state.verify();
  return unservable(input).any() || input.available.none();
}

Figures strict_sense_states(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  std::size_t m = 1;
  while (blocks_at_worst(network_of(m, n, r))) ++m;
  const auto growth = std::log(static_cast<double>(r));
  Figures figures;
  figures.values = {{"smallest_m", m},
                    {"blocks_at", m - 1},
                    {"strict_sense", clos::strict_sense(n, r)},
                    {"theorem_3", clos::theorem3(n, r).m}};
  if (r >= 3) figures.values["growth"] = static_cast<double>(n) * growth / std::log(growth);
  if ((n == 2 && r <= 4) || (n == 3 && r == 2)) {
    clos::MinimumParams search;
    search.strategy = clos::kStrictStrategy;
    search.counting = false;
    std::uint32_t searched = 1;
    while (clos::check_middles(network_of(searched, n, r), search).outcome !=
           clos::SearchOutcome::kNeverBlocks) {
      ++searched;
    }
    figures.values["searched"] = searched;
  } else {
    figures.values["searched"] = m;
  }
  return figures;
}

// Lemma 1 and the theorems that follow from it.

/// The sets, without any for sizes that would take too long.
clos::Lemma1Family family_of(const Section& parameters, bool pairs) {
  const auto n = static_cast<std::uint32_t>(parameters.count("n"));
  const auto m = static_cast<std::uint32_t>(parameters.count("m"));
  const auto x = static_cast<std::uint32_t>(parameters.count("x"));
  double tuples = n;
  for (std::uint32_t i = 0; i < x; ++i) tuples *= static_cast<double>(m - i) / (i + 1);
  if (x < 1 || x >= n || x > m) {
    parameters.fail("x", "there are no such sets", "take x from 1 to n - 1, and m of at least x");
  }
  if (tuples > 5000) return {};
  clos::Lemma1Search search;
  search.tries = tuples < 200 ? 16 : 1;
  search.pairs = pairs;
  return clos::lemma1_family(n, x, m, search);
}

Figures lemma_1_family(const Section& parameters) {
  const clos::Lemma1Family family = family_of(parameters, false);
  std::vector<std::size_t> holders(family.r + 1);
  Figures figures;
  figures.values["built"] = family.r > 0;
  figures.values["r"] = family.r;
  const auto add = [&](const std::vector<BitSet>& sets, const char* name) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (family.r <= 64) figures.values[name + std::to_string(i + 1)] = text_of_set(sets[i]);
      sets[i].for_each([&](std::size_t k) { ++holders[k]; });
    }
  };
  add(family.requests, "I_");
  add(family.destination_sets, "M_");
  figures.values["most_holders"] = *std::max_element(holders.begin(), holders.end());
  figures.values["faults"] = clos::fault_of(family, false) ? 1 : 0;
  return figures;
}

/// The middle switches that each request of a family gets; 0: it is blocked.
std::vector<std::size_t> middles_of_family(const clos::Lemma1Family& family, std::size_t m,
                                           const std::string& strategy) {
  clos::Structure network = clos::lemma1_network(family);
  network.m = static_cast<std::uint32_t>(m);
  clos::ConnectionAdmission control(network, clos::strategies().find(strategy)->make({network}));
  std::vector<std::size_t> middles;
  for (const clos::Multicast& request : clos::lemma1_requests(family)) {
    middles.push_back(control.connect(request.input, request.outputs).size());
  }
  return middles;
}

/// The most middle switches of v(m, n, 4) for which a short search finds a state that blocks.
std::uint32_t blocks_by_search(std::size_t n, const std::string& strategy) {
  clos::MinimumParams search;
  search.strategy = strategy;
  search.limits.most_states = 100'000;
  search.shortening_states = 0;
  std::uint32_t m = 0;
  while (n <= 5 && clos::check_middles(network_of(m + 1, n, 4), search).outcome ==
                       clos::SearchOutcome::kBlocks) {
    ++m;
  }
  return m;
}

/// The requests of Lemma 1 under a strategy, with m and with n^2 middle switches.
Figures lemma_1_requests(const Section& parameters) {
  const clos::Lemma1Family family = family_of(parameters, true);
  if (family.r == 0) {
    parameters.fail("m", "such sets take long", "take m and x so that n C(m,x) is at most 5000");
  }
  const std::size_t r = std::max<std::size_t>(parameters.count("r"), family.r);
  if (parameters.count("r") != 0 && parameters.count("r") < family.r) {
    parameters.fail("r", "is too small for the sets", fmt::format("take at least {}", family.r));
  }
  const std::string strategy = parameters.text("strategy");
  const std::size_t n = family.n;
  const std::size_t m = family.m();
  const std::vector<std::size_t> middles = middles_of_family(family, m, strategy);
  const std::vector<std::size_t> with_n_squared = middles_of_family(family, n * n, strategy);
  const auto first = std::find(middles.begin(), middles.end(), std::size_t{0});
  std::size_t least = m;
  std::vector<std::size_t> requests(middles.begin() + static_cast<std::ptrdiff_t>(m),
                                    middles.end());
  for (const std::size_t taken : requests) least = taken == 0 ? least : std::min(least, taken);
  const auto event = static_cast<std::size_t>(first - middles.begin()) + 1;
  const bool blocks = first != middles.end();
  const std::uint32_t searched = strategy == "S3" ? blocks_by_search(n, strategy) : 0;
  return {{{"middles", middles},
           {"search_blocks_at", searched},
           {"I_takes", requests},
           {"I_least", least},
           {"blocks", blocks},
           {"event", blocks ? event : 0},
           {"events", middles.size()},
           {"blocked", blocks && event > m ? fmt::format("I_{}", event - m) : "none"},
           {"M_most",
            *std::max_element(middles.begin(), middles.begin() + static_cast<std::ptrdiff_t>(m))},
           {"built_r", family.r},
           {"r", r},
           {"faults", clos::fault_of(family) ? 1 : 0},
           {"n_squared", n * n},
           {"n_squared_blocks",
            std::count(with_n_squared.begin(), with_n_squared.end(), std::size_t{0})},
           {"theorem_3", clos::theorem3(n, r).m},
           {"refined", clos::refined(n, r).m}}};
}

}  // namespace

std::vector<Machine> necessity_machines() {
  const Param n = Param::integer("n", "", "Ports of an input switch.", 1, 4096);
  const Param many_n = Param::integer("n", "", "Ports of an input switch.", 2, 4096);
  const Param r = Param::integer("r", "", "Output switches.", 1, 1e9);
  const Param m = Param::integer("m", "", "Middle switches; 0: those of Theorem 3.", 0, 4096);
  const Param seed = Param::integer("seed", "", "Seed of random states.", 1, 1e9).defaults_to(1);
  const Param sets = Param::texts("M", "Destination sets, such as {1,2,4}.");
  const Param wanted = Param::integers("I", "", "Output switches of the request.", 1, 4096);
  const Param size = Param::integer("r", "", "Output switches; 0: those that are named.", 0, 4096);
  const Param x = Param::integer("x", "", "Middle switches of a connection.", 0, 64);
  const Param strategy = Param::choice("strategy", "The strategy.", {"S1", "S2", "S3"});
  return {
      {"strategy_minimum",
       "A strategy beside the others, and its smallest m.",
       {n, Param(r), strategy, sets, wanted, seed},
       strategy_minimum},
      {"any_strategy", "The smallest m of all strategies.", {n, r}, any_strategy},
      {"strict_sense_states",
       "States that block legal routes.",
       {many_n, Param::integer("r", "", "Output switches.", 2, 256)},
       strict_sense_states},
      {"lemma_1_family", "The sets of Lemma 1.", {many_n, m, x}, lemma_1_family},
      {"lemma_1_requests",
       "The requests of Lemma 1 under a strategy.",
       {many_n, m, x, Param(size).defaults_to(0), strategy},
       lemma_1_requests},
  };
}

}  // namespace flitcast::claims
