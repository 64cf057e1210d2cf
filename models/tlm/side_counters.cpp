// SPDX-License-Identifier: Apache-2.0
#include "tlm/side_counters.h"

#include <algorithm>
#include <utility>

namespace flitcast::tlm {

Histogram SideCounters::latency(std::optional<::tlm::tlm_command> command) const {
  Histogram found;
  for (const auto& [of, latency] : latencies) {
    if (!command || of == *command) found.merge(latency);
  }
  return found;
}

// A target may say with its delay that it has ended before it began.
void SideCounters::count(const Answered& answered) {
  const sc_time time = std::max(answered.ended, answered.begun) - answered.begun;
  latencies[answered.command].add(time.value() / period.value());
  bytes += answered.bytes;
  errors += answered.status == ::tlm::TLM_OK_RESPONSE ? 0 : 1;
  first = std::min(first, answered.begun);
  last = std::max(last, answered.ended);
}

void SideCounters::count(const Burst& burst) {
  ++bursts;
  for (std::size_t stage = 0; stage < times.size(); ++stage) times[stage] += burst.times[stage];
}

namespace {

using Side = SideCounters;
using Value = Figure<Side>::Value;

/// A figure of the latencies of a command, or of all; absent without such transactions.
Value of_latency(ordered_json (*read)(const Histogram&),
                 std::optional<::tlm::tlm_command> command = std::nullopt) {
  return [=](const Side& side) {
    const Histogram latency = side.latency(command);
    return latency.count() == 0 ? ordered_json() : read(latency);
  };
}

ordered_json mean(const Histogram& of) { return of.mean(); }
ordered_json longest(const Histogram& of) { return of.max(); }
template <int kPercent>
ordered_json percentile(const Histogram& of) {
  return of.quantile(kPercent / 100.0);
}

/// The mean cycles of a burst in some stages; absent without bursts.
Value in_stages(std::initializer_list<Burst::Stage> stages) {
  return [stages = std::vector<Burst::Stage>(stages)](const Side& side) {
    if (side.bursts == 0) return ordered_json();
    const auto time = sum_of<sc_time>(
        stages, [&](Burst::Stage stage) { return side.times[static_cast<std::size_t>(stage)]; });
    return ordered_json(time / side.period / static_cast<double>(side.bursts));
  };
}

}  // namespace

const FigureTable<SideCounters>& side_figures() {
  using Stage = Burst::Stage;
  static const FigureTable<SideCounters> table{
      {"transactions", "", "Answered.", &Side::transactions},
      {"reads", "", "Reads among them.", &Side::reads},
      {"writes", "", "Writes among them.", &Side::writes},
      {"bytes", "bytes", "Bytes of data read or written.", &Side::bytes},
      {"errors", "", "Transactions answered with an error.", &Side::errors},
      {"latency_cycles.mean", "cycles", "From request to response.", of_latency(mean)},
      {"latency_cycles.p50", "cycles", "Median.", of_latency(percentile<50>)},
      {"latency_cycles.p99", "cycles", "99th percentile of the latency.",
       of_latency(percentile<99>)},
      {"latency_cycles.max", "cycles", "The longest.", of_latency(longest)},
      {"latency_cycles.histogram", "(list of cycles, transactions)",
       "Pairs of the largest latency of a bin and the transactions in it, rising.",
       of_latency(bins_of)},
      {"read_latency_cycles.mean", "cycles", "Of reads alone, as the next one.",
       of_latency(mean, ::tlm::TLM_READ_COMMAND)},
      {"read_latency_cycles.max", "cycles", "The longest.",
       of_latency(longest, ::tlm::TLM_READ_COMMAND)},
      {"write_latency_cycles.mean", "cycles", "Of writes alone, as the next one.",
       of_latency(mean, ::tlm::TLM_WRITE_COMMAND)},
      {"write_latency_cycles.max", "cycles", "The longest.",
       of_latency(longest, ::tlm::TLM_WRITE_COMMAND)},
      {"latency_ns.mean", "ns", "From request to response, in whole cycles.",
       [](const Side& s) { return s.latency().mean() * in_ns(s.period); }},
      {"latency_ns.max", "ns", "The longest.",
       [](const Side& s) { return static_cast<double>(s.latency().max()) * in_ns(s.period); }},
      {"time_cycles.held", "cycles",
       "Mean time of a burst before the network, for a free place among the outstanding.",
       in_stages({Stage::kHeld})},
      {"time_cycles.network", "cycles", "Mean time of its request and its response in the network.",
       in_stages({Stage::kToTarget, Stage::kToInitiator})},
      {"time_cycles.waiting", "cycles", "Mean time of its request at the target, before its call.",
       in_stages({Stage::kWaiting})},
      {"time_cycles.target", "cycles", "Mean time from the call of the target to its response.",
       in_stages({Stage::kAtTarget})},
      {"span_ns", "ns", "From the start of the first transaction to the end of the last.",
       [](const Side& s) { return in_ns(s.span()); }},
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
