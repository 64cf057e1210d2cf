// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: given states of the Clos network, with and without weights, and the
// choice of middle switches for a request.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "clos/given_state.h"
#include "clos/route_search.h"
#include "config/wording.h"
#include "sim/claims/clos_trial.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"
#include "topology/catalog.h"

namespace flitcast::claims {

using clos::MultirateState;
using clos::Weight;

namespace {

// Requests on destination sets.

/// Adds for all sets of available middle switches "yes" where they can carry the request, otherwise
/// "no" and the output switches that are in all their destination sets.
/// @param comma  Stands behind "no" and between output switches.
/// Returns the differences between Theorem 1 and the control algorithm.
std::size_t add_carriers(clos::Question input, const std::string& comma, Figures& figures) {
  const BitSet available = input.candidates;
  std::size_t wrong = 0;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << available.size(); ++chosen) {
    input.candidates = set_of_bits(chosen, available.size());
    if (!available.contains(input.candidates)) continue;
    wrong += route_faults(selected_by("S1", input), input);
    const BitSet left = clos::unserved_by(input, input.candidates);
    figures[clos::in_lecture(input.candidates)] =
        left.none() ? "yes"
                    : fmt::format("no{} {}", comma,
                                  fmt::join(members_of(left), comma.empty() ? " " : comma));
  }
  return wrong;
}

/// The differences between Theorem 1 and the control algorithm for all requests.
std::size_t wrong_requests(clos::Question input) {
  std::size_t wrong = 0;
  for (std::size_t wanted = 1; wanted < std::size_t{1} << input.wanted.size(); ++wanted) {
    input.wanted = set_of_bits(wanted, input.wanted.size());
    wrong += route_faults(selected_by("S1", input), input);
  }
  return wrong;
}

Figures middles_for_request(const Section& parameters) {
  clos::Question input = control_input_of(parameters, 0);
  const std::size_t m = input.busy.rows();
  if (input.busy.columns() > 8 || m > 8) {
    parameters.fail("M", "there are too many choices", "take up to 8 sets of numbers up to 8");
  }
  Figures figures;
  std::size_t wrong = add_carriers(input, "", figures);
  figures["carrying"] =
      std::count(figures.values.begin(), figures.values.end(), ordered_json("yes"));
  for (std::size_t chosen = 1; chosen < std::size_t{1} << m; ++chosen) {
    input.candidates = set_of_bits(chosen, m);
    wrong += wrong_requests(input);
  }
  std::size_t wrong_in_states = 0;
  Traffic traffic{structure_of(5, 3, 4)};
  traffic.seed = parameters.count("seed");
  traffic.events = 300;
  play(traffic, [&](const MultirateState& state) {
    for (std::size_t i = 0; i < state.structure().r1; ++i) {
      wrong_in_states += wrong_requests(control_input_in(state, i, 1, BitSet(4)));
    }
  });
  figures["wrong"] = wrong;
  figures["wrong_in_states"] = wrong_in_states;
  return figures;
}

/// By output switch: the sets that contain it.
std::vector<std::size_t> occurrences(const BitMatrix& sets) {
  std::vector<std::size_t> counts(sets.columns());
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    sets.set_of(j).for_each([&](std::size_t k) { ++counts[k]; });
  }
  return counts;
}

/// The least x for which the algorithm ends after x passes by Theorem 2; without such an x the
/// number of wanted output switches, since every pass serves at least one.
std::size_t passes_by_theorem(std::size_t available, std::size_t holders, std::size_t wanted) {
  if (holders == 0) return 1;
  if (available <= holders) return wanted;
  std::size_t x = 1;
  while (clos::scaled_root(holders, wanted, x) + 1 > available) ++x;
  return x;
}

