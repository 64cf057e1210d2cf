// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment.h"
#include "folder.h"
#include "result.h"

namespace flitcast::program {

/// A collective operation; by default a broadcast from node 0 on wormhole routers.
struct Collective {
  std::string topology;
  std::string routing;
  std::string algorithm;
  std::string operation = "broadcast";
  std::string ports = "all";
  std::string router = "wormhole";

  /// Returns an experiment with 9 flits per chunk, 11 cycles of start-up and channels of 3 cycles.
  std::string text() const {
    Experiment experiment;
    experiment.topology = "{" + topology + "}";
    experiment.routing = "{kind: " + routing + "}";
    experiment.workload =
        "{kind: collective, operation: " + operation + ", algorithm: " + algorithm + ", length: 9}";
    experiment.measure = "{watchdog: 1000}";
    experiment.more = "router: {kind: " + router + ", buffer_depth: 16}\nnode: {ports: " + ports +
                      ", startup: 11}\nlink: {latency: 3}";
    return experiment.text();
  }
};

inline std::uint64_t measured(const Json& result) {
  return result.at("collective").at("cycles").get<std::uint64_t>();
}

inline std::uint64_t analytic(const Json& result) {
  return result.at("collective").at("analytic_cycles").get<std::uint64_t>();
}

}  // namespace flitcast::program
