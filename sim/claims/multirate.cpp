// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: networks whose links and ports are shared by weight. Weights are
// integers, in units in which all rates of an instance are whole numbers.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/sequences.h"
#include "sim/claims/clos_trial.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {

using clos::MultirateState;
using clos::Weight;

namespace {

// Lemmas 2 to 4: links that are too full for a request.

/// The number of the case of Lemma 2, 1 to 3, and T as the lemma prints it.
std::pair<std::size_t, std::uint64_t> printed_unavailable(std::uint64_t n1, std::uint64_t x,
                                                          const Units& units) {
  const std::uint64_t space = units.space();
  if (units.b > space) return {1, units.per_link() * (n1 - 1) * x};
  const std::uint64_t whole = units.capacity / space;
  if (units.capacity - whole * space < units.b) {
    return {2, whole * (n1 - 1) * x + (n1 > 1 ? x - x / (space / units.b) : 0)};
  }
  return {3, (n1 - 1) * units.capacity / space * x + x};
}

/// A kind of connections: k of them on a link leave just too little space for a request.
struct Kind {
  std::uint64_t k = 1;
  std::uint64_t weight = 1;
};

/// The kinds of connections by ascending k; the largest k has the least weight.
std::vector<Kind> kinds_of(const Units& units) {
  constexpr std::uint64_t kListed = 12;  // Number of kinds listed from either end.
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
  std::uint64_t links[2]{};  ///< Links that the connections fill.

  std::uint64_t filled() const { return links[0] + links[1]; }
};

/// The packing that fills most links, of those in which every other port has c connections of one
/// kind and the requesting port has o; the rest of the other ports, and of the space beside the
/// request, has connections of another kind.
Packing fullest_packing(std::uint64_t n1, std::uint64_t x, const Units& units) {
  Packing best;
  const std::vector<Kind> kinds = kinds_of(units);
  const auto try_kinds = [&](const Kind& one, const Kind& other) {
    for (std::uint64_t c = 0; c * one.weight <= units.capacity; ++c) {
      for (std::uint64_t o = 0; o * one.weight <= units.space(); ++o) {
        Packing packing{{one, other},
                        {c, (units.capacity - c * one.weight) / other.weight},
                        {o, (units.space() - o * one.weight) / other.weight}};
        for (int i = 0; i < 2; ++i) {
          packing.links[i] =
              ((n1 - 1) * packing.others[i] + packing.own[i]) * x / packing.kinds[i].k;
          // The copies of a connection take different links.
          if (packing.links[i] < x) packing.links[i] = 0;
        }
        if (packing.filled() > best.filled()) best = packing;
      }
    }
  };
  for (const Kind& one : kinds) {
    for (const Kind& other : kinds) try_kinds(one, other);
  }
  return best;
}

/// A network in a state in which as many links as possible of the first input switch are too full
/// for a request from its last port. Every port sends to the ports of its own number, each
/// connection over x links; those of a kind are filled in turn, k on each.
MultirateState crowded_state(std::uint64_t n1, std::uint64_t x, const Units& units) {
  const Packing packing = fullest_packing(n1, x, units);
  const std::uint64_t m = std::max<std::uint64_t>(packing.filled(), 1);
  MultirateState state(structure_of(m, n1, 1, n1, x), units.range());
  for (int i = 0; i < 2; ++i) {
    const Kind& kind = packing.kinds[i];
    std::uint64_t placed = 0;
    for (std::uint64_t port = n1; port-- > 0;) {
      const std::uint64_t copies = port + 1 == n1 ? packing.own[i] : packing.others[i];
      for (std::uint64_t c = 0; c < copies; ++c) {
        clos::Route route(x);
        for (std::uint64_t l = 0; l < x && placed < kind.k * packing.links[i]; ++l, ++placed) {
          const std::uint64_t link = (i == 0 ? 0 : packing.links[0]) + placed % packing.links[i];
          route.add(to_id<clos::MiddleId>(link), l);
        }
        connect_by(state, port, route, static_cast<Weight>(kind.weight), port);
      }
    }
  }
  state.verify();
  return state;
}

/// Links without space for a weight: from the first input switch, and to the first output switch.
/// A number is 0 if no port of the switch has space for the weight.
struct FullLinks {
  std::uint64_t from_input = 0;
  std::uint64_t to_output = 0;
};

FullLinks full_links(const MultirateState& state, Weight weight) {
  const clos::Structure& structure = state.structure();
  bool input_fits = false;
  bool output_fits = false;
  for (std::uint32_t p = 0; p < structure.n1; ++p) {
    input_fits |= state.fits(clos::InputId{p}, weight);
    output_fits |= state.fits(clos::OutputId{p}, weight);
  }
  const clos::Question found = control_input_in(state, 0, weight, BitSet(structure.r2));
  FullLinks full;
  if (input_fits) full.from_input = structure.m - found.candidates.count();
  for (std::size_t j = 0; output_fits && j < structure.m; ++j) {
    full.to_output += found.busy.test(j, 0) ? 1 : 0;
  }
  return full;
}

constexpr std::uint64_t kFineUnits = 1 << 20;

/// T(n1, w, x) of Lemma 2: printed, safe, and in a state that is built and in random ones.
Figures unavailable_links(const Section& parameters) {
  const Units units = units_of(parameters, kFineUnits);
  const std::size_t n1 = parameters.count(parameters.has("n2") ? "n2" : "n1");
  const std::size_t x = parameters.count("x");
  const auto [number, printed] = printed_unavailable(n1, x, units);
  if (parameters.count("case") != 0 && parameters.count("case") != number) {
    parameters.fail("w", fmt::format("leads to case {}", number), "take another weight");
  }
  if (units.per_link() > 400) parameters.fail("b", "is small", "take at least 1/400");
  if (n1 * x * units.per_link() > 50000) {
    parameters.fail("b", "is small for these sizes", "take sizes whose product over b is 50000");
  }
  const auto weight = static_cast<Weight>(units.w);
  const MultirateState state = crowded_state(n1, x, units);
  const FullLinks built = full_links(state, weight);
  const std::size_t ports = std::min<std::size_t>(n1, 16);
  Traffic traffic{structure_of(3 * ports, ports, std::max<std::size_t>(x, 3)), units.range()};
  traffic.most_middles = x;
  traffic.events = 500;
  FullLinks random;
  play(traffic, [&](const MultirateState& reached) {
    const FullLinks full = full_links(reached, weight);
    random.from_input = std::max(random.from_input, full.from_input);
    random.to_output = std::max(random.to_output, full.to_output);
  });
  const std::vector<std::uint64_t> over_w = tabulated(
      21, [&](std::size_t step) { return safe_unavailable(n1, x, units.at_step(step, 20)); });
  return {{{"case", number},
           {"printed", printed},
           {"safe", safe_unavailable(n1, x, units)},
           {"reached", built.from_input},
           {"connections", state.connections().size()},
           {"random", random.from_input},
           {"into_output", std::max(built.to_output, random.to_output)},
           {"T_over_w", over_w},
           {"K", units.per_link()}}};
}

/// Lemma 6: connections to n' ports of every output switch, by random middle switches, and all
/// families of n' + 1 of the destination sets.
Figures weighted_meeting_sets(const Section& parameters) {
  const auto [n, r2, m] = counts_in(parameters, "n", "r2", "middles");
  Random random(parameters.count("seed"));
  std::size_t families = 0;
  std::size_t empty = 0;
  std::size_t largest = 0;
  constexpr std::size_t kStates = 20;
  for (std::size_t trial = 0; trial < kStates; ++trial) {
    MultirateState state(structure_of(m, n, r2), {});
    for (std::size_t k = 0; k < r2; ++k) {
      std::vector<std::size_t> middles = numbers(m);
      for (std::size_t p = 0; p < n; ++p) {
        std::swap(middles[p], middles[p + random.below(m - p)]);
        connect_by(state, k * n + p, route_over(middles[p], k, r2));
      }
    }
    clos::Question input = control_input_in(state, 0, 1, BitSet::full(r2));
    for (std::size_t family = 1; family < std::size_t{1} << m; ++family) {
      input.candidates = set_of_bits(family, m);
      const std::size_t size = input.candidates.count();
      const bool meet = clos::unserved_by(input, input.candidates).any();
      if (meet) largest = std::max(largest, size);
      if (size != n + 1) continue;
      ++families;
      if (!meet) ++empty;
    }
  }
  return {{{"subsets", families / kStates},
           {"empty", empty / kStates},
           {"largest_meeting", largest},
           {"states", kStates}}};
}

/// Random requests by the control algorithm, with all loads recounted after every event.
Figures multirate_routing(const Section& parameters) {
  const std::vector<std::int64_t> weights = parameters.integers("weights");
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  const auto capacity = static_cast<Weight>(parameters.count("W"));
  const auto [n, r] = counts_in(parameters, "n", "r");
  Traffic traffic{structure_of(parameters.count("m"), n, r),
                  {capacity, static_cast<Weight>(*least)}};
  traffic.most_weight = static_cast<Weight>(*most);
  traffic.seed = parameters.count("seed");
  traffic.events = parameters.count("events");
  const clos::TrafficCounts counts =
      play(traffic, [](const MultirateState& state) { state.verify(); });
  return {{{"requests", counts.requests},
           {"blocked", counts.blocked},
           {"passes", counts.most_passes},
           {"theorem_10", clos::multirate(n, r, {traffic.weights.least, capacity}).m}}};
}

}  // namespace

FigureMakers multirate_makers() {
  return {{"unavailable_links", unavailable_links},
          {"weighted_meeting_sets", weighted_meeting_sets},
          {"multirate_routing", multirate_routing}};
}

}  // namespace flitcast::claims