/// Adds the passes of the control algorithm: the sizes of all S_j of available middle switches, the
/// middle switch that is taken, and the output switches that it serves and leaves.
clos::Selection add_passes(const clos::Question& input, Figures& figures) {
  clos::Selection selection = selected_by("S1", input);
  std::vector<std::vector<std::size_t>> sizes;
  std::vector<std::string> rests;
  std::size_t operations = 0;
  std::size_t faults = route_faults(selection, input);
  BitSet rest = input.wanted;
  for (std::size_t leg = 0; leg == 0 || leg < selection.size(); ++leg) {
    sizes.emplace_back();
    input.candidates.for_each([&](std::size_t j) {
      BitSet left = input.busy.set_of(j);
      left &= rest;
      sizes.back().push_back(left.count());
    });
    operations += input.candidates.count() * rest.count();
    if (selection.empty()) break;
    rest -= selection.served_set(leg);
    rests.push_back(clos::in_lecture(rest));
    faults += rest.count() == *std::min_element(sizes.back().begin(), sizes.back().end()) ? 0 : 1;
  }
  add_route(selection, "take", "serves", figures);
  figures["passes"] = selection.passes();
  figures["S"] = sizes;
  figures["rest"] = rests;
  figures["blocked"] = selection.blocked();
  figures["left"] = selection.blocked() ? 0 : rest.count();
  figures["operations"] = operations;
  figures["faults"] = faults;
  return selection;
}

Figures control_passes(const Section& parameters) {
  const clos::Question input = control_input_of(parameters, parameters.count("r"));
  const std::size_t available = input.busy.rows();
  const std::vector<std::size_t> often = occurrences(input.busy);
  const std::size_t holders = *std::max_element(often.begin(), often.end());
  Figures figures;
  add_passes(input, figures);
  figures["unservable"] = clos::unserved_by(input, input.candidates).count();
  figures["available"] = available;
  figures["wanted"] = input.wanted.count();
  figures["n_prime"] = holders;
  figures["x"] = passes_by_theorem(available, holders, input.wanted.count());
  if (holders > 0) {
    figures["q"] = static_cast<double>(available) / static_cast<double>(holders);
  }
  return figures;
}

// Given states.

/// A connection as users give it, in the notation of the lecture: "6:3{2}+4{4}", input 6 over
/// middle switch 3 to output switch 2 and over 4 to 4, is "I_6={2,4} over 3:{2} 4:{4}", and
/// "I_2:0.8:{3}:1" is "(I_2,0.8)={3} over 1".
std::string in_lecture_notation(const std::string& text) {
  static const std::regex kWeighted(R"(I_(\w+):(.+):(\{.*\}):(\w+))");
  static const std::regex kLeg(R"((\w+)\{([\d,]*)\}\+?)");
  if (std::regex_match(text, kWeighted)) {
    return std::regex_replace(text, kWeighted, "(I_$1,$2)=$3 over $4");
  }
  const std::size_t colon = std::min(text.find(':'), text.size() - 1);
  const std::string legs = text.substr(colon + 1);
  std::string all = std::regex_replace(legs, kLeg, "$2,");
  if (!all.empty() && all.back() == ',') all.pop_back();
  return fmt::format("I_{}={{{}}} over {}", text.substr(0, colon), all,
                     std::regex_replace(legs, kLeg, "$1:{$2} "));
}

/// The state of a network with the connections of a parameter.
/// @param weight  The capacity is such that this is a whole number, too.
MultirateState given_state(const Section& parameters, const std::string& key,
                           const clos::Structure& structure, const clos::Rate& weight) {
  const std::vector<std::string> texts = mapped(parameters.texts(key), in_lecture_notation);
  const std::vector<clos::Statement> given =
      clos::parse_statements(joined(texts, "\n") + "\n", structure);
  const std::uint64_t capacity = std::lcm(clos::capacity_of(given), weight.denominator);
  if (capacity > clos::kMostCapacity) parameters.fail(key, "has too fine weights", "round them");
  return clos::GivenState(structure, static_cast<Weight>(capacity), given).state();
}

