// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: networks whose links and ports are shared by weight. Ports and
// switches have numbers from 1 in parameters and figures, as on the page. Weights are integers, in
// units in which all rates of an instance are whole numbers.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/multirate/multirate_admission.h"
#include "clos/multirate/multirate_state.h"
#include "clos/multirate/multirate_traffic.h"
#include "sim/claims/multirate_units.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {

using clos::MultirateRequest;
using clos::MultirateState;
using clos::Weight;

namespace {

/// Rates as whole numbers.
struct Units {
  std::uint64_t capacity = 1;
  std::uint64_t b = 1;
  std::uint64_t w = 1;

  std::uint64_t space() const { return capacity - w; }  ///< 1 - w.
  std::uint64_t per_link() const { return capacity / b; }
  clos::WeightRange range() const {
    return {static_cast<Weight>(capacity), static_cast<Weight>(b)};
  }
};

/// @param finest  The capacity is about this many units, or more.
Units units_of(const Section& parameters, std::uint64_t finest) {
  const clos::Rate b = parameters.has("b") ? rate_of(parameters, "b") : clos::Rate{};
  const clos::Rate w = parameters.has("w") ? rate_of(parameters, "w") : clos::Rate{};
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

clos::MultirateAdmission multirate_control(const clos::Structure& structure,
                                           const clos::WeightRange& weights, std::size_t limit) {
  return {structure, weights, clos::strategies().find("S1")->make({structure, limit}), {limit}};
}

/// Random requests of all weights, up to a fan-out (0: any). Calls visit after every event.
clos::TrafficCounts random_multirate(clos::MultirateAdmission& control, std::size_t fan_out,
                                     std::size_t events, std::uint64_t seed,
                                     const std::function<void()>& visit = {}) {
  clos::MultirateRequestParams params;
  params.requests.seed = seed;
  params.requests.most_fan_out = static_cast<std::uint32_t>(fan_out);
  clos::MultirateRequestGenerator generator(control.state().structure(), control.state().weights(),
                                            params);
  clos::TrafficCounts counts;
  for (std::size_t event = 0; event < events; ++event) {
    const clos::TrafficCounts one = clos::run_multirate_traffic(control, generator, 1);
    counts.requests += one.requests;
    counts.blocked += one.blocked;
    counts.most_passes = std::max(counts.most_passes, one.most_passes);
    if (visit) visit();
  }
  return counts;
}

// Lemmas 2 to 4: links that are too full for a request.

/// T as Lemma 2 prints it, and the case.
struct PrintedT {
  std::size_t number = 1;
  std::uint64_t value = 0;
};

PrintedT printed_unavailable(std::uint64_t n1, std::uint64_t x, const Units& units) {
  const std::uint64_t space = units.space();
  if (units.b > space) return {1, units.per_link() * (n1 - 1) * x};
  const std::uint64_t whole = units.capacity / space;
  if (units.capacity - whole * space < units.b) {
    return {2, whole * (n1 - 1) * x + (n1 > 1 ? x - x / (space / units.b) : 0)};
  }
  return {3, (n1 - 1) * units.capacity / space * x + x};
}

/// A bound on T that holds: every such link has a connection of another port, and all such links
/// together carry at most x (n1 - w).
std::uint64_t safe_unavailable(std::uint64_t n1, std::uint64_t x, const Units& units) {
  const std::uint64_t by_count = units.per_link() * (n1 - 1) * x;
  if (units.b > units.space()) return by_count;
  const std::uint64_t load = x * (n1 * units.capacity - units.w);
  return std::min(by_count, (load + units.space() - 1) / units.space() - 1);
}

/// Connections of which k together are just too much for a request.
struct Kind {
  std::uint64_t k = 1;
  std::uint64_t weight = 1;
};

/// Kinds of connections, of which the largest k has the least weight.
std::vector<Kind> kinds_of(const Units& units) {
  constexpr std::uint64_t kListed = 12;  // From either end.
  std::vector<Kind> kinds;
  const std::uint64_t last = units.space() / units.b + 1;
  for (std::uint64_t k = 1; k <= last; ++k) {
    if (k > kListed && k + kListed <= last) continue;
    const std::uint64_t weight = std::max(units.b, units.space() / k + 1);
    if (weight <= units.capacity) kinds.push_back({k, weight});
  }
  return kinds;
}

/// Connections of two kinds: by kind, those of every other port and those of the requesting port.
struct Packing {
  Kind kinds[2];
  std::uint64_t others[2]{};
  std::uint64_t own[2]{};
  std::uint64_t links[2]{};  ///< Links that they fill.

  std::uint64_t filled() const { return links[0] + links[1]; }

  void count_links(std::uint64_t n1, std::uint64_t x) {
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t copies = ((n1 - 1) * others[i] + own[i]) * x;
      links[i] = copies / kinds[i].k;
      if (links[i] < x) links[i] = 0;  // The copies of a connection take different links.
    }
  }
};

/// The fullest packing of two kinds: the other ports are full, the requesting port has space left
/// for the request.
Packing fullest_packing(std::uint64_t n1, std::uint64_t x, const Units& units) {
  Packing best;
  const std::vector<Kind> kinds = kinds_of(units);
  for (const Kind& one : kinds) {
    for (const Kind& other : kinds) {
      for (std::uint64_t c = 0; c * one.weight <= units.capacity; ++c) {
        Packing packing{{one, other}};
        packing.others[0] = c;
        packing.others[1] = (units.capacity - c * one.weight) / other.weight;
        for (std::uint64_t o = 0; o <= units.space() / one.weight; ++o) {
          packing.own[0] = o;
          packing.own[1] = (units.space() - o * one.weight) / other.weight;
          packing.count_links(n1, x);
          if (packing.filled() > best.filled()) best = packing;
        }
      }
    }
  }
  return best;
}

/// Puts copies of connections on the links of a kind in turn, k on each.
class LinkFiller {
 public:
  LinkFiller(MultirateState& state, const Kind& kind, std::uint64_t first, std::uint64_t links)
      : state_(state), kind_(kind), first_(first), links_(links) {}

