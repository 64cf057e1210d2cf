// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/probe.h"

namespace flitcast {

/// A table with one row per packet, to inspect single packets.
///
/// Memory grows by 88 bytes per delivered packet: use it for short runs, and LatencyProbe for long
/// ones.
class PacketLog : public Probe {
 public:
  void delivered(const Delivery& delivery) override { rows_.push_back(delivery); }
  void dropped(const Packet& packet) override { add_outstanding(packet); }
  /// Adds a packet that has not arrived at all of its receivers.
  void add_outstanding(const Packet& packet) { outstanding_.push_back(packet); }
  void merge(const PacketLog& other);

  /// A header line, then one line per packet, ordered by arrival and then by packet:
  /// packet ("7.0", see packet_name), source, destination, length_flits, created_cycle,
  /// injected_cycle, arrived_cycle, latency_cycles (arrived - created), network_latency_cycles
  /// (arrived - injected), hops; and class, if `classes` names the message classes. The packets
  /// that have not arrived follow, ordered by packet, with empty cells for events that have not
  /// happened.
  void write_csv(std::ostream& out, const std::vector<std::string>& classes = {}) const;

 private:
  std::vector<Delivery> rows_;
  std::vector<Packet> outstanding_;
};

static_assert(sizeof(Delivery) == 88, "the memory that the log promises");

/// The checksum of a run over all deliveries. Two runs with the same checksum have delivered the
/// same packets in the same cycles to the same nodes.
///
/// It is the sum modulo 2^64 of a hash of (packet, arrival cycle, destination) of every delivery,
/// so the order of deliveries and their distribution over merged probes do not matter. A sum is
/// used rather than an exclusive or, so that a packet that is delivered twice does not cancel out.
class ChecksumProbe : public Probe {
 public:
  void delivered(const Delivery& delivery) override;
  void merge(const ChecksumProbe& other) { sum_ += other.sum_; }

  std::uint64_t value() const { return sum_; }
  /// The checksum as results print it: 16 lower-case hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace flitcast
