// SPDX-License-Identifier: Apache-2.0
#include "stats/delivery_probes.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>
#include <tuple>

#include "base/random.h"
#include "base/sequences.h"

namespace flitcast {
namespace {

void write_row(std::ostream& out, const Delivery& row) {
  const Packet& packet = row.packet;
  fmt::print(out, "{},{},{},{},{},{},{},{},{},{}", packet_name(packet.id), index(packet.source),
             index(row.node), packet.length, index(packet.created), index(packet.injected),
             index(row.arrival), row.arrival - packet.created, row.arrival - packet.injected,
             row.hops);
}

/// Writes the row of a packet that has not arrived.
void write_row(std::ostream& out, const Packet& packet) {
  const bool injected = packet.injected != kNever;
  fmt::print(out, "{},{},{},{},{},{},,,,", packet_name(packet.id), index(packet.source),
             packet.receivers == 1 ? std::to_string(index(packet.destination)) : "", packet.length,
             index(packet.created), injected ? std::to_string(index(packet.injected)) : "");
}

}  // namespace

void PacketLog::merge(const PacketLog& other) {
  outstanding_.insert(outstanding_.end(), other.outstanding_.begin(), other.outstanding_.end());
  rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
}

void PacketLog::write_csv(std::ostream& out, const std::vector<std::string>& classes) const {
  std::vector<Delivery> sorted = rows_;
  sort_by(sorted,
          [](const Delivery& row) { return std::tuple(row.arrival, row.packet.id, row.node); });
  std::vector<Packet> waiting = outstanding_;
  sort_by(waiting, &Packet::id);
  out << "packet,source,destination,length_flits,created_cycle,injected_cycle,arrived_cycle,"
         "latency_cycles,network_latency_cycles,hops"
      << (classes.empty() ? "\n" : ",class\n");
  const auto end_row = [&](const Packet& packet) {
    if (!classes.empty()) out << ',' << classes.at(packet.message_class);
    out << '\n';
  };
  for (const Delivery& row : sorted) {
    write_row(out, row);
    end_row(row.packet);
  }
  for (const Packet& packet : waiting) {
    write_row(out, packet);
    end_row(packet);
  }
}

// Each step mixes all bits of the previous state, so the hash changes if two of the three numbers
// are exchanged, or if one grows by as much as another shrinks.
void ChecksumProbe::delivered(const Delivery& delivery) {
  std::uint64_t hash = Random(index(delivery.packet.id)).next();
  hash = Random(hash ^ index(delivery.arrival)).next();
  sum_ += Random(hash ^ index(delivery.node)).next();
}

std::string ChecksumProbe::text() const { return fmt::format("{:016x}", sum_); }

}  // namespace flitcast
