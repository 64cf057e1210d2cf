// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "base/sequences.h"
#include "config/problem.h"
#include "network/check/inspection.h"
#include "network/fabric/make_partitions.h"
#include "network/router_entry.h"
#include "router/adaptive_core.h"
#include "router/multicast_core.h"
#include "router/option_core.h"
#include "router/reduction_core.h"
#include "router/wormhole_core.h"

namespace flitcast {

/// The RouterCores::find_deadlock of cores whose credits count flits (flit_waits.cpp).
std::vector<BlockedVc> find_flit_deadlock(const Inspection& network);

namespace {

const FigureTable<Inspection>& combining_figures() {
  static const FigureTable<Inspection> table{
      {"reduction.combined_flits", "flits",
       "Flits that routers made part of another, in the whole run.",
       [](const Inspection& network) -> nlohmann::ordered_json {
         if (network.routing().reductions() == 0) return nullptr;
         return network.sum(&RouterState::combined);
       }}};
  return table;
}

AllocatorKind allocator_named(const std::string& name) {
  if (name == "wavefront") return AllocatorKind::kWavefront;
  return name == "output_first" ? AllocatorKind::kOutputFirst : AllocatorKind::kInputFirst;
}

std::vector<std::string> arbitration_names() {
  return mapped<std::string>(kArbitrations, &ArbitrationTraits::name);
}

/// The keys of RouterOptions.
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
      Param::choice("arbitration",
                    "Which of the packets that compete goes first: in turn, by priority of their "
                    "class, by age since their creation, by routers crossed, by the weight or the "
                    "guaranteed rate of their class.",
                    arbitration_names()),
  };
  keys[1].when = {"allocator", {"input_first", "output_first"}};
  for (Param& key : keys) key.default_dumped = false;
  return keys;
}

/// The options of the section; throws ConfigError for those that conflict with other parameters.
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
  with.options.arbitration =
      static_cast<ArbitrationKind>(index_of(arbitration_names(), router.text("arbitration")));
  ProblemList problems;
  for (const Problem& problem : problems_of_options(with)) {
    problems.add(router.problem(problem.key, problem.what, problem.hint));
  }
  problems.throw_if_any();
  return with.options;
}

}  // namespace

const RouterCores& flit_cores(const RouterOptions& options) {
  static const RouterCores plain =
      cores_of<WormholeCore, MulticastCore, AdaptiveCore, ReductionCore>(find_flit_deadlock,
                                                                         &combining_figures());
  const auto without_pins = [](RouterCores cores) {
    cores.with_pins = nullptr;
    return cores;
  };
  static const RouterCores with_options =
      without_pins(cores_of<OptionCore, NoCore>(find_flit_deadlock));
  static const RouterCores ordering =
      without_pins(cores_of<OrderingCore, NoCore>(find_flit_deadlock));
  if (!options.any()) return plain;
  return options.arbitration == ArbitrationKind::kRoundRobin ? with_options : ordering;
}

RouterEntry wormhole_router() {
  Param copies = Param::choice(
      "copies", "Multicast: a flit leaves by each of its outputs when it can, or by all at once.",
      {"asynchronous", "synchronous"});
  Param combine = Param::integer("combine", "cycles",
                                 "Reduction: what the head of a packet made of several takes "
                                 "longer in a router.",
                                 0, RouterParams::kLongestCombine)
                      .defaults_to(0)
                      .dumped_if_changed();
  std::vector<Param> keys = option_keys();
  keys.insert(keys.begin(), {std::move(copies), std::move(combine)});
  return fabric_entry({"wormhole",
                       "A head moves on as soon as the next buffer has space for a flit.",
                       std::move(keys),
                       nullptr,
                       {"copies: asynchronous", "copies: synchronous"}},
                      flit_cores(),
                      [](const Section& router, const RouterContext&, NetworkParams& params) {
                        params.router.synchronous_copies = router.text("copies") == "synchronous";
                        params.router.combine = static_cast<unsigned>(router.integer("combine"));
                        params.router.options = router_options(router, params.router);
                        params.cores = &flit_cores(params.router.options);
                      });
}

// Virtual cut-through uses the wormhole cores with heads that wait for credits for their whole
// packet.
RouterEntry virtual_cut_through_router() {
  RouterEntry entry = wormhole_router();
  entry.name = "virtual_cut_through";
  entry.summary = "A head moves on as soon as the next buffer has space for its whole packet.";
  entry.configure = [](const Section& router, const RouterContext& context, NetworkParams& params) {
    wormhole_router().configure(router, context, params);
    params.router.whole_packet_credit = true;
  };
  return entry;
}

}  // namespace flitcast
