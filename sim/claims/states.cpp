// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: states of the Clos network, and the middle switches for a request.
// Ports and switches have numbers from 1 in parameters and figures, as on the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/network_state.h"
#include "clos/traffic.h"
#include "sim/claims/middle_assignments.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"
#include "topology/clos.h"

namespace flitcast::claims {
namespace {

/// The structure v(m, n, r).
clos::Structure clos_of(std::size_t m, std::size_t n, std::size_t r) {
  return clos::Structure::symmetric(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(n),
                                    static_cast<std::uint32_t>(r));
}

/// A network whose requests a strategy decides, without a limit on middle switches.
clos::ConnectionAdmission network_under(const std::string& strategy,
                                        const clos::Structure& structure, std::uint64_t seed) {
  return {structure, clos::strategies().find(strategy)->make({structure, 0, seed})};
}

// One-to-one connections.

/// Whether a request from input switch 1 to output switch 1 is blocked where n - 1 connections from
/// that input switch to switch 2, and n - 1 from switch 2 to that output switch, use different
/// middle switches as long as there are some.
bool blocks_one_to_one(std::size_t m, std::size_t n, std::size_t r) {
  clos::NetworkState state(clos_of(m, n, r));
  const auto connect = [&](std::size_t from, std::size_t to, std::size_t middle) {
    clos::Route route(r);
    route.add(to_id<clos::MiddleId>(middle), to / n);
    state.connect(to_id<clos::InputId>(from), {to_id<clos::OutputId>(to)}, route);
  };
  for (std::size_t p = 0; p + 1 < n; ++p) {
    if (p < m) connect(p, n + p, p);
    if (n - 1 + p < m) connect(n + p, p, n - 1 + p);
  }
  state.verify();
  const std::size_t free =
      state.available(0).find([&](std::size_t j) { return !state.destination_sets().test(j, 0); });
  return free == m;
}

/// A search for a state of one-to-one connections in which no middle switch can carry a request
/// from input switch 1 to output switch 1. Middle switches are equivalent, so their connections
/// are chosen in one order only.
class OneToOneStates {
 public:
  OneToOneStates(std::size_t n, std::size_t r) : n_(n), r_(r) {
    std::vector<std::size_t> outputs(r, r);  // Of each input switch; r: none.
    add_choices(0, outputs);
    std::vector<std::size_t>(r, 0).swap(inputs_used_);
    outputs_used_ = inputs_used_;
  }

  /// Connections of a middle switch that cannot carry the request.
  std::size_t choices() const { return choices_.size(); }

  bool block(std::size_t m, std::size_t from = 0) {
    if (m == 0) return true;
    for (std::size_t c = from; c < choices_.size(); ++c) {
      const bool fits = change(choices_[c], 1);
      const bool found = fits && block(m - 1, c);
      change(choices_[c], -1);
      if (found) return true;
    }
    return false;
  }

 private:
  void add_choices(std::size_t i, std::vector<std::size_t>& outputs) {
    if (i == r_) {
      const bool taken = outputs[0] != r_ || std::count(outputs.begin(), outputs.end(), 0U) != 0;
      if (taken) choices_.push_back(outputs);
      return;
    }
    for (std::size_t k = 0; k <= r_; ++k) {
      outputs[i] = r_;
      if (k < r_ && std::count(outputs.begin(), outputs.end(), k) != 0) continue;
      outputs[i] = k;
      add_choices(i + 1, outputs);
    }
    outputs[i] = r_;
  }

  /// Adds or removes connections; returns whether all ports suffice, with two left for the request.
  bool change(const std::vector<std::size_t>& outputs, int sign) {
    for (std::size_t i = 0; i < r_; ++i) {
      if (outputs[i] == r_) continue;
      inputs_used_[i] += static_cast<std::size_t>(sign);
      outputs_used_[outputs[i]] += static_cast<std::size_t>(sign);
    }
    bool fits = inputs_used_[0] < n_ && outputs_used_[0] < n_;
    for (std::size_t i = 0; i < r_; ++i) fits &= inputs_used_[i] <= n_ && outputs_used_[i] <= n_;
    return fits;
  }