  /// Adds a connection of a port with x copies, or as many as there is space for.
  void add(std::uint32_t port, std::uint64_t x) {
    MultirateRequest request{clos::InputId(port), {}, static_cast<Weight>(kind_.weight)};
    clos::Route route(state_.structure().r2);
    for (std::uint32_t l = 0; l < x && placed_ < kind_.k * links_; ++l, ++placed_) {
      route.add(clos::MiddleId(static_cast<std::uint32_t>(first_ + placed_ % links_)),
                std::size_t{l});
      request.outputs.push_back(clos::OutputId(l * state_.structure().n2 + port));
    }
    if (!route.empty()) state_.connect(request, route);
  }

 private:
  MultirateState& state_;
  Kind kind_;
  std::uint64_t first_;
  std::uint64_t links_;
  std::uint64_t placed_ = 0;
};

/// A network in a state in which as many links as possible of the first input switch are too full
/// for a request from its last port. Every port sends to the ports of its own number.
MultirateState crowded_state(std::uint64_t n1, std::uint64_t x, const Units& units) {
  const Packing packing = fullest_packing(n1, x, units);
  const std::uint64_t m = std::max<std::uint64_t>(packing.filled(), 1);
  MultirateState state(structure_of(m, n1, 1, n1, x), units.range());
  for (int i = 0; i < 2; ++i) {
    LinkFiller filler(state, packing.kinds[i], i == 0 ? 0 : packing.links[0], packing.links[i]);
    const auto last = static_cast<std::uint32_t>(n1 - 1);
    for (std::uint64_t c = 0; c < packing.own[i]; ++c) filler.add(last, x);
    for (std::uint32_t port = 0; port < last; ++port) {
      for (std::uint64_t c = 0; c < packing.others[i]; ++c) filler.add(port, x);
    }
  }
  state.verify();
  return state;
}

/// Links of an input switch without space for a weight; 0 if no port has space for it either.
std::uint64_t full_input_links(const MultirateState& state, std::uint32_t i, Weight weight) {
  const clos::Structure& structure = state.structure();
  bool idle = false;
  for (std::uint32_t p = 0; p < structure.n1; ++p) {
    idle |= state.fits(clos::InputId(i * structure.n1 + p), weight);
  }
  BitSet available(structure.m);
  state.find_available(i, weight, available);
  return idle ? structure.m - available.count() : 0;
}

/// The same for the links to an output switch.
std::uint64_t full_output_links(const MultirateState& state, std::uint32_t k, Weight weight) {
  const clos::Structure& structure = state.structure();
  bool idle = false;
  for (std::uint32_t p = 0; p < structure.n2; ++p) {
    idle |= state.fits(clos::OutputId(k * structure.n2 + p), weight);
  }
  BitMatrix sets(structure.m, structure.r2);
  state.find_destination_sets(weight, sets);
  std::uint64_t full = 0;
  for (std::uint32_t j = 0; j < structure.m; ++j) full += sets.test(j, k) ? 1 : 0;
  return idle ? full : 0;
}

/// Too full links in random states: the most of an input switch and of an output switch.
std::pair<std::uint64_t, std::uint64_t> full_at_random(std::size_t n, std::size_t x,
                                                       const Units& units) {
  const std::size_t ports = std::min<std::size_t>(n, 16);
  const std::size_t r = std::max<std::size_t>(x, 3);
  clos::MultirateAdmission control =
      multirate_control(structure_of(3 * ports, ports, r, ports, r), units.range(), x);
  std::pair<std::uint64_t, std::uint64_t> most;
  random_multirate(control, 0, 500, 1, [&] {
    const auto weight = static_cast<Weight>(units.w);
    most.first = std::max(most.first, full_input_links(control.state(), 0, weight));
    most.second = std::max(most.second, full_output_links(control.state(), 0, weight));
  });
  return most;
}

constexpr std::uint64_t kFineUnits = 1 << 20;

/// Refuses sizes at which a crowded state takes long.
void require_small(const Section& parameters, const std::string& key, std::size_t copies,
                   const Units& units) {
  if (units.per_link() > 400) parameters.fail("b", "is small", "take at least 1/400");
  if (copies * units.per_link() > 50000) {
    parameters.fail(key, "is large", "take smaller sizes, so that their product over b is 50000");
  }
}

/// T(n1, w, x) of Lemma 2: printed, safe, and in a state that is built.
Figures unavailable_links(const Section& parameters) {
  const Units units = units_of(parameters, kFineUnits);
  const std::size_t n1 = parameters.count("n1");
  const std::size_t x = parameters.count("x");
  const PrintedT printed = printed_unavailable(n1, x, units);
  const std::uint64_t safe = safe_unavailable(n1, x, units);
  if (parameters.count("case") != 0 && parameters.count("case") != printed.number) {
    parameters.fail("w", fmt::format("leads to case {}", printed.number), "take another weight");
  }
  require_small(parameters, "n1", n1 * x, units);
  const MultirateState state = crowded_state(n1, x, units);
  std::uint64_t largest = 0;
  std::vector<std::uint64_t> over_w;
  for (std::uint64_t step = 0; step <= 20; ++step) {
    const Units other{units.capacity, units.b, units.b + (units.capacity - units.b) * step / 20};
    over_w.push_back(safe_unavailable(n1, x, other));
    largest = std::max(largest, over_w.back());
  }
  return {{{"case", printed.number},
           {"T", safe},
           {"printed", printed.value},
           {"safe", safe},
           {"reached", full_input_links(state, 0, static_cast<Weight>(units.w))},
           {"connections", state.connections().size()},
           {"random", full_at_random(n1, x, units).first},
           {"largest", largest},
           {"T_over_w", over_w},
           {"K", units.per_link()}}};
}

/// Lemma 4: links into an output switch that are too full, in a state that is built and at random.
Figures full_links_into_output(const Section& parameters) {
  const Units units = units_of(parameters, kFineUnits);
  const std::size_t n2 = parameters.count("n2");
  const std::uint64_t safe = safe_unavailable(n2, 1, units);
  require_small(parameters, "n2", n2, units);
  const MultirateState state = crowded_state(n2, 1, units);
  const std::uint64_t built = full_output_links(state, 0, static_cast<Weight>(units.w));
  const std::uint64_t random = full_at_random(n2, 1, units).second;
  return {{{"most", std::max(built, random)},
           {"random", random},
           {"bound", safe},
           {"violations", (built > safe ? 1 : 0) + (random > safe ? 1 : 0)},
           {"K", units.per_link()}}};
}

// Bounds.

constexpr std::size_t kMostRun = 400000;  // Ports and links of a stage.

/// The least over x of Theorem 10 for a weight, with the safe T.
std::uint64_t middles_for_weight(std::size_t n1, std::size_t n2, std::size_t r2,
                                 const Units& units) {
  const std::uint64_t full = safe_unavailable(n2, 1, units);
  std::uint64_t least = safe_unavailable(n1, 1, units) + full * r2 + 1;
  for (std::size_t x = 2; x <= std::min<std::size_t>({full, r2, 64}); ++x) {
    least = std::min(least, safe_unavailable(n1, x, units) + clos::scaled_root(full, r2, x) + 1);
  }
  return least;
}

/// Theorem 10 with the bounds of Corollary 3 and 4, for v(m, n1, r1, n2, r2), and random requests
/// on the network with as many middle switches.
Figures multirate_middles(const Section& parameters, std::size_t n1, std::size_t n2,
                          std::size_t r2) {
  const clos::Rate b = rate_of(parameters, "b");
  const std::size_t k = clos::connections_per_link(b);
  const clos::Bound bound = clos::multirate(n1, n2, r2, b);
  std::vector<std::uint64_t> values;
  for (std::size_t x = 1; x <= std::min<std::size_t>({k * (n2 - 1), r2, 64}); ++x) {
    values.push_back(k * (n1 - 1) * x + clos::scaled_root(k * (n2 - 1), r2, x) + 1);
  }
  Figures figures;
  figures.values = {{"m", bound.m}, {"x", bound.x}, {"K", k}, {"values", values}};
  if (r2 >= 3) figures.values["log_form"] = clos::theorem4(k * (n1 - 1) + 1, r2);
  const Units units = units_of(parameters, 16);
  std::uint64_t largest = 0;
  for (std::uint64_t step = 0; step <= 20; ++step) {
    const std::uint64_t w = units.b + (units.capacity - units.b) * step / 20;
    largest = std::max(largest, middles_for_weight(n1, n2, r2, {units.capacity, units.b, w}));
  }
  figures.values["largest_over_w"] = largest;
  clos::TrafficCounts counts;
  if ((n1 + bound.m) * r2 < kMostRun) {
    clos::MultirateAdmission control =
        multirate_control(structure_of(bound.m, n1, r2, n2, r2), units.range(), bound.x);
    counts = random_multirate(control, 0, 1000, parameters.count("seed"));
  }
  figures.values["requests"] = counts.requests;
  figures.values["blocked"] = counts.blocked;
  figures.values["passes"] = counts.most_passes;
  return figures;
}

Figures multirate_theorem_10(const Section& parameters) {
  return multirate_middles(parameters, parameters.count("n1"), parameters.count("n2"),
                           parameters.count("r2"));
}

Figures multirate_corollary_3(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  return multirate_middles(parameters, n, n, parameters.count("r"));
}

/// Connections to one output switch each: the bound, that of Theorem 10 with fan-out 1, and random
/// requests.
Figures multirate_unicasts(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = n;
  const clos::Rate b = parameters.has("b") ? rate_of(parameters, "b") : clos::Rate{};
  const std::size_t k = clos::connections_per_link(b);
  const std::uint64_t m = clos::multirate_unicast(n, b);
  clos::TrafficCounts counts;
  if ((n + m) * r < kMostRun) {
    clos::MultirateAdmission control =
        multirate_control(structure_of(m, n, r, n, r), units_of(parameters, 16).range(), 1);
    counts = random_multirate(control, 1, 1000, parameters.count("seed"));
  }
  return {{{"m", m},
           {"K", k},
           {"theorem_10", clos::best_by_roots(k * (n - 1), k * (n - 1), 1).m},
           {"clos", clos::corollary1(n, 1).m},
           {"requests", counts.requests},
           {"blocked", counts.blocked}}};
}

/// Lemma 6: connections of full weight to n' ports of every output switch, by random middle
/// switches, and all families of n' + 1 of the destination sets.
Figures meeting_sets(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r2 = parameters.count("r2");
  const std::size_t m = parameters.count("middles");
  if (n >= m) parameters.fail("middles", "is not above n'", "take more middle switches than n'");
  Random random(parameters.count("seed"));
  std::size_t families = 0;
  std::size_t empty = 0;
  std::size_t largest = 0;
  constexpr std::size_t kStates = 20;
  for (std::size_t trial = 0; trial < kStates; ++trial) {
    MultirateState state(structure_of(m, 1, n * r2, n, r2), {1, 1});
    std::uint32_t input = 0;
    for (std::uint32_t k = 0; k < r2; ++k) {
      std::vector<std::uint32_t> middles(m);
      std::iota(middles.begin(), middles.end(), 0);
      for (std::uint32_t p = 0; p < n; ++p) {
        std::swap(middles[p], middles[p + random.below(m - p)]);
        clos::Route route(r2);
        route.add(clos::MiddleId(middles[p]), std::size_t{k});
        state.connect({clos::InputId(input++), {clos::OutputId(k * state.structure().n2 + p)}, 1},
                      route);
      }
    }
    BitMatrix sets(m, r2);
    state.find_destination_sets(1, sets);
    for (std::size_t family = 1; family < std::size_t{1} << m; ++family) {
      BitSet meet = BitSet::full(r2);
      std::size_t size = 0;
      for (std::size_t j = 0; j < m; ++j) {
        if ((family >> j & 1) == 0) continue;
        meet &= sets.set_of(j);
        ++size;
      }
      if (meet.any()) largest = std::max(largest, size);
      if (size != n + 1) continue;
      ++families;
      if (meet.none()) ++empty;
    }
  }
  return {{{"subsets", families / kStates},
           {"empty", empty / kStates},
           {"largest_meeting", largest},
           {"states", kStates}}};
}

/// Random requests by the control algorithm, with all loads recounted at the end.
Figures multirate_routing(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const std::size_t m = parameters.count("m");
  const std::vector<std::int64_t> weights = parameters.integers("weights");
  const auto least = static_cast<Weight>(*std::min_element(weights.begin(), weights.end()));
  const auto most = static_cast<Weight>(*std::max_element(weights.begin(), weights.end()));
  const auto capacity = static_cast<Weight>(parameters.count("W"));
  if (most > capacity) parameters.fail("weights", "are above W", "take weights from 1 to W");
  clos::MultirateAdmission control =
      multirate_control(structure_of(m, n, r, n, r), {capacity, least}, 0);
  clos::MultirateRequestParams params;
  params.requests.seed = parameters.count("seed");
  params.most_weight = most;
  clos::MultirateRequestGenerator generator(control.state().structure(), control.state().weights(),
                                            params);
  const clos::TrafficCounts counts =
      clos::run_multirate_traffic(control, generator, parameters.count("events"));
  control.state().verify();
  return {{{"requests", counts.requests},
           {"blocked", counts.blocked},
           {"passes", counts.most_passes},
           {"load_sum", control.state().loads().output_link_sum()},
           {"theorem_10", clos::multirate(n, r, {least, capacity}).m},
           {"connections", control.state().connections().size()}}};
}

}  // namespace

