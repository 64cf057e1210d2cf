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

bool Workload::ended(const Totals&) const { return false; }

std::optional<std::uint64_t> Workload::completion_cycle(Cycle last_arrival) const {
  return ends() ? std::optional(cycles().value_or(index(last_arrival) + 1)) : std::nullopt;
}

std::string counted(std::int64_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string labelled(const char* label, const std::string& value) {
  return fmt::format("  {:<13} {}\n", label, value);
}

}  // namespace flitcast