  std::size_t n_;
  std::size_t r_;
  std::vector<std::vector<std::size_t>> choices_;
  std::vector<std::size_t> inputs_used_;
  std::vector<std::size_t> outputs_used_;
};

Figures one_to_one(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  std::size_t m = 1;
  while (blocks_one_to_one(m, n, r)) ++m;
  Figures figures;
  figures.values = {{"m", m}, {"blocking", m - 1}};
  figures.values["corollary_1"] = clos::corollary1(n, 1).m;
  figures.values["strict"] = clos::strict_sense(n, r, 1);
  std::uint64_t requests = 0;
  std::uint64_t blocked = 0;
  for (const clos::StrategyEntry& strategy : clos::strategies()) {
    clos::ConnectionAdmission control =
        network_under(strategy.name, clos_of(m, n, r), parameters.count("seed"));
    clos::RequestGenerator generator(control.state().structure(), {parameters.count("seed"), 1});
    const clos::TrafficCounts counts =
        clos::run_traffic(control, generator, parameters.count("events"));
    requests += counts.requests;
    blocked += counts.blocked;
  }
  figures.values["requests"] = requests;
  figures.values["blocked"] = blocked;
  figures.values["refuted"] = false;
  constexpr double kMostStates = 1e6;
  if (r > 4) return figures;
  OneToOneStates states(n, r);
  if (std::pow(static_cast<double>(states.choices()), 2 * n - 2) > kMostStates) return figures;
  std::size_t smallest = 1;
  while (states.block(smallest)) ++smallest;
  figures.values["smallest"] = smallest;
  figures.values["refuted"] = smallest != m;
  return figures;
}

// States of a network.

using Sets = std::vector<std::vector<std::size_t>>;

/// The numbers in a text: "{1,3}". Without braces every digit is one: "134".
std::vector<std::size_t> elements_in(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  std::vector<std::size_t> elements;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
    const std::size_t end = digits ? at + 1 : text.find_first_not_of("0123456789", at);
    elements.push_back(std::stoul(text.substr(at, end - at)));
    at = end - 1;
  }
  return elements;
}

std::string set_text(const std::vector<std::size_t>& set) {
  return fmt::format("{{{}}}", fmt::join(set, ","));
}

/// The members of a set, counted from 1.
std::vector<std::size_t> members_of(const BitSet& set) {
  std::vector<std::size_t> members;
  set.for_each([&](std::size_t member) { members.push_back(member + 1); });
  return members;
}

/// Enters "6:3{2}+4{4}" into a network: input 6 over middle switch 3 to output switch 2 and over 4
/// to 4, at the lowest idle ports.
void enter_route(const std::string& text, clos::NetworkState& state) {
  const clos::Structure& structure = state.structure();
  const auto number_at = [&](std::size_t at, std::size_t most) {
    if (at >= text.size() || std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      throw std::invalid_argument(text + " is no route");
    }
    const std::size_t number = std::stoul(text.substr(at));
    if (number < 1 || number > most) throw std::invalid_argument(text + " has a number too large");
    return number - 1;
  };
  clos::Route route(structure.r2);
  std::vector<clos::OutputId> outputs;
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find('+', at + 1)) {
    const std::size_t middle = number_at(at + 1, structure.m);
    const std::size_t open = text.find('{', at);
    SetWord* const served = route.append(to_id<clos::MiddleId>(middle));
    std::fill_n(served, set_words(structure.r2), SetWord{0});
    for (std::size_t k : elements_in(text.substr(open, text.find('}', at) - open))) {
      if (k < 1 || k > structure.r2) throw std::invalid_argument(text + " has no such switch");
      --k;
      served[k / 64] |= SetWord{1} << k % 64;
      std::size_t port = k * structure.n2;
      while (port + 1 < (k + 1) * structure.n2 && !state.idle_outputs().test(port)) ++port;
      outputs.push_back(to_id<clos::OutputId>(port));
    }
  }
  std::sort(outputs.begin(), outputs.end());
  state.connect(to_id<clos::InputId>(number_at(0, structure.inputs())), outputs, route);
}

