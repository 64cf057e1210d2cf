// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/experiment/workload.h"

namespace flitcast {

WorkloadEntry clos_requests_workload();
WorkloadEntry closed_loop_workload();
WorkloadEntry collective_workload();
WorkloadEntry permutation_workload();
WorkloadEntry several_collectives_workload();
WorkloadEntry together_workload();
WorkloadEntry trace_workload();
WorkloadEntry traffic_workload();

Catalog<WorkloadEntry>& workloads() {
  static Catalog<WorkloadEntry> catalog{traffic_workload(),     trace_workload(),
                                        collective_workload(),  several_collectives_workload(),
                                        permutation_workload(), clos_requests_workload(),
                                        closed_loop_workload(), together_workload()};
  return catalog;
}

const WorkloadEntry& workload_entry(const Configuration& configuration) {
  return *workloads().find(configuration.section("workload").text("kind"));
}

std::string bound_verdict(std::size_t taken, std::size_t bound) {
  return taken == bound ? "met" : fmt::format("missed by {}", taken - bound);
}

std::string labelled(const char* label, const std::string& value) {
  return fmt::format("  {:<13} {}\n", label, value);
}

}  // namespace flitcast