/// The connections of a state, one colour each, over input, middle and output switches.
std::string state_drawing(const MultirateState& state) {
  Drawing drawing;
  const clos::Structure& structure = state.structure();
  const auto at = [](double column, std::size_t row) {
    return Position{column * 3, static_cast<double>(row) * 1.5};
  };
  std::size_t colour = 0;
  for (const clos::MultirateConnection& one : state.connections()) {
    for (std::size_t leg = 0; leg < one.route.size(); ++leg) {
      const Position middle = at(1, index(one.route.middle(leg)));
      drawing.line(at(0, structure.input_switch(one.request.input)), middle, colour);
      one.route.served_set(leg).for_each(
          [&](std::size_t k) { drawing.line(middle, at(2, k), colour); });
    }
    ++colour;
  }
  const std::size_t sizes[] = {structure.r1, structure.m, structure.r2};
  for (int column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < sizes[column]; ++row) {
      drawing.node(at(column, row), std::to_string(row + 1));
    }
  }
  return drawing.svg("connections in " + clos::to_text(structure) + ", one colour each");
}

// Single-rate networks.

/// By input: the output switches of its connection.
BitMatrix requests_of(const MultirateState& state) {
  BitMatrix requests(state.structure().inputs(), state.structure().r2);
  for (const clos::MultirateConnection& one : state.connections()) {
    BitSet switches(state.structure().r2);
    output_switches_of(state.structure(), one.request.outputs, switches);
    requests.assign(index(one.request.input), switches);
  }
  return requests;
}

BitMatrix destination_sets(const MultirateState& state) {
  return control_input_in(state, 0, 1, BitSet(state.structure().r2)).busy;
}

/// The number of rules that a state breaks: each link carries one connection at most, the sets of
/// middle switches and of requests contain every output switch equally often, at most n times.
std::size_t broken_rules(const MultirateState& state) {
  std::size_t broken = 0;
  try {
    state.verify();
  } catch (const std::logic_error&) {
    ++broken;
  }
  const std::vector<std::size_t> in_sets = occurrences(destination_sets(state));
  broken += in_sets == occurrences(requests_of(state)) ? 0 : 1;
  return broken +
         (*std::max_element(in_sets.begin(), in_sets.end()) > state.structure().n2 ? 1 : 0);
}

/// Adds the number of assignments of middle switches to all output switches of all connections that
/// keep the destination sets, and the fewest links of the first stage that an assignment takes.
void add_ways(const MultirateState& state, const BitMatrix& requests, Figures& figures) {
  constexpr std::size_t kMostParts = 24;
  constexpr std::size_t kMostWays = 1000000;
  std::vector<clos::RouteSearch::Branch> parts;
  for (std::uint32_t input = 0; input < requests.rows(); ++input) {
    requests.set_of(input).for_each([&](std::size_t k) {
      parts.push_back({input, static_cast<std::uint32_t>(k)});
    });
  }
  if (parts.size() > kMostParts) return;
  const BitMatrix sets = destination_sets(state);
  clos::RouteSearch search(state.structure(), parts, &sets);
  figures["assignments"] = search.count(kMostWays);
  figures["fewest_links"] = search.fewest_links();
}

/// The state that random requests reach, with checks of every state on the way.
MultirateState random_state(const clos::Structure& structure, const Section& parameters,
                            Figures& figures) {
  Traffic traffic{structure};
  traffic.seed = parameters.count("seed");
  traffic.most_requests = parameters.count("requests");
  traffic.events = 100 * traffic.most_requests;
  MultirateState last(structure, {});
  std::size_t violations = 0;
  figures["blocked"] = play(traffic, [&](const MultirateState& state) {
                         violations += broken_rules(state);
                         last = state;
                       }).blocked;
  figures["violations"] = violations;
  return last;
}