/// By input: the output switches of its connection.
Sets requests_of(const clos::NetworkState& state) {
  Sets requests;
  for (std::uint32_t input = 0; input < state.structure().inputs(); ++input) {
    BitSet switches(state.structure().r2);
    state.output_switches_of(state.connection(clos::InputId(input)).outputs, switches);
    requests.push_back(members_of(switches));
  }
  return requests;
}

/// How many of the sets contain each of 1 to r.
std::vector<std::size_t> occurrences(const Sets& sets, std::size_t r) {
  std::vector<std::size_t> counts(r);
  for (const auto& set : sets) {
    for (const std::size_t element : set) ++counts[element - 1];
  }
  return counts;
}

Sets destination_sets(const clos::NetworkState& state) {
  Sets sets;
  for (std::size_t j = 0; j < state.structure().m; ++j) {
    sets.push_back(members_of(state.destination_sets().set_of(j)));
  }
  return sets;
}

/// The rules of a state that it breaks: each link carries one connection at most, the sets of
/// middle switches and of requests contain every output switch equally often, at most n times.
std::size_t broken_rules(const clos::NetworkState& state) {
  std::size_t broken = 0;
  try {
    state.verify();
  } catch (const std::logic_error&) {
    ++broken;
  }
  const std::size_t r = state.structure().r2;
  const std::vector<std::size_t> in_sets = occurrences(destination_sets(state), r);
  broken += in_sets == occurrences(requests_of(state), r) ? 0 : 1;
  return broken +
         (*std::max_element(in_sets.begin(), in_sets.end()) > state.structure().n2 ? 1 : 0);
}

/// Ways to give the requests of a state middle switches with the same destination sets.
void add_assignments(const Sets& requests, const Sets& sets, std::size_t n, ordered_json& figures) {
  constexpr std::size_t kMostParts = 24;
  std::vector<SwitchConnection> connections;
  std::size_t parts = 0;
  for (std::size_t input = 0; input < requests.size(); ++input) {
    if (!requests[input].empty()) connections.push_back({input / n, requests[input]});
    parts += requests[input].size();
  }
  if (parts > kMostParts) return;
  std::vector<std::set<std::size_t>> possible;
  for (const auto& set : sets) possible.emplace_back(set.begin(), set.end());
  std::size_t assignments = 0;
  std::size_t fewest = parts;
  MiddleAssignments(connections, sets.size(), possible).for_each([&](std::size_t links) {
    ++assignments;
    fewest = std::min(fewest, links);
    return assignments < 1000000;
  });
  figures["assignments"] = assignments;
  figures["fewest_links"] = fewest;
}

std::string state_drawing(const clos::NetworkState& state) {
  const clos::Structure& structure = state.structure();
  const Clos network({{structure.n1, structure.m}}, structure.r1);
  const Layout layout = network.layout();
  const auto place = [&](std::size_t stage, std::size_t at) {
    return layout[at + (stage > 0 ? structure.r1 : 0) + (stage > 1 ? structure.m : 0)];
  };
  Drawing drawing;
  for (std::uint32_t input = 0; input < structure.inputs(); ++input) {
    const std::uint32_t i = structure.input_switch(clos::InputId(input));
    const clos::Route& route = state.connection(clos::InputId(input)).route;
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      const Position middle = place(1, index(route.middle(leg)));
      drawing.line(place(0, i), middle, input);
      route.served_set(leg).for_each(
          [&](std::size_t k) { drawing.line(middle, place(2, k), input); });
    }
  }
  for (std::size_t i = 0; i < structure.r1; ++i) drawing.node(place(0, i), std::to_string(i + 1));
  for (std::size_t j = 0; j < structure.m; ++j) drawing.node(place(1, j), std::to_string(j + 1));
  for (std::size_t k = 0; k < structure.r2; ++k) drawing.node(place(2, k), std::to_string(k + 1));
  return drawing.svg("state of " + clos::to_text(structure));
}

