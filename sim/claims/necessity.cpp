// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: the strategies, worst states, and numbers of middle switches that are
// necessary.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/sequences.h"
#include "clos/adversaries/lemma1.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/minimum/minimum_search.h"
#include "sim/claims/clos_trial.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

// Worst states.

/// A state of v(m, n, r) under legal routes that is bad for a request from the first port to the
/// first output switch. The other ports of its switch have a middle switch for each of d other
/// output switches, and n - 1 more middle switches lead to the first output switch, as long as
/// middle switches are left.
clos::MultirateState worst_state(std::size_t m, std::size_t n, std::size_t r, std::size_t d) {
  clos::MultirateState state(structure_of(m, n, r), {});
  std::size_t middle = 0;
  for (std::size_t p = 1; p < n; ++p) {
    clos::Route route(r);
    for (std::size_t l = 1; l <= d && middle < m; ++l) {
      route.add(to_id<clos::MiddleId>(middle++), l % r);
    }
    connect_by(state, p, route);
  }
  for (std::size_t p = 1; p < n && d < r && middle < m; ++p) {
    connect_by(state, n + p, route_over(middle++, 0, r));
  }
  state.verify();
  return state;
}

/// The smallest m for which the worst state does not block; d is at most r - 1.
std::size_t middles_at_worst(std::size_t n, std::size_t r, std::size_t d) {
  BitSet wanted(r);
  wanted.set(0);
  for (std::size_t m = 1;; ++m) {
    const clos::Question worst = control_input_in(worst_state(m, n, r, d), 0, 1, wanted);
    if (clos::unserved_by(worst, worst.candidates).none()) return m;
  }
}

Figures one_to_one(const Section& parameters) {
  const auto [n, r] = counts_in(parameters, "n", "r");
  const std::size_t m = middles_at_worst(n, r, 1);
  std::uint64_t requests = 0;
  std::uint64_t blocked = 0;
  for (const clos::StrategyEntry& strategy : clos::strategies()) {
    Traffic traffic{structure_of(m, n, r)};
    traffic.strategy = strategy.name;
    traffic.most_fan_out = 1;
    traffic.seed = parameters.count("seed");
    traffic.events = parameters.count("events");
    const clos::TrafficCounts counts = play(traffic);
    requests += counts.requests;
    blocked += counts.blocked;
  }
  return {{{"m", m},
           {"blocking", m - 1},
           {"corollary_1", clos::corollary1(n, 1).m},
           {"strict", clos::strict_sense(n, r, 1)},
           {"requests", requests},
           {"blocked", blocked}}};
}

Figures strict_sense_states(const Section& parameters) {
  const auto [n, r] = counts_in(parameters, "n", "r");
  const std::size_t m = middles_at_worst(n, r, r - 1);
  const bool small = (n == 2 && r <= 4) || (n == 3 && r == 2);
  return {{{"smallest_m", m},
           {"blocks_at", m - 1},
           {"strict_sense", clos::strict_sense(n, r)},
           {"theorem_3", clos::theorem3(n, r).m},
           {"searched", small ? searched_middles(n, r, clos::kStrictStrategy).value_or(0) : 0}}};
}

/// The middle switches available to requests, in the worst state and in random ones.
Figures control_available(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const std::size_t x = parameters.count("x") == 0 ? clos::theorem3(n, r).x : parameters.count("x");
  const std::size_t needed = clos::scaled_root(n - 1, r, x) + 1;
  const std::size_t least_m = (n - 1) * x + needed;
  const std::size_t m = parameters.count("m") == 0 ? least_m : parameters.count("m");
  if (m < least_m) {
    parameters.fail("m", "is below Theorem 3", fmt::format("take at least {}", least_m));
  }
  Traffic traffic{structure_of(m, n, r)};
  traffic.most_middles = x;
  traffic.seed = parameters.count("seed");
  std::size_t smallest = m;
  const auto available = [&](const clos::MultirateState& state) {
    return control_input_in(state, 0, 1, BitSet(r)).candidates.count();
  };
  const clos::TrafficCounts counts = play(traffic, [&](const clos::MultirateState& state) {
    bool idle = false;
    for (std::uint32_t p = 0; p < n; ++p) idle |= state.fits(clos::InputId{p}, 1);
    if (idle) smallest = std::min(smallest, available(state));
  });
  return {{{"available", available(worst_state(m, n, r, x))},
           {"needed", needed},
           {"m", m},
           {"x", x},
           {"smallest_seen", smallest},
           {"passes", counts.most_passes},
           {"blocked", counts.blocked}}};
}

