// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace flitcast::program {

/// An experiment file with one section per line; by default a small mesh with a very short run.
struct Experiment {
  std::string topology = "{kind: mesh, sizes: [4, 4]}";  ///< Line 1.
  std::string routing = "{kind: dimension_order}";       ///< Line 2.
  std::string workload = "{kind: traffic, load: 0.1}";   ///< Line 3.
  std::string measure = "{warmup: 100, window: 500}";    ///< Line 4.
  std::string more{};                                    ///< Whole lines, from line 5.

  std::string text() const {
    return "topology: " + topology + "\nrouting: " + routing + "\nworkload: " + workload +
           "\nmeasure: " + measure + "\n" + more + "\n";
  }
};

inline Experiment with(const std::string& more) {
  Experiment experiment;
  experiment.more = more;
  return experiment;
}

inline Experiment with_topology(const std::string& topology) {
  Experiment experiment;
  experiment.topology = topology;
  return experiment;
}

inline Experiment with_routing(const std::string& routing) {
  Experiment experiment;
  experiment.routing = routing;
  return experiment;
}

inline Experiment with_workload(const std::string& workload) {
  Experiment experiment;
  experiment.workload = workload;
  return experiment;
}

}  // namespace flitcast::program
