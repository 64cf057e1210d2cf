// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/timed_admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/random.h"
#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast {

clos::StrategyFactory strategy_factory(clos::StrategyMaker make,
                                       const std::vector<clos::AdmissionParams>& params,
                                       std::uint64_t seed) {
  return [make, params, seed, network = std::uint64_t{0}](const clos::Structure& structure,
                                                          unsigned level) mutable {
    const std::size_t limit = params.empty() ? 0 : params[level].pass_limit;
    const std::uint64_t own = network == 0 ? seed : Random::stream(seed, network).next();
    ++network;
    return make({structure, limit, own});
  };
}

namespace {

const clos::ControllerDesign& design_of(const std::string& design) {
  const auto* entry = find(clos::controllers(), design);
  if (entry != nullptr) return entry->make;
  const auto names = mapped(clos::controllers(), [](const auto& known) { return known.name; });
  throw std::invalid_argument(
      fmt::format("there is no controller \"{}\"; take one of {}", design, joined(names)));
}

std::vector<std::uint64_t> pass_clocks(const clos::MultistageStructure& structure,
                                       const std::string& design) {
  const clos::ControllerDesign& controller = design_of(design);
  return mapped(structure.levels, [&](const clos::Structure& level) {
    return controller.pass_clocks(level.m, level.r2);
  });
}

clos::StrategyFactory strategies_of(const CircuitParams& params) {
  const clos::StrategyMaker make =
      params.strategy != nullptr ? params.strategy : clos::strategies()[0].make;
  return strategy_factory(make, params.control, params.seed);
}

}  // namespace

TimedAdmission::TimedAdmission(const clos::MultistageStructure& structure,
                               const CircuitParams& params)
    : pass_clocks_(pass_clocks(structure, params.controller)),
      control_(structure, strategies_of(params), params.control) {}

TimedVerdict TimedAdmission::connect(clos::InputId input,
                                     const std::vector<clos::OutputId>& outputs) {
  const clos::MultistageVerdict verdict = control_.connect(input, outputs);
  TimedVerdict result{verdict.blocked, 0};
  for (std::size_t level = 0; level < verdict.levels; ++level) {
    result.clocks += clocks(verdict, level) + 1;
  }
  if (verdict.blocked) --result.clocks;  // The last level that ran had nothing to commit.
  return result;
}

// Clocks until the last leg of the level is known.
std::uint64_t TimedAdmission::clocks(const clos::MultistageVerdict& verdict,
                                     std::size_t level) const {
  if (!verdict.clocks.empty() && verdict.clocks[level] != 0) return verdict.clocks[level];
  // Some strategies count no pass for a request that they find blocked; the hardware takes one
  // pass.
  const std::size_t passes = std::max<std::size_t>(verdict.passes[level], 1);
  return clos::clocks_streamed(passes, pass_clocks_[level]);
}

}  // namespace flitcast