// Strategies.

/// The smallest m that never blocks under a strategy.
std::uint32_t smallest_middles(const Section& parameters, const std::string& strategy) {
  const auto m = searched_middles(parameters.count("n"), parameters.count("r"), strategy);
  if (m) return *m;
  parameters.fail("n", "there are too many states", "take (2,2), (2,3), (2,4), (3,2) or (4,2)");
}

/// The number of faults in the choices of the strategies for an input, by their definitions.
std::size_t strategy_faults(const clos::Question& input) {
  const clos::Selection one = selected_by("S1", input);
  const clos::Selection two = selected_by("S2", input);
  const clos::Selection three = selected_by("S3", input);
  std::size_t faults =
      route_faults(one, input) + route_faults(two, input) + route_faults(three, input);
  if (two.size() > one.size()) ++faults;
  clos::Question used = input;
  input.candidates.for_each([&](std::size_t j) {
    if (input.busy.set_of(j).none()) used.candidates.reset(j);
  });
  for (std::size_t leg = 0; leg < three.size(); ++leg) {
    const bool empty = input.busy.set_of(index(three.middle(leg))).none();
    if (empty && clos::unserved_by(used, used.candidates).none()) ++faults;
  }
  return faults;
}

/// The strategies on one request, on random ones, and their smallest m.
Figures strategy_minimum(const Section& parameters) {
  const auto [n, r] = counts_in(parameters, "n", "r");
  Random random(parameters.count("seed"));
  std::size_t faults = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    faults += strategy_faults(drawn_input(1 + random.below(8), 1 + random.below(8), random));
  }
  Figures figures{{{"smallest_m", smallest_middles(parameters, parameters.text("strategy"))},
                   {"strict_sense", clos::strict_sense(n, r)},
                   {"theorem_3", clos::theorem3(n, r).m},
                   {"faults", faults}}};
  const clos::Question shown = control_input_of(parameters, 0);
  for (const std::string strategy : {"S1", "S2", "S3"}) {
    add_route(selected_by(strategy, shown), strategy + "_takes", strategy + "_serves", figures);
  }
  return figures;
}

Figures any_strategy(const Section& parameters) {
  const auto [n, r] = counts_in(parameters, "n", "r");
  std::uint64_t least = clos::strict_sense(n, r);
  Figures figures;
  figures["any_strategy"] = smallest_middles(parameters, clos::kAnyStrategy);
  figures["strict_sense"] = least;
  for (const char* strategy : {"S1", "S2", "S3"}) {
    if (n * r > 8) break;  // The search of their states takes minutes.
    const std::uint32_t smallest = smallest_middles(parameters, strategy);
    figures[strategy] = smallest;
    least = std::min<std::uint64_t>(least, smallest);
  }
  figures["least_of_strategies"] = least;
  return figures;
}

// Lemma 1 and the theorems that follow from it.

/// The sets of Lemma 1; none for sizes that would take too long.
clos::Lemma1Family lemma_family(const Section& parameters, bool pairs) {
  const auto n = static_cast<std::uint32_t>(parameters.count("n"));
  const auto m = static_cast<std::uint32_t>(parameters.count("m"));
  const auto x = static_cast<std::uint32_t>(parameters.count("x"));
  double tuples = n;
  for (std::uint32_t i = 0; i < x; ++i) tuples *= static_cast<double>(m - i) / (i + 1);
  if (tuples > 5000) return {};
  clos::Lemma1Search search;
  search.tries = tuples < 200 ? 16 : 1;
  search.pairs = pairs;
  return clos::lemma1_family(n, x, m, search);
}

