// SPDX-License-Identifier: Apache-2.0
// Requests on a state that the user gives, in the notation of the lecture.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/sequences.h"
#include "clos/given_state.h"
#include "sim/clos/command.h"

namespace flitcast {
namespace {

using clos::in_lecture;

/// {"M_1": "{1,2}", "M_2": "{}"}.
ordered_json sets_json(const BitMatrix& sets) {
  ordered_json json;
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    json[fmt::format("M_{}", j + 1)] = in_lecture(sets.set_of(j));
  }
  return json;
}

/// The passes in which the control algorithm finds this route.
ordered_json passes_json(const clos::Question& question, const clos::Route& route) {
  ordered_json passes = ordered_json::array();
  BitSet rest = question.wanted;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    ordered_json json{{"pass", leg + 1}};
    question.candidates.for_each([&](std::size_t j) {
      BitSet residual = question.busy.set_of(j);
      residual &= rest;
      json[fmt::format("S_{}", j + 1)] = in_lecture(residual);
    });
    rest -= route.served_set(leg);
    json.update({{"minimum", rest.count()},
                 {"middle", index(route.middle(leg)) + 1},
                 {"serves", in_lecture(route.served_set(leg))},
                 {"left", in_lecture(rest)}});
    passes.push_back(json);
  }
  return passes;
}

ordered_json connections_json(const clos::MultirateState& state) {
  return mapped(state.connections(), [&](const clos::MultirateConnection& one) {
    BitSet switches(state.structure().r2);
    output_switches_of(state.structure(), one.request.outputs, switches);
    const std::string input = fmt::format("I_{}", index(one.request.input) + 1);
    const double weight = 1.0 * one.request.weight / state.weights().capacity;
    return fmt::format("{}={} over {}",
                       weight == 1 ? input : fmt::format("({},{:g})", input, weight),
                       in_lecture(switches), in_lecture(one.route));
  });
}

/// The destination sets; if there are weights, the loads of links, "A(1,2)" from input switch 1 and
/// "B(2,4)" to output switch 4.
ordered_json links_json(const clos::GivenState& given) {
  const clos::MultirateState& state = given.state();
  const double capacity = state.weights().capacity;
  if (capacity == 1) return sets_json(given.destination_sets(1));
  ordered_json json;
  const auto add = [&](const char* stage, std::size_t from, std::size_t to, clos::Weight load) {
    if (load != 0) json[fmt::format("{}({},{})", stage, from + 1, to + 1)] = load / capacity;
  };
  const clos::Structure& structure = state.structure();
  for (std::uint32_t j = 0; j < structure.m; ++j) {
    for (std::uint32_t i = 0; i < structure.r1; ++i) {
      add("A", i, j, state.loads().input_links(i)[j]);
    }
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      add("B", j, k, state.loads().output_links(clos::MiddleId{j})[k]);
    }
  }
  return json;
}

/// Applies Theorem 1 to the middle switches that the statement names.
void test(const clos::Statement& statement, const clos::Question& question, ordered_json& json) {
  BitSet middles(question.candidates.size());
  for (const clos::Statement::Leg& leg : statement.legs) middles.set(leg.middle);
  const BitSet left = unserved_by(question, middles);
  clos::Question all = question;
  all.wanted = BitSet::full(left.size());
  json["intersection"] = in_lecture(unserved_by(all, middles));
  json["left"] = in_lecture(left);
  const bool available = question.candidates.contains(middles);
  json["outcome"] = !available ? "not available" : left.any() ? "cannot carry" : "can carry";
}

/// Adds the routes of strategies 1 to 3 and of `strategy`, whose choice is the outcome; if
/// `enters`, the connection is added to the state.
void route(const clos::StrategyContext& context, const std::string& strategy, bool enters,
           const clos::Question& question, clos::GivenState& given, ordered_json& json) {
  clos::Selection selection(context.structure.r2);
  for (const std::string& name :
       {std::string("S1"), std::string("S2"), std::string("S3"), strategy}) {
    entry_named(clos::strategies(), "strategy", name)
        .make(context)
        ->select({question.wanted, question.candidates, question.busy}, selection);
    if (name == "S1") json["passes"] = passes_json(question, selection);
    json["routes"][name] = selection.blocked() ? "blocked" : in_lecture(selection);
  }
  const BitSet unserved = unserved_by(question, question.candidates);
  if (unserved.any()) json["no_available_middle_serves"] = in_lecture(unserved);
  json["outcome"] = selection.blocked() ? "blocked" : enters ? "connected" : "can be carried";
  if (enters && !selection.blocked()) given.connect(question, selection);
}

ordered_json answer(const clos::StrategyContext& context, const std::string& strategy,
                    const clos::Statement& statement, clos::GivenState& given) {
  ordered_json json{{"request", statement.text}};
  if (statement.kind == clos::Statement::Kind::kEnd) {
    given.end(statement);
    json["outcome"] = "ended";
    return json;
  }
  if (statement.kind == clos::Statement::Kind::kDestinationSet) {
    fail({}, "\"" + statement.text + "\" is no request", "give it to --state");
  }
  const clos::Question question = given.question_of(statement);
  json["M"] = sets_json(question.busy);
  json["available"] = in_lecture(question.candidates);
  if (!statement.legs.empty()) {
    test(statement, question, json);
  } else {
    route(context, strategy, statement.number && !given.has_sets_only(), question, given, json);
  }
  return json;
}

}  // namespace

int route_on_state(const clos::StrategyContext& context, const std::string& strategy,
                   const std::string& state, const std::string& requests, bool as_json) {
  const std::vector<clos::Statement> asked = clos::parse_statements(requests, context.structure);
  const std::vector<clos::Statement> stands = clos::parse_statements(state, context.structure);
  clos::GivenState given(context.structure, capacity_of(concatenated({stands, asked})), stands);
  ordered_json result{{"network", to_text(context.structure)},
                      {"strategy", strategy},
                      {"connections", connections_json(given.state())},
                      {"before", links_json(given)}};
  if (given.ways() != 0) result["ways_to_route"] = given.ways();
  for (const clos::Statement& statement : asked) {
    result["requests"].push_back(answer(context, strategy, statement, given));
  }
  if (!asked.empty()) result["after"] = links_json(given);
  return print(as_json, result, [&] { print_lines(result); });
}

}  // namespace flitcast
