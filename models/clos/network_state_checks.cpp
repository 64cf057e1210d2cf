// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "clos/network_state.h"

namespace flitcast::clos {
namespace {

void require_none(const std::vector<std::string>& problems) {
  if (!problems.empty()) throw InvalidRequest(fmt::format("{}", fmt::join(problems, "; ")));
}

bool rises(const std::vector<OutputId>& outputs) {
  return std::adjacent_find(outputs.begin(), outputs.end(),
                            [](OutputId a, OutputId b) { return b <= a; }) == outputs.end();
}

[[noreturn]] void violated(const char* invariant, const std::string& what) {
  throw std::logic_error(fmt::format("invariant {} is broken: {}", invariant, what));
}

/// The tables of a network state, counted anew from its connections alone.
class Recount {
 public:
  explicit Recount(const NetworkState& state)
      : state_(state),
        structure_(state.structure()),
        destination_sets_(structure_.m, structure_.r2),
        used_(structure_.r1, structure_.m),
        idle_outputs_(BitSet::full(structure_.outputs())),
        occurrences_(structure_.r2, 0) {
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) add(InputId{input});
  }

  void compare() const {
    if (destination_sets_ != state_.destination_sets()) {
      violated("I1", "the sets M_j differ from the routes of the connections");
    }
    for (std::uint32_t i = 0; i < structure_.r1; ++i) {
      BitSet unused = BitSet::full(structure_.m);
      unused -= used_.set_of(i);
      if (unused != state_.available().set_of(i)) {
        violated("I1", fmt::format("input switch {} has {} free links, not {}", i, to_hex(unused),
                                   to_hex(state_.available().set_of(i))));
      }
    }
    for (std::uint32_t k = 0; k < structure_.r2; ++k) compare_output_switch(k);
    if (carried_ != wanted_) {
      violated("I4", fmt::format("{} links B for a sum of fan-outs of {}", carried_, wanted_));
    }
    if (idle_outputs_ != state_.idle_outputs()) violated("I5", "the idle outputs differ");
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      if (state_.owner(OutputId{output}).has_value() == idle_outputs_.test(output)) {
        violated("I5", fmt::format("output {} and its owner differ", output));
      }
    }
  }

 private:
  void add(InputId input) {
    const Connection& connection = state_.connection(input);
    const bool idle = connection.outputs.empty();
    if (idle != state_.idle_inputs().test(index(input)) || idle != connection.route.empty()) {
      violated("I5", fmt::format("input {} is neither idle nor connected", index(input)));
    }
    for (const OutputId output : connection.outputs) {
      if (!idle_outputs_.test(index(output)) || state_.owner(output) != input) {
        violated("I5",
                 fmt::format("output {} is not input {}'s alone", index(output), index(input)));
      }
      idle_outputs_.reset(index(output));
    }
    add_route(input, connection);
  }

