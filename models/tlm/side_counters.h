// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <tlm>

#include "base/figures.h"
#include "base/histogram.h"
#include "tlm/burst.h"
#include "tlm/protocol_rules.h"

namespace flitcast::tlm {

/// A time in nanoseconds, to a femtosecond.
inline double in_ns(const sc_time& time) { return std::round(time.to_seconds() * 1e15) / 1e6; }

/// Called at the response of every transaction.
using TransactionObserver = std::function<void(const TransactionRecord&)>;

/// Counters of a side of an interconnect since the start, or since its figures were reset.
struct SideCounters {
  explicit SideCounters(const sc_time& its_period, const sc_time& now = {})
      : since(now), period(its_period) {}

  std::uint64_t bytes = 0;        ///< Bytes of data, including those of failed transactions.
  std::uint64_t errors = 0;       ///< Transactions with a status other than TLM_OK_RESPONSE.
  std::uint64_t dmi_granted = 0;  ///< Granted regions; accesses to them bypass the network.
  std::uint64_t dmi_denied = 0;
  std::uint64_t debug_accesses = 0;
  std::uint64_t phases_ignored = 0;  ///< Ignorable phases that could not be forwarded.
  /// Latencies in whole cycles, rounded down. Initiator: from the request taking effect to the
  /// response. Target: from its call to its response. By Answered::kind(); absent
  /// without such transactions.
  std::array<std::optional<Histogram>, 3> latencies{};
  sc_time since;                           ///< The time from which on they count.
  sc_time first = sc_core::sc_max_time();  ///< The start of the first transaction, from `since` on.
  sc_time last{};                          ///< The end of the one that ended last.
  std::uint64_t bursts = 0;                ///< Bursts that have passed the network.
  // The sums of their times before the network, in it, at the target before its call, and from its
  // call to its response.
  sc_time held{};
  sc_time in_network{};
  sc_time waiting{};
  sc_time at_target{};
  sc_time period;  ///< The time of a cycle.

  std::uint64_t transactions() const { return latency().count(); }
  std::uint64_t reads() const { return latency(::tlm::TLM_READ_COMMAND).count(); }
  std::uint64_t writes() const { return latency(::tlm::TLM_WRITE_COMMAND).count(); }
  /// The latencies of the transactions with a command, or of all.
  Histogram latency(std::optional<::tlm::tlm_command> command = std::nullopt) const;
  /// The time from the start of the first transaction to the end of the last; zero without any.
  sc_time span() const { return last > first ? last - first : sc_core::SC_ZERO_TIME; }

  void count(const Answered& answered);
  void count(const Burst& burst);
  /// Begins to count anew.
  void reset() { *this = SideCounters(period, sc_core::sc_time_stamp()); }
};

/// The figures of initiator and target sides.
const FigureTable<SideCounters>& side_figures();

}  // namespace flitcast::tlm
