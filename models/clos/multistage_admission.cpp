// SPDX-License-Identifier: Apache-2.0
#include "clos/multistage_admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/sequences.h"

namespace flitcast::clos {
namespace {

// Sizes of a level that cannot be built are left to its ConnectionAdmission.
void check_levels(const MultistageStructure& structure,
                  const std::vector<AdmissionParams>& params) {
  const std::vector<Structure>& levels = structure.levels;
  if (levels.empty()) throw std::invalid_argument("the network has no level; name at least one");
  for (std::size_t level = 1; level < levels.size(); ++level) {
    const Structure& outer = levels[level - 1];
    if (levels[level].inputs() == outer.r1 && levels[level].outputs() == outer.r2) continue;
    throw std::invalid_argument(fmt::format(
        "level {} has {} inputs and {} outputs, but level {} has {} input and {} output "
        "switches; make them equal",
        level, levels[level].inputs(), levels[level].outputs(), level - 1, outer.r1, outer.r2));
  }
  if (params.empty() || params.size() == levels.size()) return;
  throw std::invalid_argument(fmt::format("{} control parameters for {} levels; pass one for each",
                                          params.size(), levels.size()));
}

// The output switches of a network are the outputs of its middle switches.
std::vector<OutputId> served_outputs(const Route& route, std::size_t leg) {
  std::vector<OutputId> outputs;
  route.served_set(leg).for_each([&](std::size_t k) { outputs.push_back(to_id<OutputId>(k)); });
  return outputs;
}

void add_output_switches(const Structure& shape, const Connection& connection,
                         const std::vector<MiddleId>& inside, std::vector<SwitchSetting>& path) {
  // This value matches no switch. The outputs ascend, so those of a switch are adjacent.
  std::uint32_t current = shape.r2;
  for (const OutputId output : connection.outputs) {
    const std::uint32_t output_switch = shape.output_switch(output);
    if (output_switch != current) {
      const Route& route = connection.route;
      const MiddleId middle = route.middle(route.leg_to(output_switch));
      path.push_back({inside, SwitchSetting::Stage::kOutput, output_switch, index(middle), {}});
      current = output_switch;
    }
    path.back().outputs.push_back(index(output) % shape.n2);
  }
}

}  // namespace

RouterId SwitchSetting::router(const Clos& topology) const {
  Clos::Network network = topology.network();
  for (const MiddleId middle : inside) network = network.middle_network(index(middle));
  if (stage == Stage::kInput) return network.input_switch(number);
  return stage == Stage::kMiddle ? network.middle_switch(number) : network.output_switch(number);
}

std::size_t SwitchSetting::whole_stage(std::size_t levels) const {
  if (stage == Stage::kOutput) return 2 * levels - inside.size();
  return inside.size() + (stage == Stage::kMiddle ? 1 : 0);
}

MultistageAdmission::MultistageAdmission(const MultistageStructure& structure,
                                         const StrategyFactory& make_strategy,
                                         const std::vector<AdmissionParams>& params)
    : structure_(structure) {
  check_levels(structure, params);
  for (unsigned level = 0; level < structure.levels.size(); ++level) {
    const Structure& shape = structure.levels[level];
    std::vector<ConnectionAdmission>& controls = controls_.emplace_back();
    for (std::uint64_t network = 0; network < structure.networks(level); ++network) {
      controls.emplace_back(shape, make_strategy(shape, level),
                            params.empty() ? AdmissionParams{} : params[level]);
    }
  }
}

MultistageVerdict MultistageAdmission::connect(InputId input,
                                               const std::vector<OutputId>& outputs) {
  MultistageVerdict verdict{false, 1, std::vector<std::size_t>(controls_.size(), 0)};
  std::vector<std::vector<Call>> calls{{Call{0, input, outputs}}};
  std::size_t level = 0;
  while (connect_level(level, calls[level], verdict)) {
    if (innermost(level)) return verdict;
    calls.push_back(calls_to_middles(level, calls[level]));
    ++level;
    ++verdict.levels;
  }
  while (level-- > 0) {
    for (const Call& call : calls[level]) controls_[level][call.network].disconnect(call.input);
  }
  verdict.blocked = true;
  return verdict;
}

// Serves all calls or none. All are tried even after a block, because hardware serves them
// together.
bool MultistageAdmission::connect_level(std::size_t level, const std::vector<Call>& calls,
                                        MultistageVerdict& verdict) {
  std::vector<const Call*> served;
  for (const Call& call : calls) {
    const Selection& selection = controls_[level][call.network].connect(call.input, call.outputs);
    verdict.passes[level] = std::max(verdict.passes[level], selection.passes());
    if (selection.clocks() != 0) {
      verdict.clocks.resize(controls_.size(), 0);
      verdict.clocks[level] = std::max(verdict.clocks[level], selection.clocks());
    }
    if (!selection.blocked()) served.push_back(&call);
  }
  if (served.size() == calls.size()) return true;
  for (const Call* call : served) controls_[level][call->network].disconnect(call->input);
  return false;
}

std::vector<MultistageAdmission::Call> MultistageAdmission::calls_to_middles(
    std::size_t level, const std::vector<Call>& calls) const {
  std::vector<Call> result;
  for (const Call& call : calls) {
    const Route& route = state(level, call.network).connection(call.input).route;
    const InputId input{structure_.levels[level].input_switch(call.input)};
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      result.push_back({middle_network(level, call.network, route.middle(leg)), input,
                        served_outputs(route, leg)});
    }
  }
  return result;
}

