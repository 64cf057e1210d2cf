// SPDX-License-Identifier: Apache-2.0
// A machine for document 004: a request in a given state of a multirate network. Ports and switches
// have numbers from 1 in parameters and figures, as on the page.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/multirate/multirate_state.h"
#include "sim/claims/multirate_units.h"
#include "sim/claims/statement.h"
#include "sim/claims/switch_sets.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {

using clos::MultirateRequest;
using clos::MultirateState;
using clos::Weight;

namespace {

double rate_as_number(std::uint64_t weight, std::uint64_t capacity) {
  return static_cast<double>(weight) / static_cast<double>(capacity);
}

/// "I_2:0.8:{3}:1": a connection of input 2 to output switches over one middle switch.
struct GivenConnection {
  std::uint32_t input = 0;
  clos::Rate weight;
  std::vector<std::size_t> switches;
  std::uint32_t middle = 0;
};

GivenConnection connection_in(const Section& parameters, const std::string& text) {
  GivenConnection connection;
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  const std::size_t third = text.find(':', second + 1);
  try {
    const bool complete = std::count(text.begin(), text.end(), ':') == 3;
    if (text.rfind("I_", 0) != 0 || !complete) throw std::invalid_argument(text);
    connection.input = static_cast<std::uint32_t>(std::stoul(text.substr(2, first - 2)));
    connection.weight = clos::parse_rate(text.substr(first + 1, second - first - 1));
    connection.switches = members_in(text.substr(second + 1, third - second - 1));
    connection.middle = static_cast<std::uint32_t>(std::stoul(text.substr(third + 1)));
  } catch (const std::exception&) {
    parameters.fail("state", "\"" + text + "\" is no connection",
                    "write input, weight, output switches and middle switch: I_2:0.8:{3}:1");
  }
  return connection;
}

/// A request and the state that it meets.
struct GivenState {
  MultirateState state;
  MultirateRequest request;
};

/// Output ports of switches: of each the last one with space for the weight.
std::vector<clos::OutputId> ports_of(const MultirateState& state, Weight weight,
                                     const Section& parameters,
                                     const std::vector<std::size_t>& switches) {
  std::vector<clos::OutputId> outputs;
  const clos::Structure& structure = state.structure();
  for (const std::size_t k : switches) {
    std::uint32_t port = structure.n2;
    const auto first = static_cast<std::uint32_t>(k - 1) * structure.n2;
    while (k >= 1 && k <= structure.r2 && port > 0 &&
           !state.fits(clos::OutputId(first + port - 1), weight)) {
      --port;
    }
    if (k < 1 || k > structure.r2 || port == 0) {
      parameters.fail("I", fmt::format("output switch {} has no port with space", k),
                      "take others");
    }
    outputs.push_back(clos::OutputId(first + port - 1));
  }
  std::sort(outputs.begin(), outputs.end());
  return outputs;
}

GivenState given_state(const Section& parameters) {
  const std::size_t n1 = parameters.count("n1");
  std::vector<GivenConnection> connections;
  std::uint64_t capacity = rate_of(parameters, "w").denominator;
  for (const std::string& text : parameters.texts("state")) {
    connections.push_back(connection_in(parameters, text));
    capacity = std::lcm(capacity, connections.back().weight.denominator);
    if (capacity > 1'000'000) parameters.fail("w", "has too many digits", "take one digit");
  }
  const auto weight_of = [&](const clos::Rate& rate) {
    return static_cast<Weight>(capacity / rate.denominator * rate.numerator);
  };
  MultirateState state(structure_of(parameters.count("m"), n1, parameters.count("r1"),
                                    parameters.count("n2"), parameters.count("r2")),
                       {static_cast<Weight>(capacity), 1});
  const clos::Structure structure = state.structure();
  for (const GivenConnection& one : connections) {
    const bool exists = one.input >= 1 && one.input <= structure.inputs() && one.middle >= 1 &&
                        one.middle <= structure.m;
    if (!exists) parameters.fail("state", "names what does not exist", "take smaller numbers");
    MultirateRequest request{clos::InputId(one.input - 1), {}, weight_of(one.weight)};
    request.outputs = ports_of(state, request.weight, parameters, one.switches);
    clos::Route route(state.structure().r2);
    BitSet served(state.structure().r2);
    state.output_switches_of(request.outputs, served);
    route.add(clos::MiddleId(one.middle - 1), served.words());
    try {
      state.require_valid(request);
      state.connect(request, route);
    } catch (const std::logic_error& error) {
      parameters.fail("state", error.what(), "take connections that fit");
    }
  }
  MultirateRequest request{clos::InputId(static_cast<std::uint32_t>(parameters.count("input") - 1)),
                           {},
                           weight_of(rate_of(parameters, "w"))};
  std::vector<std::size_t> wanted;
  for (const std::int64_t k : parameters.integers("I")) {
    wanted.push_back(static_cast<std::size_t>(k));
  }
  if (parameters.count("input") > structure.inputs()) {
    parameters.fail("input", "does not exist", "take a smaller one");
  }
  if (parameters.boolean("connects")) {
    request.outputs = ports_of(state, request.weight, parameters, wanted);
    if (!state.fits(request.input, request.weight)) {
      parameters.fail("input", "has no space for the weight", "take another");
    }
  }
  return {std::move(state), request};
}

/// Loads of links as figures, "A(1,2) 0.3" for those in use, and as rows A_1, A_2, B_1, ...
void add_loads(const MultirateState& state, ordered_json& figures) {
  const clos::Structure& structure = state.structure();
  double largest = 0;
  const auto add_row = [&](const char* stage, std::uint32_t row, const Weight* loads,
                           std::uint32_t links) {
    std::vector<double> rates;
    for (std::uint32_t link = 0; link < links; ++link) {
      rates.push_back(rate_as_number(loads[link], state.weights().capacity));
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

/// The links that carry connections, a colour each, between input, middle and output switches.
std::string drawing_of_loads(const MultirateState& state) {
  Drawing drawing;
  const clos::Structure& structure = state.structure();
  const auto at = [](double column, std::uint32_t row) { return Position{column * 3, row * 1.5}; };
  for (std::size_t c = 0; c < state.connections().size(); ++c) {
    const clos::MultirateConnection& one = state.connections()[c];
    one.route.for_each_leg([&](clos::MiddleId middle, const SetWord* served) {
      drawing.line(at(0, structure.input_switch(one.request.input)), at(1, index(middle)), c);
      BitSet(structure.r2, served).for_each([&](std::size_t k) {
        drawing.line(at(1, index(middle)), at(2, static_cast<std::uint32_t>(k)), c);
      });
    });
  }
  const std::uint32_t sizes[] = {structure.r1, structure.m, structure.r2};
  for (int column = 0; column < 3; ++column) {
    for (std::uint32_t row = 0; row < sizes[column]; ++row) {
      drawing.node(at(column, row), std::to_string(row + 1));
    }
  }
  return drawing.svg("connections, one colour each, over input, middle and output switches");
}

/// True if middle switches can carry a request: each output switch over some of them.
bool can_carry(const MultirateState& state, const BitSet& middles, const BitSet& wanted,
               Weight weight) {
  bool all = true;
  wanted.for_each([&](std::size_t k) {
    bool any = false;
    middles.for_each([&](std::size_t j) {
      const auto middle = clos::MiddleId(static_cast<std::uint32_t>(j));
      any |= state.loads().output_links(middle)[k] + weight <= state.weights().capacity;
    });
    all = all && any;
  });
  return all;
}

/// All sets of available middle switches: "yes" if they can carry the request, otherwise what
/// their destination sets have in common.
void add_carriers(const GivenState& given, const BitSet& available, const BitSet& wanted,
                  const BitMatrix& sets, ordered_json& figures) {
  std::size_t faults = 0;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << sets.rows(); ++chosen) {
    BitSet middles(sets.rows());
    BitSet meet = wanted;
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      if ((chosen >> j & 1) == 0) continue;
      middles.set(j);
      meet &= sets.set_of(j);
    }
    if (!available.contains(middles)) continue;
    const bool carried = can_carry(given.state, middles, wanted, given.request.weight);
    if (carried != meet.none()) ++faults;
    std::string verdict = text_of_set(meet);
    verdict = carried ? "yes" : "no, " + verdict.substr(1, verdict.size() - 2);
    figures[text_of_set(middles)] = verdict;
  }
  figures["lemma_5_faults"] = faults;
}

/// A request for a weight in a given state: what is available, the destination sets for that
/// weight, the passes of the control algorithm, and the loads with the new connection.
Figures multirate_request(const Section& parameters) {
  GivenState given = given_state(parameters);
  const clos::Structure structure = given.state.structure();
  const Weight weight = given.request.weight;
  BitSet available(structure.m);
  given.state.find_available(structure.input_switch(given.request.input), weight, available);
  BitMatrix sets(structure.m, structure.r2);
  given.state.find_destination_sets(weight, sets);
  BitSet wanted(structure.r2);
  for (const std::int64_t k : parameters.integers("I")) {
    if (k > structure.r2) parameters.fail("I", "names no output switch", "take 1 to r2");
    wanted.set(static_cast<std::size_t>(k - 1));
  }
  Figures figures;
  std::vector<std::size_t> numbers;
  available.for_each([&](std::size_t j) { numbers.push_back(j + 1); });
  figures.values["available"] = numbers;
  figures.values["w"] = rate_as_number(weight, given.state.weights().capacity);
  for (std::uint32_t j = 0; j < structure.m; ++j) {
    figures.values["M_" + std::to_string(j + 1)] = text_of_set(sets.set_of(j));
  }
  add_carriers(given, available, wanted, sets, figures.values);
  clos::Selection selection(structure.r2);
  clos::strategies().find("S1")->make({structure})->select({wanted, available, sets}, selection);
  figures.values["passes"] = selection.passes();
  figures.values["take"] = middles_of_route(selection);
  figures.values["serves"] = served_by_route(selection);
  figures.values["blocked"] = selection.blocked();
  std::vector<std::size_t> sizes;
  available.for_each([&](std::size_t j) {
    BitSet left = sets.set_of(j);
    left &= wanted;
    sizes.push_back(left.count());
  });
  figures.values["S"] = sizes;
  if (!selection.blocked() && parameters.boolean("connects")) {
    given.state.connect(given.request, selection);
  }
  given.state.verify();  // No link or port above 1.
  add_loads(given.state, figures.values);
  figures.drawings.push_back(drawing_of_loads(given.state));
  return figures;
}

}  // namespace

std::vector<Machine> multirate_request_machines() {
  const auto size = [](const char* key, const char* help, double least, double most) {
    return Param::integer(key, "", help, least, most);
  };
  const Param w = Param::text("w", "The weight of the request.");
  const Param wanted = Param::integers("I", "", "Output switches of the request.", 1, 64);
  return {
      {"multirate_request",
       "A request in a given state.",
       {size("m", "Middle switches.", 1, 12), size("n1", "Ports of an input switch.", 1, 64),
        size("r1", "Input switches.", 1, 64), size("n2", "Ports of an output switch.", 1, 64),
        size("r2", "Output switches.", 1, 64),
        Param::texts("state", "Connections, such as I_2:0.8:{3}:1."), w, wanted,
        size("input", "The input of the request.", 1, 4096).defaults_to(1),
        Param::boolean("connects", true, "The request is carried out.")},
       multirate_request},
  };
}

}  // namespace flitcast::claims
