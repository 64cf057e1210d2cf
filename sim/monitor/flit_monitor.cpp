// SPDX-License-Identifier: Apache-2.0
#include "sim/monitor/flit_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "network/check/inspection.h"
#include "network/circuit/circuit_network.h"

namespace flitcast {
namespace {

/// Returns the cycle if it is within the window, else an empty text.
std::string known(Cycle cycle) { return cycle == kNever ? "" : fmt::format("{}", index(cycle)); }

}  // namespace

MonitorPlan monitor_plan(const SignalTrace& trace, const Topology& topology) {
  std::set<RouterId> routers;
  std::set<NodeId> nodes;
  for (const std::string& name : trace.signals) {
    const SignalGroup group = signal_group(name, topology);
    using Kind = SignalGroup::Kind;
    if (group.kind == Kind::kRouter) routers.insert(to_id<RouterId>(group.number));
    if (group.kind == Kind::kNode) nodes.insert(to_id<NodeId>(group.number));
  }
  return {trace.from, trace.to, {routers.begin(), routers.end()}, {nodes.begin(), nodes.end()}};
}

std::vector<RouterId> monitored_routers(const MonitorPlan& plan, const Topology& topology) {
  return plan.routers.empty() ? topology.routers() : plan.routers;
}

std::vector<std::string> SignalPlace::path() const {
  if (side == Side::kNode) return {fmt::format("node_{}", number)};
  std::vector<std::string> path{
      fmt::format("router_{}", number),
      fmt::format("{}_{}", side == Side::kInput ? "in" : "out", index(port))};
  if (vc) path.push_back(fmt::format("vc_{}", index(*vc)));
  return path;
}

FlitMonitor::FlitMonitor(const MonitorPlan& plan, const Topology& topology)
    : seen_{plan, plan.from}, next_(plan.from) {
  seen_.routers = static_cast<std::uint32_t>(topology.router_count());
}

// At the beginning of a cycle the network is in the state of the end of the previous cycle.
void FlitMonitor::look(const Network& network) {
  const Cycle now = network.now();
  const Cycle last = index(now) == 0 ? now : Cycle{index(now) - 1};
  observe(last);
  // Initial values are recorded in the first monitored cycle; a later change in that cycle replaces
  // them.
  for (std::size_t s = 0; s < values_.size(); ++s) {
    seen_.signals[s].record(std::max(last, seen_.plan.from), values_[s]());
  }
  first_ = false;
  seen_.end = now;
  const bool full = seen_.residencies.size() + seen_.terminals.size() >= kMostResidencies;
  seen_.cut_off = full && now < seen_.plan.to;
  next_ = now >= seen_.plan.to || seen_.cut_off ? kNever : now + 1;
}

void FlitMonitor::add_signal(const SignalPlace& place, const char* name, unsigned bits,
                             std::function<MonitoredSignal::Value()> value) {
  if (!seen_.plan.signals) return;
  seen_.signals.push_back({place, name, bits});
  values_.push_back(std::move(value));
}

void MonitoredSignal::record(Cycle cycle, const Value& value) {
  if (!changes.empty() && changes.back().value == value) return;
  if (!changes.empty() && changes.back().cycle == cycle) changes.pop_back();
  changes.push_back({cycle, value});
}

MonitoredFlits FlitMonitor::take() {
  finish();
  return std::move(seen_);
}

std::unique_ptr<FlitMonitor> make_flit_monitor(const MonitorPlan& plan, const Network& network) {
  std::unique_ptr<const Inspection> inspection = network.inspection();
  if (inspection == nullptr) {
    return monitor_circuits(plan, dynamic_cast<const CircuitNetwork&>(network));
  }
  return inspection->params().unit() == BufferUnit::kPacket
             ? monitor_packets(plan, std::move(inspection))
             : monitor_buffers(plan, std::move(inspection));
}

std::string flit_log(const MonitoredFlits& flits) {
  std::string csv = "packet,flit,router,port,vc,arrived_cycle,left_cycle\n";
  for (const FlitResidency& residency : flits.residencies) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{}\n", packet_name(residency.packet),
                   residency.flit, index(residency.router), index(residency.port),
                   index(residency.vc), known(residency.arrived), known(residency.left));
  }
  return csv;
}

}  // namespace flitcast
