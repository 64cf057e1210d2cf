// SPDX-License-Identifier: Apache-2.0
#include "conformance/permutation_play.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "conformance/child.h"
#include "router/invariant.h"
#include "sim/experiment/model.h"
#include "sim/measure/measurement.h"
#include "sim/sweep/sweep.h"
#include "sim/workloads/permutation.h"

namespace flitcast::conformance {
namespace {

constexpr std::uint32_t kFlits = 2;

// Uses no virtual channels, so that a queue of the network corresponds to a queue of the machine.
Configuration configuration_of(const PermutationToPlay& what, std::size_t buffer_depth) {
  const std::string text = fmt::format(
      "topology: {}\nrouting: {}\nworkload: {{kind: permutation, {}, length: {}}}\n"
      "router: {{kind: store_and_forward, virtual_channels: 1, buffer_depth: {}}}\n",
      what.network.topology_text(), what.network.routing_text(), what.workload, kFlits,
      buffer_depth);
  return validate(parse_document(text, "row"), experiment_schema());
}

template <class Play>
auto or_invalid(Play&& play) {
  try {
    return play();
  } catch (const ConfigError& error) {
    throw std::invalid_argument(error.what());
  }
}

const PermutationWorkload& workload_of(const Model& model) {
  return dynamic_cast<const PermutationWorkload&>(*model.workload);
}

void add_steps(const std::vector<std::size_t>& steps, PermutationPlayed& played) {
  constexpr std::size_t kAfterSorting = 3;
  played.phases = steps.size();
  played.steps = std::accumulate(steps.begin(), steps.end(), std::size_t{0});
  const std::size_t sorting = steps.size() - std::min(steps.size(), kAfterSorting);
  for (std::size_t p = 0; p < sorting; ++p) played.sorting_steps += steps[p];
  const std::size_t told = std::min(steps.size(), PermutationPlayed::kMostPhases);
  std::copy_n(steps.begin(), told, played.phase_steps.begin());
}

struct OnPaper {
  PermutationPlayed played;
  std::size_t max_stored = 0;
};

OnPaper on_paper(const PermutationToPlay& what) {
  const Configuration configuration = configuration_of(what, 8);
  const Model model = make_unplayed(configuration);
  const PermutationVerdict& verdict = workload_of(model).verdict();
  OnPaper result;
  add_steps(verdict.paper.phase_steps, result.played);
  result.played.congestion = verdict.paper.congestion;
  result.played.max_queue = verdict.paper.max_queue;
  result.played.max_held = verdict.paper.max_held;
  result.max_stored = verdict.paper.max_stored;
  for (const PermutationClaim& claim : verdict.claims) {
    if (claim.about != &StepFigures::steps) continue;
    result.played.bound = static_cast<std::size_t>(claim.at_most);
  }
  return result;
}

// The packets that the busiest channel between routers carried.
std::size_t busiest_channel(const Measurement& measured, const Topology& topology) {
  std::uint64_t most = 0;
  for (const Channel& channel : topology.channels()) {
    most = std::max(most, measured.network->flits_from(channel.from));
  }
  return most / kFlits;
}

PermutationPlayed measured_on_network(const Configuration& configuration) {
  const Model model = make_model(configuration, false);
  PermutationPlayed played;
  try {
    const Measurement measured =
        measure(model, measurement_plan(configuration), [](const std::string&, auto, auto) {});
    add_steps(workload_of(model).network_phase_steps(), played);
    played.max_queue = measured.figures.at("buffers").at("max_queue").get<std::size_t>();
    played.max_held = measured.figures.at("buffers").at("max_held").get<std::size_t>();
    played.congestion = busiest_channel(measured, model.topology());
  } catch (const InvariantError&) {
    played.agrees = false;
  }
  return played;
}

}  // namespace

PermutationPlayed play_on_paper(const PermutationToPlay& what) {
  return or_invalid([&] { return on_paper(what).played; });
}

PermutationPlayed play_on_network(const PermutationToPlay& what) {
  constexpr std::size_t kSpare = 64;  // More slots than the credits that can be in flight.
  return or_invalid([&] {
    const OnPaper paper = on_paper(what);
    const Configuration configuration = configuration_of(what, paper.max_stored + kSpare);
    Child<PermutationPlayed> child([&] { return measured_on_network(configuration); });
    PermutationPlayed played = child.result();
    played.bound = paper.played.bound;
    return played;
  });
}

double mean_steps(const PermutationToPlay& what, std::size_t runs) {
  return or_invalid([&] {
    const Configuration configuration = configuration_of(what, 8);
    const Model model = make_unplayed(configuration);
    return workload_of(model).repeat(runs).steps.mean;
  });
}

}  // namespace flitcast::conformance
