// SPDX-License-Identifier: Apache-2.0
// An entry for each catalog, added from outside; each function is defined in its own file.
#pragma once

#include <flitcast/clos.h>
#include <flitcast/collective.h>
#include <flitcast/router.h>
#include <flitcast/routing.h>
#include <flitcast/topology.h>
#include <flitcast/traffic.h>
#include <flitcast/workload.h>

flitcast::TopologyEntry star_topology();
flitcast::RoutingEntry diagonal_routing();
flitcast::PatternEntry stride_pattern();
flitcast::InjectionEntry periodic_injection();
flitcast::QueuePriorityEntry newest_first_priority();
flitcast::clos::StrategyEntry last_fit_strategy();
flitcast::WorkloadEntry all_to_one_workload();
flitcast::CollectiveEntry one_by_one_collective();
flitcast::RouterEntry half_clock_router();
flitcast::TraceFormatEntry plain_trace_format();

/// Adds all of them to the catalogs.
inline void extend_catalogs() {
  flitcast::topologies().add(star_topology());
  flitcast::routings().add(diagonal_routing());
  flitcast::patterns().add(stride_pattern());
  flitcast::injections().add(periodic_injection());
  flitcast::queue_priorities().add(newest_first_priority());
  flitcast::clos::strategies().add(last_fit_strategy());
  flitcast::workloads().add(all_to_one_workload());
  flitcast::collectives().add(one_by_one_collective());
  flitcast::routers().add(half_clock_router());
  flitcast::trace_formats().add(plain_trace_format());
}
