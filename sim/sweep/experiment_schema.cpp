// SPDX-License-Identifier: Apache-2.0
// The keys of experiment files.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "network/circuit/central_control.h"
#include "network/network_plan.h"
#include "network/router_entry.h"
#include "routing/catalog.h"
#include "sim/energy/energy.h"
#include "sim/experiment/workload.h"
#include "sim/measure/measurement.h"
#include "sim/sweep/optimise.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep.h"
#include "topology/catalog.h"

namespace flitcast {
namespace {

// Limits on times: far above any experiment, far below overflow.
constexpr double kLongestRun = 1e12;
constexpr double kMostNodePorts = 64;

Param cycles(const char* key, int fallback, const char* help, double least, double most) {
  return Param::integer(key, "cycles", help, least, most).defaults_to(fallback);
}

std::vector<Param> top() {
  Param repeat =
      Param::integer("repeat", "runs",
                     "Number of runs with the seeds seed, seed + 1, ..., to average over.", 1,
                     kMostRepetitions)
          .defaults_to(1);
  repeat.dumped = false;
  return concatenated<Param>(
      {{Param::text("name", "Name of the experiment; empty: the name of the file.").defaults_to(""),
        Param::integer("seed", "", "Seed of all random numbers.", 0, kLargestSeed).defaults_to(1),
        repeat},
       scale_keys()});
}

std::vector<Param> node() {
  const Param reply_queue =
      Param::integer("reply_queue", "packets",
                     "Slots for replies at a node, each taken from the arrival of a request to the "
                     "departure of its reply; a node without a free slot accepts no request. 0: no "
                     "limit.",
                     0, 1'000'000)
          .defaults_to(0)
          .dumped_if_changed();
  return {
      Param::choice_or_integer(
          "ports", "",
          "Channels between a node and its router in each direction; all: as many as between "
          "routers.",
          {"one", "all"}, 1, kMostNodePorts),
      cycles("startup", 0,
             "Overhead of a node for every message that it sends, of one packet unless a trace has "
             "longer ones; in a collective or a permutation it "
             "includes the interfaces of both nodes (ts of the cost model).",
             0, 1'000'000),
      reply_queue,
  };
}

std::vector<Param> run() {
  std::vector<Param> params{
      Param::integer("threads", "", "Threads of the simulation.", 1, 63).defaults_to(1)};
  const Param implementation =
      Param::choice("implementation",
                    "The implementation of the network in SystemC; results are the same.")
          .defaults_to(implementations()[0].name);
  append(params, catalog_params(implementation, implementations()));
  for (Param& param : params) param.dumped = false;
  params.push_back(
      Param::choice("level",
                    "Packets are flits, cycle by cycle; or flows that share channels, an "
                    "estimate in much less time.",
                    {"flit", flow_level().name})
          .dumped_if_changed());
  return params;
}

std::vector<Param> trace() {
  std::vector<Param> params{
      Param::texts("signals",
                   "Parts that are monitored: router_5 for its buffers, node_3 on circuits; with "
                   "run.implementation: pins the wires of router_5, link_12 (a channel of the "
                   "topology), node_3.")
          .defaults_to(nlohmann::json::array()),
      cycles("from", 0, "First cycle of the waveform.", 0, kLongestRun),
      cycles("to", 1000, "First cycle after the waveform.", 1, kLongestRun),
  };
  for (Param& param : params) param.dumped = false;
  return params;
}

}  // namespace

const Schema& experiment_schema() {
  static const Schema schema(
      top(),
      {
          {"topology", "How routers and nodes are connected.", topology_keys()},
          {"router", "Flow control, buffers and pipeline of every router.", router_keys()},
          {"routing", "The paths that packets take.",
           catalog_params(Param::choice("kind", "Algorithm."), all_routings())},
          {"link", "Channels between routers.", link_keys()},
          {"node", "The nodes, in which packets start and end.", node()},
          {"workload", "The packets that nodes send.",
           catalog_params(Param::choice("kind", "The packets that the nodes send."), workloads())},
          {"measure", "The measurements and their lengths.", measure_keys().params()},
          {"energy", "The energy of routers and links, by energies per event.", energy_keys()},
          {"search", "A value that several runs search for.", search_keys()},
          {"optimise", "The goals of `flitcast optimise` among the points of a sweep.",
           optimise_keys()},
          {"run", "How to run; only level changes a result.", run()},
          {"trace", "The waveform OUT/NAME.vcd, and the range of --flit-log and --timeline.",
           trace()},
      },
      {"sweep"});
  return schema;
}

ordered_json experiment_json_schema() {
  const Schema& schema = experiment_schema();
  return json_schema(schema, {{"sweep", sweep_json_schema(schema)}}, "sweep");
}

}  // namespace flitcast