/// The words of the page for a state that is given by its routes, or that random requests reach.
Figures state_of_network(const Section& parameters) {
  const clos::Structure structure =
      structure_of(parameters.count("m"), parameters.count("n"), parameters.count("r"));
  Figures figures;
  const MultirateState state = parameters.count("requests") > 0
                                   ? random_state(structure, parameters, figures)
                                   : given_state(parameters, "routes", structure, {});
  const BitMatrix requests = requests_of(state);
  std::size_t links = 0;
  for (std::size_t i = 0; i < structure.r1; ++i) {
    const BitSet available = control_input_in(state, i, 1, BitSet(structure.r2)).candidates;
    figures["available"].push_back(members_of(available));
    links += structure.m - available.count();
  }
  std::vector<std::size_t> idle_inputs;
  std::vector<std::size_t> idle_outputs;
  for (std::uint32_t port = 0; port < structure.inputs(); ++port) {
    if (state.fits(clos::InputId{port}, 1)) idle_inputs.push_back(port + 1);
    if (state.fits(clos::OutputId{port}, 1)) idle_outputs.push_back(port + 1);
  }
  const std::size_t broken = broken_rules(state);
  if (!figures.values.contains("violations")) figures["violations"] = broken;
  figures["legal"] = broken == 0;
  figures["I"] = members_of(requests);
  figures["M"] = members_of(destination_sets(state));
  figures["in_sets"] = occurrences(destination_sets(state));
  figures["in_requests"] = occurrences(requests);
  figures["links"] = links;
  figures["idle_inputs"] = idle_inputs;
  figures["idle_outputs"] = idle_outputs;
  add_ways(state, requests, figures);
  if (structure.inputs() <= 64) figures.drawings.push_back(state_drawing(state));
  return figures;
}

// Multirate networks.

/// Loads of links as figures, "A(1,2) 0.3" for those in use, and as rows A_1, A_2, B_1, ...
void add_loads(const MultirateState& state, Figures& figures) {
  const clos::Structure& structure = state.structure();
  double largest = 0;
  const auto add_row = [&](const char* stage, std::uint32_t row, const Weight* loads,
                           std::uint32_t links) {
    std::vector<double> rates;
    for (std::uint32_t link = 0; link < links; ++link) {
      rates.push_back(static_cast<double>(loads[link]) / state.weights().capacity);
      largest = std::max(largest, rates.back());
      if (loads[link] == 0) continue;
      figures[fmt::format("{}({},{})", stage, row + 1, link + 1)] = rates.back();
    }
    figures[fmt::format("{}_{}", stage, row + 1)] = rates;
  };
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    add_row("A", i, state.loads().input_links(i), structure.m);
  }
  for (std::uint32_t j = 0; j < structure.m; ++j) {
    add_row("B", j, state.loads().output_links(clos::MiddleId(j)), structure.r2);
  }
  figures["largest_load"] = largest;
}

/// A request for a weight in a given state: what is available, the destination sets for that
/// weight, the passes of the control algorithm, and the loads with the new connection.
Figures multirate_request(const Section& parameters) {
  const clos::Structure structure =
      structure_of(parameters.count("m"), parameters.count("n1"), parameters.count("r1"),
                   parameters.count("n2"), parameters.count("r2"));
  const clos::Rate rate = rate_of(parameters, "w");
  MultirateState state = given_state(parameters, "state", structure, rate);
  const auto weight =
      static_cast<Weight>(state.weights().capacity / rate.denominator * rate.numerator);
  const BitSet wanted = set_of(counts_of(parameters, "I"), structure.r2);
  const std::size_t input = parameters.count("input") - 1;
  const bool connects = parameters.boolean("connects");
  if (connects && !state.fits(to_id<clos::InputId>(input), weight)) {
    parameters.fail("input", "has no space for the weight", "take another");
  }
  const clos::Question found = control_input_in(state, input / structure.n1, weight, wanted);
  Figures figures;
  figures["w"] = static_cast<double>(weight) / state.weights().capacity;
  for (std::size_t j = 0; j < structure.m; ++j) {
    figures["M_" + std::to_string(j + 1)] = clos::in_lecture(found.busy.set_of(j));
  }
  figures["lemma_5_faults"] = add_carriers(found, ",", figures);
  const clos::Selection selection = add_passes(found, figures);
  figures["available"] = members_of(found.candidates);
  figures["S"] = ordered_json(figures["S"][0]);
  try {
    if (connects) connect_by(state, input, selection, weight);
  } catch (const std::logic_error& error) {
    parameters.fail("I", error.what(), "take other output switches");
  }
  state.verify();  // No link or port above 1.
  add_loads(state, figures);
  figures.drawings.push_back(state_drawing(state));
  return figures;
}

}  // namespace

FigureMakers state_makers() {
  return {{"state_of_network", state_of_network},
          {"middles_for_request", middles_for_request},
          {"control_passes", control_passes},
          {"multirate_request", multirate_request}};
}

}  // namespace flitcast::claims