  void add_route(InputId input, const Connection& connection) {
    BitSet uncovered(structure_.r2);
    state_.output_switches_of(connection.outputs, uncovered);
    wanted_ += uncovered.count();
    const Route& route = connection.route;
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      const BitSet served = route.served_set(leg);
      if (served.none() || !uncovered.contains(served)) {
        violated("I2",
                 fmt::format("leg {} of input {} serves {}", leg, index(input), to_hex(served)));
      }
      uncovered -= served;
      add_leg(structure_.input_switch(input), index(route.middle(leg)), served);
    }
    if (uncovered.any()) {
      violated("I2", fmt::format("no leg of input {} serves {}", index(input), to_hex(uncovered)));
    }
  }

  void add_leg(std::uint32_t input_switch, std::uint32_t middle, const BitSet& served) {
    if (used_.test(input_switch, middle)) {
      violated("I1", fmt::format("link A({}, {}) carries two connections", input_switch, middle));
    }
    used_.set(input_switch, middle);
    served.for_each([&](std::size_t k) {
      if (destination_sets_.test(middle, k)) {
        violated("I1", fmt::format("link B({}, {}) carries two connections", middle, k));
      }
      destination_sets_.set(middle, k);
      ++occurrences_[k];
      ++carried_;
    });
  }

  void compare_output_switch(std::uint32_t k) const {
    std::uint32_t idle = 0;
    for (std::uint32_t port = 0; port < structure_.n2; ++port) {
      if (idle_outputs_.test(k * structure_.n2 + port)) ++idle;
    }
    if (occurrences_[k] > structure_.n2 - (idle > 0 ? 1U : 0U)) {
      violated("I3", fmt::format("output switch {} is in {} sets M_j", k, occurrences_[k]));
    }
    if (idle != state_.idle_ports(k) || (idle > 0) != state_.open_output_switches().test(k)) {
      violated("I5", fmt::format("output switch {} has {} idle ports, not {}", k, idle,
                                 state_.idle_ports(k)));
    }
  }

  const NetworkState& state_;
  const Structure& structure_;
  BitMatrix destination_sets_;
  BitMatrix used_;
  BitSet idle_outputs_;
  std::vector<std::size_t> occurrences_;  ///< Of each output switch in the sets M_j.
  std::size_t carried_ = 0;               ///< The sum of |M_j|.
  std::size_t wanted_ = 0;                ///< The sum of |I_p|.
};

}  // namespace

std::string no_such_port(const char* side, std::uint32_t number, std::uint32_t ports) {
  return fmt::format("{} {} does not exist; take 0 to {}", side, number, ports - 1);
}

std::string NetworkState::problem_of(OutputId output) const {
  if (!has_output(output)) return no_such_port("output", index(output), structure_.outputs());
  if (idle_outputs_.test(index(output))) return "";
  return fmt::format("output {} belongs to input {}; take an idle one", index(output),
                     index(owners_[index(output)]));
}

void NetworkState::require_valid(InputId input, const std::vector<OutputId>& outputs) const {
  const auto idle = [this](OutputId output) {
    return has_output(output) && idle_outputs_.test(index(output));
  };
  // Nearly every request is valid: ask first, reason later.
  if (has_input(input) && idle_inputs_.test(index(input)) && !outputs.empty() && rises(outputs) &&
      std::all_of(outputs.begin(), outputs.end(), idle)) {
    return;
  }
  std::vector<std::string> problems;
  if (!has_input(input)) {
    problems.push_back(no_such_port("input", index(input), structure_.inputs()));
  } else if (!idle_inputs_.test(index(input))) {
    problems.push_back(fmt::format("input {} is connected; disconnect it first", index(input)));
  }
  if (outputs.empty()) problems.emplace_back("the request has no outputs; name at least one");
  std::vector<OutputId> sorted = outputs;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t at = 0; at < sorted.size(); ++at) {
    const bool first = at == 0 || sorted[at] != sorted[at - 1];
    const bool twice = first && at + 1 < sorted.size() && sorted[at + 1] == sorted[at];
    if (twice)
      problems.push_back(fmt::format("output {} is named twice; name it once", index(sorted[at])));
    if (!first) continue;
    const std::string problem = problem_of(sorted[at]);
    if (!problem.empty()) problems.push_back(problem);
  }
  require_none(problems);
}

void NetworkState::require_joinable(InputId input, OutputId output) const {
  std::vector<std::string> problems;
  if (!has_input(input)) {
    problems.push_back(no_such_port("input", index(input), structure_.inputs()));
  } else if (idle_inputs_.test(index(input))) {
    problems.push_back(fmt::format("input {} is not connected; connect it first", index(input)));
  }
  const std::string problem = problem_of(output);
  if (!problem.empty()) problems.push_back(problem);
  require_none(problems);
}

void NetworkState::verify() const { Recount(*this).compare(); }

}  // namespace flitcast::clos
