// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "config/param.h"
#include "config/section.h"
#include "traffic/trace_builder.h"

namespace flitcast {

/// Splits messages of a program into packets: of a header flit and at most `mtu` bytes each, in
/// flits of `flit_bytes` bytes. A message without bytes is a packet with only its header.
class MessagePacking {
 public:
  /// The most packets of a message; a longer message must have a wrong size.
  static constexpr std::uint64_t kMostPackets = 65536;

  /// Reads the keys of packing_params(). Throws ConfigError for packets of more than
  /// kMaxPacketLength flits.
  explicit MessagePacking(const Section& workload);

  /// The most bytes of a message: kMostPackets full packets.
  std::uint64_t most_bytes() const { return kMostPackets * mtu_; }
  bool is_one_packet(std::uint64_t bytes) const { return bytes <= mtu_; }

  /// Returns `base` with a packet of `bytes` bytes.
  TraceTask packet(TraceTask base, NodeId to, std::uint64_t bytes) const;

  /// Adds the packets of a message as parts of the operation with the id. They begin when the task
  /// `begin` has ended, and the tasks `ends` wait for all of them.
  /// @param base  A task that sends nothing, at the start of the message; a copy, because the tasks
  /// of the builder move when it grows.
  void add(TraceBuilder& builder, std::uint64_t id, TraceTask base, NodeId to, std::uint64_t bytes,
           std::uint32_t begin, const std::vector<std::uint32_t>& ends) const;

 private:
  std::uint64_t flit_bytes_;
  std::uint64_t mtu_;
};

/// The keys flit_bytes and mtu.
std::vector<Param> packing_params();

}  // namespace flitcast