/// Random requests under S1, with checks of every state.
clos::NetworkState random_state(const clos::Structure& structure, const Section& parameters,
                                ordered_json& figures) {
  clos::ConnectionAdmission control = network_under("S1", structure, 1);
  clos::RequestGenerator generator(structure, {parameters.count("seed")});
  std::size_t requests = 0;
  std::size_t blocked = 0;
  std::size_t violations = 0;
  while (requests < parameters.count("requests")) {
    const clos::Proposal event = generator.next(control.state());
    if (event.connects) {
      ++requests;
      if (control.connect(event.input, event.outputs).blocked()) ++blocked;
    } else {
      control.disconnect(event.input);
    }
    violations += broken_rules(control.state());
  }
  figures["blocked"] = blocked;
  figures["violations"] = violations;
  return control.state();
}

clos::NetworkState given_state(const clos::Structure& structure, const Section& parameters,
                               ordered_json& figures) {
  clos::NetworkState state(structure);
  std::size_t violations = 0;
  for (const std::string& route : parameters.texts("routes")) {
    try {
      enter_route(route, state);
    } catch (const std::logic_error& error) {
      parameters.fail("routes", error.what(), "give routes such as 6:3{2}+4{4} over idle links");
    }
    violations += broken_rules(state);
  }
  figures["violations"] = violations;
  return state;
}

/// The words of the page for a state that is given by its routes, or that random requests reach.
Figures state_of_network(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const clos::Structure structure = clos_of(parameters.count("m"), n, r);
  Figures figures;
  ordered_json& values = figures.values;
  const clos::NetworkState state = parameters.count("requests") > 0
                                       ? random_state(structure, parameters, values)
                                       : given_state(structure, parameters, values);
  const Sets requests = requests_of(state);
  const Sets sets = destination_sets(state);
  const auto total = [](const std::vector<std::size_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  };
  std::size_t links = 0;
  Sets available;
  for (std::uint32_t i = 0; i < r; ++i) {
    available.push_back(members_of(state.available(i)));
    links += structure.m - available.back().size();
  }
  values["legal"] = broken_rules(state) == 0;
  values["I"] = requests;
  values["M"] = sets;
  values["in_sets"] = occurrences(sets, r);
  values["in_requests"] = occurrences(requests, r);
  values["sum_M"] = total(occurrences(sets, r));
  values["sum_I"] = total(occurrences(requests, r));
  values["links"] = links;
  values["available"] = available;
  values["idle_inputs"] = members_of(state.idle_inputs());
  values["idle_outputs"] = members_of(state.idle_outputs());
  add_assignments(requests, sets, n, values);
  if (structure.inputs() <= 64) figures.drawings.push_back(state_drawing(state));
  return figures;
}

// Theorem 1.

/// The elements of a request that all chosen sets contain. Bit k is element k + 1.
std::vector<std::size_t> left_by(const std::vector<std::size_t>& chosen, const Sets& sets,
                                 std::uint32_t request) {
  std::vector<std::size_t> left;
  for (std::size_t k = 1; k <= 32; ++k) {
    const bool in_all = std::all_of(chosen.begin(), chosen.end(), [&](std::size_t j) {
      return std::count(sets[j - 1].begin(), sets[j - 1].end(), k) != 0;
    });
    if ((request >> (k - 1) & 1) != 0 && in_all) left.push_back(k);
  }
  return left;
}

/// Whether these middle switches have links for a request, by trying them.
bool can_carry(const std::vector<std::size_t>& chosen, const Sets& sets, std::uint32_t request,
               std::size_t r) {
  SwitchConnection connection;
  for (std::size_t k = 1; k <= r; ++k) {
    if ((request >> (k - 1) & 1) != 0) connection.outputs.push_back(k);
  }
  std::vector<std::set<std::size_t>> idle;
  for (const std::size_t j : chosen) {
    idle.emplace_back();
    for (std::size_t k = 1; k <= r; ++k) {
      const auto& busy = sets[j - 1];
      if (std::count(busy.begin(), busy.end(), k) == 0) idle.back().insert(k);
    }
  }
  // Those with the fewest choices first, as the search goes back for them.
  std::sort(connection.outputs.begin(), connection.outputs.end(),
            [&](std::size_t a, std::size_t b) {
              const auto choices = [&](std::size_t k) {
                return std::count_if(idle.begin(), idle.end(),
                                     [k](const auto& outputs) { return outputs.count(k) != 0; });
              };
              return choices(a) < choices(b);
            });
  return MiddleAssignments({connection}, chosen.size(), idle).any();
}

