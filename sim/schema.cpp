// SPDX-License-Identifier: Apache-2.0
#include "sim/schema.h"

#include <string>
#include <utility>
#include <vector>

#include "config/json_schema.h"
#include "network/catalog.h"
#include "routing/catalog.h"
#include "sim/central_control.h"
#include "sim/sweep.h"
#include "sim/workload.h"
#include "topology/catalog.h"

namespace flitcast {
namespace {

using Type = Param::Type;

// Bounds of times: far beyond any experiment, far below overflow.
constexpr double kLongestRun = 1e12;
constexpr double kSlowestLink = 1024;
constexpr double kMostNodePorts = 64;
constexpr double kLargestSeed = 9007199254740991;  // 2^53 - 1, which every JSON reader keeps.

Param choice(std::string key, std::vector<std::string> choices, nlohmann::json fallback,
             std::string help) {
  Param param{std::move(key), Type::kChoice, std::move(fallback), "", std::move(help)};
  param.choices = std::move(choices);
  return param;
}

std::vector<Param> top() {
  return {
      {"name", Type::kText, "", "", "Name of the experiment; without it that of the file."},
      {"seed", Type::kInteger, 1, "", "Start of all random numbers.", 0, kLargestSeed},
  };
}

std::vector<Param> common_router_params() {
  return {
      {"virtual_channels", Type::kInteger, 4, "", "Virtual channels of every port.", 1, 32},
      {"buffer_depth", Type::kInteger, 8, "flits",
       "Buffer of every virtual channel; in packets for store_and_forward.", 1, 65535},
      {"pipeline.route", Type::kInteger, 1, "cycles", "Route computation; 0 is look-ahead.", 0, 8},
      {"pipeline.vc_allocation", Type::kInteger, 1, "cycles", "Allocation of virtual channels.", 0,
       8},
      {"pipeline.switch_allocation", Type::kInteger, 1, "cycles", "Allocation of the switch.", 1,
       8},
      {"pipeline.traversal", Type::kInteger, 1, "cycles", "Passage through the switch.", 0, 8},
  };
}

std::vector<Param> router() {
  std::vector<Param> params = menu_params(
      choice("kind", {}, "wormhole", "When a packet may move on to the next router."), routers());
  std::vector<std::string> buffered;
  for (const auto& entry : routers()) {
    if (entry.name != "circuit") buffered.push_back(entry.name);
  }
  for (Param& param : common_router_params()) {
    param.when = {"kind", buffered};
    params.push_back(std::move(param));
  }
  return params;
}

std::vector<Param> link() {
  return {
      {"latency", Type::kInteger, 1, "cycles", "Flight of a flit.", 1, kSlowestLink},
      {"credit_latency", Type::kInteger, 1, "cycles", "Flight of a credit.", 1, kSlowestLink},
      {"cycles_per_flit", Type::kInteger, 1, "cycles",
       "From one flit to the next; on the channels from routers to nodes, too.", 1, kSlowestLink},
  };
}

std::vector<Param> node() {
  return {
      {"ports",
       Type::kChoiceOrInteger,
       "one",
       "",
       "Channels between a node and its router, each way; all: as many as between routers.",
       1,
       kMostNodePorts,
       {"one", "all"}},
      {"startup", Type::kInteger, 0, "cycles",
       "Overhead of a node for every packet it sends; in a collective it contains the way through "
       "the "
       "interfaces of both nodes (the cost model's ts).",
       0, 1'000'000},
  };
}

std::vector<Param> measure() {
  return {
      {"warmup", Type::kInteger, 2000, "cycles", "Before measuring.", 0, kLongestRun},
      {"window", Type::kInteger, 10000, "cycles", "Of measuring.", 1, kLongestRun},
      {"drain_limit", Type::kInteger, 100000, "cycles",
       "Longest wait for the measured packets after the window.", 0, kLongestRun},
      {"watchdog", Type::kInteger, 2000, "cycles", "Between searches for deadlock; 0 is never.", 0,
       kLongestRun},
  };
}

std::vector<Param> run() {
  Param threads{"threads", Type::kInteger, 1, "", "Threads of the simulation.", 1, 63};
  threads.echoed = false;
  return {threads};
}

}  // namespace

const Schema& experiment_schema() {
  static const Schema schema(
      top(), {
                 {"topology", "Who is connected to whom.",
                  menu_params(choice("kind", {}, nullptr, "Family of networks."), topologies())},
                 {"router", "Flow control, buffers and pipeline of every router.", router()},
                 {"routing", "Which way packets take.",
                  menu_params(choice("kind", {}, nullptr, "Algorithm."), all_routings())},
                 {"link", "Channels between routers.", link()},
                 {"node", "Where packets start and end.", node()},
                 {"workload", "What is sent.",
                  menu_params(choice("kind", {}, nullptr, "What the nodes send."), workloads())},
                 {"measure", "When to measure and when to give up.", measure()},
                 {"run", "How to run; changes no result.", run()},
             });
  return schema;
}

nlohmann::ordered_json experiment_json_schema() {
  const Schema& schema = experiment_schema();
  return json_schema(schema, {{"sweep", sweep_json_schema(schema)}}, "sweep");
}

}  // namespace flitcast
