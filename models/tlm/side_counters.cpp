// SPDX-License-Identifier: Apache-2.0
#include "tlm/side_counters.h"

#include <algorithm>
#include <utility>

namespace flitcast::tlm {

Histogram SideCounters::latency(std::optional<::tlm::tlm_command> command) const {
  Histogram found;
  for (std::size_t kind = 0; kind < latencies.size(); ++kind) {
    if (latencies[kind] && kind == command.value_or(::tlm::tlm_command(kind))) {
      found.merge(*latencies[kind]);
    }
  }
  return found;
}

// A target may say with its delay that it has ended before it began.
void SideCounters::count(const Answered& answered) {
  const sc_time time = std::max(answered.ended, answered.begun) - answered.begun;
  auto& latency = latencies[answered.kind()];
  if (!latency) latency.emplace();
  latency->add(time.value() / period.value());
  bytes += answered.bytes;
  errors += answered.status == ::tlm::TLM_OK_RESPONSE ? 0 : 1;
  first = std::min(first, std::max(answered.begun, since));
  last = std::max(last, answered.ended);
}

void SideCounters::count(const Burst& burst) {
  using Stage = Burst::Stage;
  ++bursts;
  held += burst.entered(Stage::kToTarget) - burst.entered(Stage::kHeld);
  in_network += burst.entered(Stage::kWaiting) - burst.entered(Stage::kToTarget);
  waiting += burst.entered(Stage::kAtTarget) - burst.entered(Stage::kWaiting);
  at_target += burst.entered(Stage::kToInitiator) - burst.entered(Stage::kAtTarget);
  in_network += burst.entered(Stage::kBack) - burst.entered(Stage::kToInitiator);
}

namespace {

using Side = SideCounters;
using Value = Figure<Side>::Value;

/// A figure of the latencies of a command, or of all; absent without such transactions.
Value of_latency(const std::function<ordered_json(const Histogram&)>& read,
                 std::optional<::tlm::tlm_command> command = std::nullopt) {
  return [=](const Side& side) {
    const Histogram latency = side.latency(command);
    return latency.count() == 0 ? ordered_json() : read(latency);
  };
}

Value percentile(double share) {
  return of_latency([share](const Histogram& of) { return of.quantile(share); });
}

/// A figure that is absent without transactions.
Value if_any(double (*read)(const Side&)) {
  return [read](const Side& side) {
    return side.transactions() == 0 ? ordered_json() : ordered_json(read(side));
  };
}

/// The mean cycles of a burst in some place; absent without bursts.
Value of_bursts(sc_time Side::*time) {
  return [time](const Side& side) {
    if (side.bursts == 0) return ordered_json();
    return ordered_json(side.*time / side.period / static_cast<double>(side.bursts));
  };
}

}  // namespace

const FigureTable<SideCounters>& side_figures() {
  static const FigureTable<SideCounters> table{
      {"transactions", "", "Answered.", &Side::transactions},
      {"reads", "", "Reads among them.", &Side::reads},
      {"writes", "", "Writes among them.", &Side::writes},
      {"bytes", "bytes", "Bytes of data, including those of failed transactions.", &Side::bytes},
      {"errors", "", "Transactions answered with an error.", &Side::errors},
      {"latency_cycles.mean", "cycles", "From request to response.", of_latency(&Histogram::mean)},
      {"latency_cycles.p50", "cycles", "Median.", percentile(0.5)},
      {"latency_cycles.p99", "cycles", "99th percentile of the latency.", percentile(0.99)},
      {"latency_cycles.max", "cycles", "The longest.", of_latency(&Histogram::max)},
      {"latency_cycles.histogram", "(list of cycles, transactions)",
       "Pairs of the largest latency of a bin and the transactions in it, rising.",
       of_latency(bins_of)},
      {"read_latency_cycles.mean", "cycles", "Mean of reads alone.",
       of_latency(&Histogram::mean, ::tlm::TLM_READ_COMMAND)},
      {"read_latency_cycles.max", "cycles", "The longest.",
       of_latency(&Histogram::max, ::tlm::TLM_READ_COMMAND)},
      {"write_latency_cycles.mean", "cycles", "Mean of writes alone.",
       of_latency(&Histogram::mean, ::tlm::TLM_WRITE_COMMAND)},
      {"write_latency_cycles.max", "cycles", "The longest.",
       of_latency(&Histogram::max, ::tlm::TLM_WRITE_COMMAND)},
      {"latency_ns.mean", "ns", "From request to response, in whole cycles, rounded down.",
       if_any([](const Side& s) { return s.latency().mean() * in_ns(s.period); })},
      {"latency_ns.max", "ns", "The longest.", if_any([](const Side& s) {
         return static_cast<double>(s.latency().max()) * in_ns(s.period);
       })},
      {"time_cycles.held", "cycles",
       "Mean time of a burst before the network, for a free place among the outstanding.",
       of_bursts(&Side::held)},
      {"time_cycles.network", "cycles", "Mean time of its request and its response in the network.",
       of_bursts(&Side::in_network)},
      {"time_cycles.waiting", "cycles", "Mean time of its request at the target, before its call.",
       of_bursts(&Side::waiting)},
      {"time_cycles.target", "cycles", "Mean time from the call of the target to its response.",
       of_bursts(&Side::at_target)},
      {"span_ns", "ns",
       "From the start of the first transaction, or from the reset of figures, to the end of the "
       "last.",
       if_any([](const Side& s) { return in_ns(s.span()); })},
      {"bandwidth_gb_per_s", "GB/s", "Bytes of data over that time.",
       [](const Side& s) {
         const double span = in_ns(s.span());
         return span > 0 ? ordered_json(static_cast<double>(s.bytes) / span) : ordered_json();
       }},
      {"dmi.granted", "", "Granted regions of direct memory; accesses to them bypass the network.",
       &Side::dmi_granted},
      {"dmi.denied", "", "Requests for direct memory that were refused.", &Side::dmi_denied},
      {"debug_accesses", "", "Calls of transport_dbg, which take no time.", &Side::debug_accesses},
  };
  return table;
}

}  // namespace flitcast::tlm
