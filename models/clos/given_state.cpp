// SPDX-License-Identifier: Apache-2.0
#include "clos/given_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "clos/route_search.h"

namespace flitcast::clos {
namespace {

/// Checks a statement on the loads of a network; adds its problems to a list.
struct StatementCheck {
  const Statement& statement;
  const LoadTable& loads;
  Weight capacity;
  std::vector<Problem>& problems;

  const Structure& structure() const { return loads.structure(); }

  Weight weight() const {
    if (!statement.rate) return capacity;
    return static_cast<Weight>(statement.rate->numerator * capacity / statement.rate->denominator);
  }

  void report(const std::string& what, const std::string& hint) {
    problems.push_back({{}, "", fmt::format("\"{}\": {}", statement.text, what), hint});
  }

  bool exists(const char* what, std::uint32_t number, std::uint32_t count) {
    if (number >= count) {
      report(fmt::format("{} {} does not exist", what, std::uint64_t{number} + 1),
             fmt::format("take 1 to {}", count));
    }
    return number < count;
  }

  MultirateRequest request() {
    MultirateRequest request{InputId{statement.number.value_or(0)}, {}, weight()};
    if (exists("input", index(request.input), structure().inputs()) && statement.number) {
      require_space(fmt::format("input {}", *statement.number + 1), loads.load(request.input));
    }
    for (std::size_t at = 0; at < statement.switches.size(); ++at) {
      const std::uint32_t k = statement.switches[at];
      if (!exists("output switch", k, structure().r2)) continue;
      const bool is_named = !statement.outputs.empty();
      std::uint32_t output = is_named ? statement.outputs[at] : k * structure().n2;
      const std::uint32_t end = is_named ? output + 1 : output + structure().n2;
      while (output < end && !is_idle(OutputId{output}, request.outputs)) ++output;
      if (output < end) {
        request.outputs.push_back(OutputId{output});
      } else {
        report(is_named ? fmt::format("output {}, counted from 0, is taken", end - 1)
                        : fmt::format("output switch {} has no idle output", k + 1),
               "take another");
      }
    }
    if (statement.switches.empty()) report("it names no output switch", "name at least one");
    std::sort(request.outputs.begin(), request.outputs.end());
    return request;
  }

  /// The route of a request without problems.
  Route route(const MultirateRequest& request) {
    Route route(structure().r2);
    BitSet used(structure().m);
    BitSet left(structure().r2);
    for (const std::uint32_t k : statement.switches) left.set(k);
    for (const Statement::Leg& leg : statement.legs) {
      BitSet served = left;
      if (leg.served) served = served_by(leg, left);
      left -= served;
      if (!exists("middle switch", leg.middle, structure().m)) continue;
      if (served.none()) {
        report(fmt::format("middle switch {} serves nothing", leg.middle + 1), "leave it out");
      }
      if (used.test(leg.middle)) {
        report(fmt::format("middle switch {} is named twice", leg.middle + 1), "name it once");
      }
      used.set(leg.middle);
      require_links(structure().input_switch(request.input), leg.middle, served);
      route.add(MiddleId{leg.middle}, served.words());
    }
    if (left.any()) {
      report("no middle switch serves " + in_lecture(left), "let the parts cover the request");
    }
    return route;
  }

  bool has_space(Weight load) const { return weight() <= capacity - load; }

  void require_space(const std::string& what, Weight load) {
    if (has_space(load)) return;
    if (capacity == 1) return report(what + " is taken", "take an idle one");
    report(fmt::format("{} carries {:g}, so {:g} more is too much", what, 1.0 * load / capacity,
                       1.0 * weight() / capacity),
           fmt::format("take at most {:g}", 1.0 * (capacity - load) / capacity));
  }

  void require_links(std::uint32_t i, std::uint32_t j, const BitSet& served) {
    require_space(fmt::format("link A({},{}) from input switch {}", i + 1, j + 1, i + 1),
                  loads.input_links(i)[j]);
    served.for_each([&](std::size_t k) {
      require_space(fmt::format("link B({},{}) to output switch {}", j + 1, k + 1, k + 1),
                    loads.output_links(MiddleId{j})[k]);
    });
  }

  /// True if an output has space and is not taken; the outputs of a set without an input may have
  /// none.
  bool is_idle(OutputId output, const std::vector<OutputId>& taken) const {
    return !statement.number || (has_space(loads.load(output)) && !contains(taken, output));
  }

