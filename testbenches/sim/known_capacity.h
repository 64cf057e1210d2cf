// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment.h"
#include "folder.h"
#include "result.h"

namespace flitcast::program {

/// A network with a traffic pattern, and the load that it can just sustain.
struct Pair {
  const char* name;
  const char* topology;
  const char* routing;
  const char* workload;  ///< Workload without the load.
  double capacity;       ///< Flits per node and cycle.
  const char* more = "";
  bool collapses = false;  ///< Throughput drops after overload, even by a burst.
};

inline constexpr const char* kXy = "{kind: dimension_order}";

/// The capacities of the first five follow from their channel loads. The routers limit the others
/// to less, so these capacities are measured: up to them latencies of windows of 200,000 cycles
/// stay finite.
inline constexpr Pair kPairs[] = {
    {"mesh, transpose: seven sources share a channel", "{kind: mesh, sizes: [8, 8]}", kXy,
     "pattern: transpose", 1.0 / 7},
    {"mesh, bit_reverse: likewise", "{kind: mesh, sizes: [8, 8]}", kXy, "pattern: bit_reverse",
     1.0 / 7},
    {"hypercube, bit_reverse: four sources share a channel", "{kind: hypercube, dimension: 6}",
     "{kind: e_cube}", "pattern: bit_reverse", 0.25},
    {"mesh, hot_spot: 64 (0.2 + 0.8 / 64) of the load go to a node", "{kind: mesh, sizes: [8, 8]}",
     kXy, "pattern: hot_spot", 1 / 13.6},
    {"mesh, random_permutation: five sources share a channel", "{kind: mesh, sizes: [8, 8]}", kXy,
     "pattern: random_permutation", 0.2},
    {"mesh, uniform", "{kind: mesh, sizes: [8, 8]}", kXy, "pattern: uniform", 0.405},
    {"butterfly, transpose", "{kind: butterfly, arity: 4, stages: 3}", "{kind: destination_tag}",
     "pattern: transpose", 0.475},
    {"torus, tornado", "{kind: torus, sizes: [8, 8]}",
     "{kind: dimension_order, vc_classes: dally_seitz_fixed}", "pattern: tornado", 0.212, "", true},
    {"store and forward, uniform", "{kind: mesh, sizes: [4, 4]}", kXy, "pattern: uniform", 0.4385,
     "router: {kind: store_and_forward}"},
    {"mesh, bit_complement", "{kind: mesh, sizes: [4, 4]}", kXy, "pattern: bit_complement", 0.467},
};

/// Returns the status of a run of the pair at a share of its capacity.
inline std::string status_at(const Pair& pair, double share, std::uint64_t window) {
  const Folder folder;
  Experiment experiment{pair.topology, pair.routing, "", ""};
  experiment.workload = "{kind: traffic, load: " + std::to_string(share * pair.capacity) +
                        ", packet_length: 4, " + pair.workload + "}";
  experiment.measure = "{window: " + std::to_string(window) + "}";
  experiment.more = std::string("seed: 2\n") + pair.more;
  folder.write("x.yaml", experiment.text());
  const Outcome outcome = run(folder.path(), {"run", "x.yaml", "--json", "-", "--quiet"});
  INFO(outcome.err);
  const std::string status = Json::parse(outcome.out).at("status");
  CHECK(outcome.exit_code == (status == "ok" ? 0 : 3));
  return status;
}

}  // namespace flitcast::program
