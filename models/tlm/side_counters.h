// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "base/figures.h"
#include "base/histogram.h"
#include "network/fabric/kernel_driver.h"
#include "tlm/protocol_rules.h"

namespace flitcast::tlm {

/// Counters of a side of an interconnect since the start.
struct SideCounters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t null_commands = 0;
  std::uint64_t bytes = 0;        ///< Bytes of data, including those of failed transactions.
  std::uint64_t errors = 0;       ///< Transactions with a status other than TLM_OK_RESPONSE.
  std::uint64_t dmi_granted = 0;  ///< Granted regions; accesses to them bypass the network.
  std::uint64_t dmi_denied = 0;
  std::uint64_t debug_accesses = 0;
  std::uint64_t phases_ignored = 0;  ///< Ignorable phases that could not be forwarded.
  /// Latency in cycles. Initiator: from the request taking effect to the response. Target: from its
  /// call to its response.
  Histogram latency{};
  double period_ns = kClockPeriodNs;

  std::uint64_t transactions() const { return reads + writes + null_commands; }
  /// @param cycles  The latency.
  void count(::tlm::tlm_command command, unsigned data_bytes, bool error, std::uint64_t cycles);
};

/// The figures of initiator and target sides.
const FigureTable<SideCounters>& side_figures();

}  // namespace flitcast::tlm