std::vector<Machine> multirate_machines() {
  const auto size = [](const char* key, const char* help, double least, double most) {
    return Param::integer(key, "", help, least, most);
  };
  const Param b = Param::text("b", "The least weight, such as 1/4.");
  const Param w = Param::text("w", "The weight of the request.");
  const Param seed = size("seed", "Seed of random requests.", 1, 1e9).defaults_to(1);
  const Param n = size("n", "Ports of a switch.", 1, 4096);
  const Param r = size("r", "Switches of the outer stages.", 1, 1e6);
  const Param x = size("x", "Middle switches of a connection.", 1, 64);
  return {
      {"multirate_theorem_10",
       "Theorem 10 for any sizes.",
       {size("n1", "Ports of an input switch.", 1, 4096),
        size("n2", "Ports of an output switch.", 1, 4096), size("r2", "Output switches.", 1, 1e6),
        b, seed},
       multirate_theorem_10},
      {"multirate_corollary_3",
       "Theorem 10 for symmetric networks.",
       {n, r, b, seed},
       multirate_corollary_3},
      {"multirate_unicasts",
       "Connections to one output switch each.",
       {n, b, seed},
       multirate_unicasts},
      {"circuit_unicasts", "The same for whole links.", {n, seed}, multirate_unicasts},
      {"unavailable_links",
       "Links that are too full for a request.",
       {size("n1", "Ports of an input switch.", 1, 4096), Param(w).defaults_to("1"), x, b,
        size("case", "The case of Lemma 2; 0: any.", 0, 3).defaults_to(0)},
       unavailable_links},
      {"full_links_into_output",
       "Links into an output switch that are too full.",
       {size("n2", "Ports of an output switch.", 1, 4096), b, w},
       full_links_into_output},
      {"weighted_meeting_sets",
       "Families of destination sets.",
       {size("n", "Links in use into every output switch.", 1, 12),
        size("r2", "Output switches.", 1, 64), size("middles", "Middle switches.", 2, 14), seed},
       meeting_sets},
      {"multirate_routing",
       "Random requests of several weights.",
       {n, r, size("m", "Middle switches.", 1, 4096), size("W", "The capacity.", 1, 1e6),
        Param::integers("weights", "", "Weights of requests.", 1, 1e6),
        Param::choice("generator", "The generator of requests.", {"G2"}).defaults_to("G2"), seed,
        size("events", "Requests and ends of connections.", 1, 1e6)},
       multirate_routing},
  };
}

}  // namespace flitcast::claims
