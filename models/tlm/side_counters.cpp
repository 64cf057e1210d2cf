// SPDX-License-Identifier: Apache-2.0
#include "tlm/side_counters.h"

namespace flitcast::tlm {

void SideCounters::count(::tlm::tlm_command command, unsigned data_bytes, bool error,
                         std::uint64_t cycles) {
  if (command == ::tlm::TLM_READ_COMMAND) {
    ++reads;
  } else if (command == ::tlm::TLM_WRITE_COMMAND) {
    ++writes;
  } else {
    ++null_commands;
  }
  bytes += data_bytes;
  errors += error ? 1 : 0;
  latency.add(cycles);
}

const FigureTable<SideCounters>& side_figures() {
  using Side = SideCounters;
  static const FigureTable<SideCounters> table{
      {"transactions", "", "Answered.", &Side::transactions},
      {"reads", "", "Reads among them.", &Side::reads},
      {"writes", "", "Writes among them.", &Side::writes},
      {"bytes", "bytes", "Bytes of data read or written.", &Side::bytes},
      {"errors", "", "Transactions answered with an error.", &Side::errors},
      {"latency_cycles.mean", "cycles", "From request to response.",
       [](const Side& s) { return s.latency.mean(); }},
      {"latency_cycles.p50", "cycles", "Median.",
       [](const Side& s) { return s.latency.quantile(0.5); }},
      {"latency_cycles.p99", "cycles", "99th percentile of the latency.",
       [](const Side& s) { return s.latency.quantile(0.99); }},
      {"latency_cycles.max", "cycles", "The longest.",
       [](const Side& s) { return s.latency.max(); }},
      {"latency_ns.mean", "ns", "From request to response, in whole cycles.",
       [](const Side& s) { return s.period_ns * s.latency.mean(); }},
      {"latency_ns.max", "ns", "The longest.",
       [](const Side& s) { return s.period_ns * static_cast<double>(s.latency.max()); }},
      {"dmi.granted", "", "Granted regions of direct memory; accesses to them bypass the network.",
       &Side::dmi_granted},
      {"dmi.denied", "", "Requests for direct memory that were refused.", &Side::dmi_denied},
      {"debug_accesses", "", "Calls of transport_dbg, which take no time.", &Side::debug_accesses},
  };
  return table;
}

}  // namespace flitcast::tlm