Figures lemma_1_family(const Section& parameters) {
  const clos::Lemma1Family family = lemma_family(parameters, false);
  std::vector<std::size_t> holders(family.r + 1);
  Figures figures;
  figures["built"] = family.r > 0;
  figures["r"] = family.r;
  const auto add = [&](const std::vector<BitSet>& sets, const char* name) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (family.r <= 64) figures[name + std::to_string(i + 1)] = clos::in_lecture(sets[i]);
      sets[i].for_each([&](std::size_t k) { ++holders[k]; });
    }
  };
  add(family.requests, "I_");
  add(family.destination_sets, "M_");
  figures["most_holders"] = *std::max_element(holders.begin(), holders.end());
  figures["faults"] = clos::fault_of(family, false) ? 1 : 0;
  return figures;
}

/// The middle switches that each request of a family gets; 0: it is blocked.
std::vector<std::size_t> middles_of_family(const clos::Lemma1Family& family, std::size_t m,
                                           const std::string& strategy) {
  clos::Structure network = clos::lemma1_network(family);
  network.m = static_cast<std::uint32_t>(m);
  clos::ConnectionAdmission control(network, clos::strategies().find(strategy)->make({network}));
  return mapped(clos::lemma1_requests(family), [&](const clos::Multicast& request) {
    return control.connect(request.input, request.outputs).size();
  });
}

/// The most middle switches of v(m, n, 4) for which a short search finds a state that blocks.
std::uint32_t blocks_by_search(std::size_t n, const std::string& strategy) {
  clos::MinimumParams search;
  search.strategy = strategy;
  search.limits.most_states = 100'000;
  search.shortening_states = 0;
  std::uint32_t m = 0;
  while (n <= 5 && clos::check_middles(structure_of(m + 1, n, 4), search).outcome ==
                       clos::SearchOutcome::kBlocks) {
    ++m;
  }
  return m;
}

/// The requests of Lemma 1 under a strategy, with m and with n^2 middle switches.
Figures lemma_1_requests(const Section& parameters) {
  const clos::Lemma1Family family = lemma_family(parameters, true);
  if (family.r == 0) {
    parameters.fail("m", "such sets take long", "take m and x so that n C(m,x) is at most 5000");
  }
  if (parameters.count("r") != 0 && parameters.count("r") < family.r) {
    parameters.fail("r", "is too small for the sets", fmt::format("take at least {}", family.r));
  }
  const std::size_t r = std::max<std::size_t>(parameters.count("r"), family.r);
  const std::string strategy = parameters.text("strategy");
  const std::size_t n = family.n;
  const std::size_t m = family.m();
  const std::vector<std::size_t> middles = middles_of_family(family, m, strategy);
  const std::vector<std::size_t> with_n_squared = middles_of_family(family, n * n, strategy);
  const auto first = std::find(middles.begin(), middles.end(), std::size_t{0});
  const bool blocks = first != middles.end();
  const std::size_t event = blocks ? static_cast<std::size_t>(first - middles.begin()) + 1 : 0;
  return {{{"middles", middles},
           {"search_blocks_at", strategy == "S3" ? blocks_by_search(n, strategy) : 0},
           {"blocks", blocks},
           {"event", event},
           {"blocked", event > m ? fmt::format("I_{}", event - m) : "none"},
           {"r", r},
           {"faults", clos::fault_of(family) ? 1 : 0},
           {"n_squared_blocks",
            std::count(with_n_squared.begin(), with_n_squared.end(), std::size_t{0})},
           {"theorem_3", clos::theorem3(n, r).m}}};
}

}  // namespace

FigureMakers necessity_makers() {
  return {{"one_to_one", one_to_one},
          {"strict_sense_states", strict_sense_states},
          {"control_available", control_available},
          {"strategy_minimum", strategy_minimum},
          {"any_strategy", any_strategy},
          {"lemma_1_family", lemma_1_family},
          {"lemma_1_requests", lemma_1_requests}};
}

}  // namespace flitcast::claims