  BitSet served_by(const Statement::Leg& leg, const BitSet& left) {
    BitSet served(structure().r2);
    for (const std::uint32_t k : *leg.served) {
      if (!exists("output switch", k, structure().r2)) continue;
      if (!left.test(k)) {
        report(fmt::format("output switch {} is served twice, or not asked for", k + 1),
               "let the parts divide the request");
      }
      served.set(k);
    }
    return served;
  }
};

/// Finds the routes of connections from the destination sets that they have; returns the number of
/// ways, as GivenState::ways().
std::uint64_t find_routes(const BitMatrix& sets, const MultirateState& state,
                          std::vector<MultirateConnection>& connections) {
  std::vector<RouteSearch::Branch> branches;
  for (const MultirateConnection& one : connections) {
    BitSet wanted(sets.columns());
    output_switches_of(state.structure(), one.request.outputs, wanted);
    wanted.for_each([&](std::size_t k) {
      branches.push_back({index(one.request.input), static_cast<std::uint32_t>(k)});
    });
  }
  const auto links = sum_of<std::size_t>(numbers(sets.rows()),
                                         [&](std::size_t j) { return sets.set_of(j).count(); });
  constexpr std::size_t kMostBranches = 4096;  // The search is recursive.
  constexpr std::uint64_t kMostSteps = 10'000'000;
  if (links != branches.size() || links > kMostBranches) return 0;
  RouteSearch search(state.structure(), branches, &sets);
  const std::uint64_t ways = search.count(GivenState::kMostWays, kMostSteps);
  auto branch = search.first().begin();
  for (MultirateConnection& one : connections) {
    std::map<std::uint32_t, BitSet> served;  // By middle switch.
    for (; branch != search.first().end() && InputId{branch->input} == one.request.input;
         ++branch) {
      served.try_emplace(branch->middle, sets.columns()).first->second.set(branch->output_switch);
    }
    for (const auto& [middle, set] : served) one.route.add(MiddleId{middle}, set.words());
  }
  return ways;
}

}  // namespace

BitSet unserved_by(const Question& question, const BitSet& middles) {
  BitSet rest = question.wanted;
  middles.for_each([&](std::size_t j) { rest &= question.busy.set_of(j); });
  return rest;
}

GivenState::GivenState(const Structure& structure, Weight capacity,
                       const std::vector<Statement>& statements)
    : state_(structure, {capacity, 1}), sets_(structure.m, structure.r2) {
  std::vector<Problem> problems;
  std::vector<MultirateConnection> connections;
  LoadTable loads(structure);
  BitSet known(structure.m);  // Middle switches whose sets are given.
  std::size_t routed = 0;
  for (const Statement& statement : statements) {
    StatementCheck check{statement, loads, capacity, problems};
    const std::size_t before = problems.size();
    if (statement.kind == Statement::Kind::kEnd || !statement.number) {
      check.report("is no part of a state", "write I_3={1,2} over 1, or M_1={1,2}");
    } else if (statement.kind == Statement::Kind::kDestinationSet) {
      if (!check.exists("middle switch", *statement.number, structure.m)) continue;
      if (known.test(*statement.number)) check.report("is given twice", "give it once");
      known.set(*statement.number);
      for (const std::uint32_t k : statement.switches) {
        if (check.exists("output switch", k, structure.r2)) sets_.set(*statement.number, k);
      }
    } else {
      MultirateConnection connection{{}, check.request(), Route(structure.r2)};
      if (problems.size() == before && !statement.legs.empty()) {
        connection.route = check.route(connection.request);
        ++routed;
      }
      if (problems.size() != before) continue;  // Its ports and links would cause others.
      loads.add(connection.request, connection.route);
      connections.push_back(std::move(connection));
    }
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  if (routed < connections.size()) {
    if (routed != 0 || capacity != 1) {
      fail({}, "some connections have no routes", "write over 1, or over 1:{1} 2:{2}, for all");
    }
    ways_ = find_routes(sets_, state_, connections);
    if (ways_ == 0) {
      fail({}, "no routes were found by which the connections have these M_j",
           "give all M_j that are not empty, or the routes of all connections");
    }
  }
  for (const MultirateConnection& one : connections) state_.connect(one.request, one.route);
  has_sets_only_ = connections.empty() && known.any();
  if (!connections.empty()) compare_sets(known);
}

void GivenState::compare_sets(const BitSet& known) const {
  std::vector<Problem> problems;
  const BitMatrix actual = destination_sets(state_.weights().capacity);
  known.for_each([&](std::size_t j) {
    if (sets_.set_of(j) == actual.set_of(j)) return;
    problems.push_back({{},
                        "",
                        fmt::format("M_{} is not {}", j + 1, in_lecture(sets_.set_of(j))),
                        "the connections make it " + in_lecture(actual.set_of(j))});
  });
  if (!problems.empty()) throw ConfigError(std::move(problems));
}

BitMatrix GivenState::destination_sets(Weight weight) const {
  BitMatrix sets = sets_;
  if (!has_sets_only()) state_.find_destination_sets(weight, sets);
  return sets;
}

Question GivenState::question_of(const Statement& statement) const {
  const Structure& structure = state_.structure();
  std::vector<Problem> problems;
  StatementCheck check{statement, state_.loads(), state_.weights().capacity, problems};
  Question question{check.request(), BitSet(structure.r2), BitSet::full(structure.m),
                    destination_sets(check.weight())};
  for (const Statement::Leg& leg : statement.legs) {
    check.exists("middle switch", leg.middle, structure.m);
    if (leg.served) check.report("Theorem 1 asks for no parts", "write over 2,5");
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  output_switches_of(state_.structure(), question.request.outputs, question.wanted);
  if (statement.number) {
    state_.find_available(structure.input_switch(question.request.input), check.weight(),
                          question.candidates);
  }
  return question;
}

void GivenState::end(const Statement& statement) {
  for (const MultirateConnection& one : state_.connections()) {
    if (index(one.request.input) == *statement.number) return state_.disconnect(one.id);
  }
  fail({}, fmt::format("\"{}\": the input has no connection", statement.text),
       "end one that stands");
}

Weight capacity_of(const std::vector<Statement>& statements) {
  std::uint64_t capacity = 1;
  for (const Statement& statement : statements) {
    const std::uint64_t units = statement.rate ? statement.rate->denominator : 1;
    capacity = units > kMostCapacity ? units : std::lcm(capacity, units);
    if (capacity <= kMostCapacity) continue;
    throw std::invalid_argument(
        fmt::format("no link of up to {} units has all weights; round them", kMostCapacity));
  }
  return static_cast<Weight>(capacity);
}

}  // namespace flitcast::clos
