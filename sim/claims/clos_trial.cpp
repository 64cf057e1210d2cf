// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/clos_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <regex>
#include <stdexcept>

#include "base/sequences.h"
#include "clos/catalog.h"
#include "clos/minimum/minimum_search.h"
#include "clos/multirate/multirate_traffic.h"
#include "config/wording.h"
#include "topology/catalog.h"

namespace flitcast::claims {

clos::Structure structure_of(std::size_t m, std::size_t n1, std::size_t r1, std::size_t n2,
                             std::size_t r2) {
  const auto narrow = [](std::size_t size) { return static_cast<std::uint32_t>(size); };
  return {narrow(m), narrow(n1), narrow(r1), narrow(n2), narrow(r2)};
}

std::vector<std::size_t> members_in(const std::string& text) {
  const std::regex number(text.find('{') == std::string::npos ? "\\d" : "\\d+");
  const std::vector<std::string> found(std::sregex_token_iterator(text.begin(), text.end(), number),
                                       {});
  return mapped(found, [](const std::string& one) {
    return number_in<std::size_t>(one).value_or(std::numeric_limits<std::size_t>::max());
  });
}

std::vector<std::size_t> members_of(const BitSet& set) {
  std::vector<std::size_t> members;
  set.for_each([&](std::size_t member) { members.push_back(member + 1); });
  return members;
}

std::vector<std::vector<std::size_t>> members_of(const BitMatrix& sets) {
  return tabulated(sets.rows(), [&](std::size_t j) { return members_of(sets.set_of(j)); });
}

BitSet set_of(const std::vector<std::size_t>& members, std::size_t size) {
  BitSet set(size);
  for (const std::size_t member : members) set.set(member - 1);
  return set;
}

BitSet set_of_bits(std::size_t bits, std::size_t size) {
  const SetWord word = bits & (~SetWord{0} >> (64 - size));
  return {size, &word};
}

clos::Question control_input_of(const Section& parameters, std::size_t r) {
  const std::vector<std::vector<std::size_t>> sets = mapped(parameters.texts("M"), members_in);
  const std::vector<std::size_t> wanted = counts_of(parameters, "I");
  if (sets.empty() || wanted.empty()) {
    parameters.fail("I", "there is no request", "give sets M=[{1,2},{2}] and I={1,2}");
  }
  std::vector<std::size_t> all = wanted;
  for (const std::vector<std::size_t>& set : sets) append(all, set);
  const auto [least, largest] = std::minmax_element(all.begin(), all.end());
  if (*least == 0) parameters.fail("M", "names a switch 0", "take switches from 1 to r");
  if (r == 0) r = *largest;
  if (*largest > r) parameters.fail("M", "names a switch above r", "take switches from 1 to r");
  clos::Question input{{}, set_of(wanted, r), BitSet::full(sets.size()), {sets.size(), r}};
  for (std::size_t j = 0; j < sets.size(); ++j) input.busy.assign(j, set_of(sets[j], r));
  return input;
}

clos::Question drawn_input(std::size_t m, std::size_t r, Random& random) {
  const auto drawn = [&](std::size_t size, std::size_t percent) {
    BitSet set(size);
    for (std::size_t member = 0; member < size; ++member) {
      if (random.below(100) < percent) set.set(member);
    }
    return set;
  };
  clos::Question input{{}, drawn(r, 50), drawn(m, 60), {m, r}};
  input.wanted.set(random.below(r));
  const std::size_t percent = 50 + random.below(50);
  for (std::size_t j = 0; j < m; ++j) {
    input.busy.assign(j, drawn(r, random.below(6) == 0 ? 0 : percent));
  }
  return input;
}

clos::Selection selected_by(const std::string& strategy, const clos::Question& input) {
  clos::Selection selection(input.busy.columns());
  const clos::Structure network = structure_of(input.busy.rows(), 1, 1, 1, input.busy.columns());
  clos::strategies().find(strategy)->make({network})->select(
      {input.wanted, input.candidates, input.busy}, selection);
  return selection;
}

std::size_t route_faults(const clos::Selection& selection, const clos::Question& input) {
  if (selection.blocked()) return clos::unserved_by(input, input.candidates).any() ? 0 : 1;
  std::size_t faults = 0;
  BitSet rest = input.wanted;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    const std::size_t middle = index(selection.middle(leg));
    const BitSet served = selection.served_set(leg);
    const bool free =
        input.candidates.test(middle) && !input.busy.set_of(middle).intersects(served);
    if (!free || !rest.contains(served)) ++faults;
    rest -= served;
  }
  return faults + (rest.any() ? 1 : 0);
}

void add_route(const clos::Route& route, const std::string& takes, const std::string& serves,
               Figures& figures) {
  figures[takes] = figures[serves] = ordered_json::array();
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    figures[takes].push_back(index(route.middle(leg)) + 1);
    figures[serves].push_back(clos::in_lecture(route.served_set(leg)));
  }
}