/// Requests in states of a small network that the theorem decides wrongly: S1 without a limit finds
/// a route if there is one.
std::size_t wrong_in_states(std::uint64_t seed) {
  const clos::Structure structure = clos_of(5, 3, 4);
  clos::ConnectionAdmission control = network_under("S1", structure, 1);
  clos::RequestGenerator generator(structure, {seed});
  std::size_t wrong = 0;
  for (int event = 0; event < 2000; ++event) {
    const clos::Proposal proposal = generator.next(control.state());
    if (!proposal.connects) {
      control.disconnect(proposal.input);
      continue;
    }
    BitSet left(structure.r2);
    control.state().output_switches_of(proposal.outputs, left);
    control.state().available(structure.input_switch(proposal.input)).for_each([&](std::size_t j) {
      left &= control.state().destination_sets().set_of(j);
    });
    if (control.connect(proposal.input, proposal.outputs).blocked() == left.none()) ++wrong;
  }
  return wrong;
}

Figures middles_for_request(const Section& parameters) {
  Sets sets;
  std::size_t r = 1;
  for (const std::string& text : parameters.texts("M")) {
    sets.push_back(elements_in(text));
    for (const std::size_t k : sets.back()) r = std::max(r, k);
  }
  std::uint32_t wanted = 0;
  for (const std::int64_t k : parameters.integers("I")) {
    wanted |= 1U << (k - 1);
    r = std::max(r, static_cast<std::size_t>(k));
  }
  if (r > 8 || sets.size() > 8) {
    parameters.fail("M", "there are too many choices", "take up to 8 sets of numbers up to 8");
  }
  Figures figures;
  std::size_t wrong = 0;
  std::size_t carrying = 0;
  std::size_t choices = 0;
  for (std::uint32_t subset = 1; subset < 1U << sets.size(); ++subset) {
    std::vector<std::size_t> chosen;
    for (std::size_t j = 1; j <= sets.size(); ++j) {
      if ((subset >> (j - 1) & 1) != 0) chosen.push_back(j);
    }
    for (std::uint32_t request = 1; request < 1U << r; ++request) {
      ++choices;
      if (left_by(chosen, sets, request).empty() != can_carry(chosen, sets, request, r)) ++wrong;
    }
    const std::vector<std::size_t> left = left_by(chosen, sets, wanted);
    if (left.empty()) ++carrying;
    figures.values[set_text(chosen)] =
        left.empty() ? "yes" : fmt::format("no {}", fmt::join(left, " "));
  }
  figures.values["carrying"] = carrying;
  figures.values["choices"] = choices;
  figures.values["wrong"] = wrong;
  figures.values["wrong_in_states"] = wrong_in_states(parameters.count("seed"));
  return figures;
}

}  // namespace

std::vector<Machine> state_machines() {
  const auto size = [](const char* key, const char* help, double least, double most) {
    return Param::integer(key, "", help, least, most);
  };
  const Param seed = Param::integer("seed", "", "Seed of requests.", 1, 1e9).defaults_to(1);
  return {
      {"one_to_one",
       "One-to-one connections on the network of Clos.",
       {size("n", "Ports of an input switch.", 1, 64), size("r", "Input switches.", 2, 64),
        Param::integer("events", "", "Random connects and disconnects.", 0, 1e6).defaults_to(500),
        seed},
       one_to_one},
      {"state_of_network",
       "The sets of a state.",
       {size("m", "Middle switches.", 1, 256), size("n", "Ports of an input switch.", 1, 256),
        size("r", "Input switches.", 1, 256),
        Param::texts("routes", "Routes such as 6:3{2}+4{4}.").defaults_to(ordered_json::array()),
        Param::integer("requests", "", "Random requests instead of routes.", 0, 1e5).defaults_to(0),
        seed},
       state_of_network},
      {"middles_for_request",
       "All sets of middle switches for a request.",
       {Param::texts("M", "Destination sets of middle switches."),
        Param::integers("I", "", "The output switches of the request.", 1, 8), seed},
       middles_for_request},
  };
}

}  // namespace flitcast::claims
