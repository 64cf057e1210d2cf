// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/trace.h"

namespace flitcast::program {

/// A row of --packet-log.
struct LoggedPacket {
  std::string packet;  ///< Source and number of the packet there: "7.0".
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t length = 0;
  std::uint64_t created = 0;
  std::uint64_t injected = 0;
  std::uint64_t arrived = 0;
  std::uint64_t hops = 0;
  std::string message_class{};  ///< Name of the class; empty without classes.
};

std::vector<LoggedPacket> read_packet_log(const std::string& csv);

/// Returns the first contradiction between a log and the rule of trace replay, or "". The rule: a
/// packet is created in the first cycle that is not before its own in the trace and, with
/// `dependencies`, is after the arrival of all packets that it depends on. The log gives the
/// arrivals; the cycles of creation are computed here.
std::string contradiction(const Trace& trace, const std::vector<LoggedPacket>& log,
                          bool dependencies);

}  // namespace flitcast::program