clos::Route route_over(std::size_t middle, std::size_t k, std::size_t output_switches) {
  clos::Route route(output_switches);
  route.add(to_id<clos::MiddleId>(middle), k);
  return route;
}

void connect_by(clos::MultirateState& state, std::size_t input, const clos::Route& route,
                clos::Weight weight, std::size_t port) {
  if (route.empty()) return;
  const std::size_t ports = state.structure().n2;
  clos::MultirateRequest request{to_id<clos::InputId>(input), {}, weight};
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    route.served_set(leg).for_each([&](std::size_t k) {
      std::size_t tried = 0;
      const auto output = [&] { return to_id<clos::OutputId>(k * ports + (port + tried) % ports); };
      while (tried < ports && !state.fits(output(), weight)) ++tried;
      request.outputs.push_back(output());
    });
  }
  std::sort(request.outputs.begin(), request.outputs.end());
  state.require_valid(request);
  state.connect(request, route);
}

clos::Question control_input_in(const clos::MultirateState& state, std::size_t input_switch,
                                clos::Weight weight, const BitSet& wanted) {
  const clos::Structure& structure = state.structure();
  clos::Question input{{}, wanted, BitSet(structure.m), {structure.m, structure.r2}};
  state.find_available(static_cast<std::uint32_t>(input_switch), weight, input.candidates);
  state.find_destination_sets(weight, input.busy);
  return input;
}

clos::TrafficCounts play(const Traffic& traffic,
                         const std::function<void(const clos::MultirateState& state)>& visit) {
  const clos::StrategyMaker make = clos::strategies().find(traffic.strategy)->make;
  clos::MultirateAdmission control(traffic.structure, traffic.weights,
                                   make({traffic.structure, traffic.most_middles, traffic.seed}),
                                   {traffic.most_middles});
  clos::MultirateRequestParams params;
  params.requests.seed = traffic.seed;
  params.requests.most_fan_out = static_cast<std::uint32_t>(traffic.most_fan_out);
  params.most_weight = traffic.most_weight;
  clos::MultirateRequestGenerator generator(traffic.structure, traffic.weights, params);
  clos::TrafficCounts counts;
  for (std::uint64_t event = 0; event < traffic.events; ++event) {
    const clos::TrafficCounts one = clos::run_multirate_traffic(control, generator, 1);
    counts.requests += one.requests;
    counts.blocked += one.blocked;
    counts.most_passes = std::max(counts.most_passes, one.most_passes);
    if (visit) visit(control.state());
    if (traffic.most_requests != 0 && counts.requests == traffic.most_requests) break;
  }
  return counts;
}

std::optional<std::uint32_t> searched_middles(std::size_t n, std::size_t r,
                                              const std::string& strategy) {
  clos::MinimumParams search;
  search.strategy = strategy;
  search.limits.most_states = 1'000'000;
  search.shortening_states = 1000;
  search.counting = strategy != clos::kStrictStrategy;
  for (std::uint32_t m = 1; n * r <= clos::kMostSearchInputs && r <= 8; ++m) {
    const clos::MiddleVerdict verdict = clos::check_middles(structure_of(m, n, r), search);
    if (verdict.outcome == clos::SearchOutcome::kNeverBlocks) return m;
    if (verdict.outcome == clos::SearchOutcome::kNoVerdict) break;
  }
  return std::nullopt;
}

clos::Rate rate_of(const Section& parameters, const std::string& key) {
  if (!parameters.has(key)) return {};
  try {
    return clos::parse_rate(parameters.text(key));
  } catch (const std::invalid_argument& error) {
    parameters.fail(key, error.what(), "take a rate such as 3/10, 0.3 or 1");
  }
}

Units units_of(const Section& parameters, std::uint64_t finest) {
  const clos::Rate b = rate_of(parameters, "b");
  const clos::Rate w = rate_of(parameters, "w");
  if (b.denominator > 10000 || w.denominator > 10000) {
    parameters.fail("b", "has too many digits", "take denominators up to 10000");
  }
  std::uint64_t capacity = std::lcm(b.denominator, w.denominator);
  capacity *= std::max<std::uint64_t>(1, finest / capacity);
  const Units units{capacity, capacity / b.denominator * b.numerator,
                    capacity / w.denominator * w.numerator};
  if (units.w < units.b) parameters.fail("w", "is below b", "take a weight from b to 1");
  return units;
}

std::uint64_t safe_unavailable(std::uint64_t n1, std::uint64_t x, const Units& units) {
  const std::uint64_t by_count = units.per_link() * (n1 - 1) * x;
  if (units.b > units.space()) return by_count;
  const std::uint64_t load = x * (n1 * units.capacity - units.w);
  return std::min(by_count, (load + units.space() - 1) / units.space() - 1);
}

}  // namespace flitcast::claims
