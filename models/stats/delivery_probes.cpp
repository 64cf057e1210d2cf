// SPDX-License-Identifier: Apache-2.0
#include "stats/delivery_probes.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <tuple>

#include "base/random.h"

namespace flitcast {
namespace {

bool earlier(const Delivery& a, const Delivery& b) {
  return std::tie(a.arrival, a.packet.id, a.node) < std::tie(b.arrival, b.packet.id, b.node);
}

void write_row(std::ostream& out, const Delivery& row) {
  const Packet& packet = row.packet;
  fmt::print(out, "{},{},{},{},{},{},{},{},{},{}", packet_name(packet.id), index(packet.source),
             index(row.node), packet.length, index(packet.created), index(packet.injected),
             index(row.arrival), row.arrival - packet.created, row.arrival - packet.injected,
             row.hops);
}

}  // namespace

void PacketLog::merge(const PacketLog& other) {
  rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
}

void PacketLog::write_csv(std::ostream& out, const std::vector<std::string>& classes) const {
  std::vector<Delivery> sorted = rows_;
  std::sort(sorted.begin(), sorted.end(), earlier);
  out << "packet,source,destination,length_flits,created_cycle,injected_cycle,arrived_cycle,"
         "latency_cycles,network_latency_cycles,hops"
      << (classes.empty() ? "\n" : ",class\n");
  for (const Delivery& row : sorted) {
    write_row(out, row);
    if (!classes.empty()) out << ',' << classes.at(row.packet.message_class);
    out << '\n';
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
