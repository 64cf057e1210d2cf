// SPDX-License-Identifier: Apache-2.0
#include "network/kinds/router_options.h"

#include <fmt/format.h>

#include <utility>

#include "config/problem.h"

namespace flitcast {
namespace {

constexpr unsigned kMostIterations = 32;

AllocatorKind allocator_named(const std::string& name) {
  if (name == "wavefront") return AllocatorKind::kWavefront;
  return name == "output_first" ? AllocatorKind::kOutputFirst : AllocatorKind::kInputFirst;
}

}  // namespace

std::vector<Param> option_keys() {
  std::vector<Param> keys{
      Param::choice(
          "allocator",
          "Allocation of virtual channels and of the switch: requesters pick first, resources pick "
          "first, or a maximal matching along diagonals.",
          {"input_first", "output_first", "wavefront"}),
      Param::integer("iterations", "", "Rounds of picking in every allocation.", 1, kMostIterations)
          .defaults_to(1),
      Param::boolean("speculation", false,
                     "A head requests the switch together with its output VC: one cycle less per "
                     "router where nothing is in its way."),
      Param::integer("input_speedup", "",
                     "Inputs of the switch per port; virtual channels use them in turn, so that "
                     "several may send in one cycle.",
                     1, kMaxVirtualChannels)
          .defaults_to(1),
      Param::choice("vc_reuse",
                    "When the next packet may have an output VC: as soon as the tail has won the "
                    "switch, or when its credit has come back.",
                    {"tail", "tail_credit"}),
  };
  keys[1].when = {"allocator", {"input_first", "output_first"}};
  for (Param& key : keys) key.default_dumped = false;
  return keys;
}

RouterOptions router_options(const Section& router, const RouterParams& params) {
  RouterParams with = params;
  with.options.allocator = allocator_named(router.text("allocator"));
  if (with.options.allocator != AllocatorKind::kWavefront) {
    with.options.iterations = static_cast<unsigned>(router.integer("iterations"));
  }
  with.options.speculation = router.boolean("speculation");
  with.options.input_speedup = static_cast<unsigned>(router.integer("input_speedup"));
  const bool by_credit = router.text("vc_reuse") == "tail_credit";
  with.options.vc_reuse = by_credit ? VcReuse::kTailCredit : VcReuse::kTail;
  ProblemList problems;
  for (const OptionProblem& problem : problems_of_options(with)) {
    problems.add(router.problem(problem.key, problem.what, problem.hint));
  }
  problems.throw_if_any();
  return with.options;
}

std::vector<OptionProblem> problems_of_options(const RouterParams& params) {
  const RouterOptions& options = params.options;
  std::vector<OptionProblem> problems;
  if (options.iterations < 1 || options.iterations > kMostIterations) {
    problems.push_back({"iterations", fmt::format("{} is out of range", options.iterations),
                        fmt::format("use 1 to {}", kMostIterations)});
  }
  if (options.input_speedup < 1 || options.input_speedup > params.virtual_channels) {
    problems.push_back({"input_speedup",
                        fmt::format("{} inputs of the switch per port and {} virtual channels, of "
                                    "which each uses one",
                                    options.input_speedup, params.virtual_channels),
                        "use at most as many as router.virtual_channels"});
  }
  if (options.speculation && params.pipeline.vc_allocation != 1) {
    problems.push_back({"speculation",
                        fmt::format("allocation of virtual channels takes {} cycles, and it runs "
                                    "beside that of the switch for one",
                                    params.pipeline.vc_allocation),
                        "set router.pipeline.vc_allocation to 1, or leave speculation out"});
  }
  return problems;
}

std::string key_of_option(const RouterOptions& options) {
  if (options.allocator != AllocatorKind::kInputFirst) return "allocator";
  if (options.iterations > 1) return "iterations";
  if (options.speculation) return "speculation";
  return options.input_speedup > 1 ? "input_speedup" : "vc_reuse";
}

}  // namespace flitcast