void MultistageAdmission::disconnect(std::size_t level, std::size_t network, InputId input) {
  if (!innermost(level) && index(input) < structure_.levels[level].inputs()) {
    for (const Call& call : calls_to_middles(level, {{network, input, {}}})) {
      disconnect(level + 1, call.network, call.input);
    }
  }
  controls_[level][network].disconnect(input);
}

std::vector<SwitchSetting> MultistageAdmission::path(InputId input) const {
  std::vector<SwitchSetting> path;
  std::vector<MiddleId> inside;
  if (!state().idle_inputs().test(index(input))) add_path(0, input, inside, path);
  return path;
}

void MultistageAdmission::add_path(std::size_t network, InputId input,
                                   std::vector<MiddleId>& inside,
                                   std::vector<SwitchSetting>& path) const {
  const Structure& shape = structure_.levels[inside.size()];
  const Connection& connection = state(inside.size(), network).connection(input);
  const std::uint32_t input_switch = shape.input_switch(input);
  path.push_back({inside, SwitchSetting::Stage::kInput, input_switch, index(input) % shape.n1,
                  tabulated(connection.route.size(),
                            [&](std::size_t leg) { return index(connection.route.middle(leg)); })});
  for (std::size_t leg = 0; leg < connection.route.size(); ++leg) {
    const MiddleId middle = connection.route.middle(leg);
    if (innermost(inside.size())) {
      path.push_back({inside, SwitchSetting::Stage::kMiddle, index(middle), input_switch,
                      mapped(served_outputs(connection.route, leg), index<OutputId>)});
    } else {
      const std::size_t middle_number = middle_network(inside.size(), network, middle);
      inside.push_back(middle);
      add_path(middle_number, InputId{input_switch}, inside, path);
      inside.pop_back();
    }
  }
  add_output_switches(shape, connection, inside, path);
}

std::vector<MultistageAdmission::Call> MultistageAdmission::live_calls(std::size_t level) const {
  std::vector<Call> calls;
  for (std::size_t network = 0; network < controls_[level].size(); ++network) {
    for (std::uint32_t input = 0; input < structure_.levels[level].inputs(); ++input) {
      const Connection& connection = state(level, network).connection(InputId{input});
      if (!connection.outputs.empty()) {
        calls.push_back({network, InputId{input}, connection.outputs});
      }
    }
  }
  return calls;
}

void MultistageAdmission::verify() const {
  for (std::size_t level = 0; level < controls_.size(); ++level) {
    for (const ConnectionAdmission& control : controls_[level]) control.state().verify();
    if (innermost(level)) return;
    std::vector<Call> asked = calls_to_middles(level, live_calls(level));
    std::sort(asked.begin(), asked.end());
    if (asked == live_calls(level + 1)) continue;
    throw std::logic_error(
        fmt::format("the middle switches of level {} do not carry their requests", level));
  }
}

}  // namespace flitcast::clos
