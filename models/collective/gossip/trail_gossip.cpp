// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_gossip.h"

#include <cstddef>
#include <stdexcept>

#include "collective/gossip/trail_circulation.h"
#include "collective/gossip/trail_feeding.h"
#include "collective/gossip/trail_suppliers.h"

namespace flitcast {

namespace {

// For each node the entries of the trail that circulation does not bring it.
std::vector<std::uint32_t> missing(const LoadedTrail& trail, const std::vector<Intake>& intakes,
                                   std::size_t nodes) {
  std::vector<std::uint32_t> missing(nodes, trail.entries());
  for (std::uint32_t here = 0; here < trail.positions(); ++here) {
    missing[index(trail.node(here))] -=
        trail.owned(here) + intakes[here].from_behind + intakes[here].from_ahead;
  }
  return missing;
}

void append_feeding(const TrailLinks& links, const LoadedTrail& trail,
                    const std::vector<std::uint32_t>& missing, std::vector<Stream>& streams) {
  const Suppliers suppliers(links, trail);
  for (std::uint32_t node = 0; node < missing.size(); ++node) {
    if (missing[node] == 0) continue;
    const std::vector<Supplier> pair = suppliers.of(NodeId{node});
    if (pair.size() != 2) throw std::logic_error("a node beside a trail without two suppliers");
    const auto [x, y] = feeding(trail, NodeId{node}, pair[0], pair[1], missing[node]);
    streams.push_back(x);
    streams.push_back(y);
  }
}

std::vector<Stream> streams_of(const TrailLinks& links, const LoadedTrail& trail,
                               std::uint32_t rounds) {
  const std::size_t nodes = links.torus().node_count();
  const std::vector<Intake> taken = intakes(trail, nodes, rounds);
  std::vector<Stream> streams = circulation(trail, taken);
  append_feeding(links, trail, missing(trail, taken, nodes), streams);
  return streams;
}

void add_round(const LoadedTrail& trail, const std::vector<Stream>& streams, std::uint32_t round,
               Schedule& schedule) {
  for (const Stream& stream : streams) {
    const auto entry = stream.entry(round, trail.entries());
    if (!entry || trail.chunk(*entry) == kNoChunk) continue;
    schedule.add(stream.from, stream.to, trail.chunk(*entry), stream.output);
  }
}

std::size_t chunks(const std::vector<LoadedTrail>& trails) {
  std::size_t chunks = 0;
  for (const LoadedTrail& trail : trails) {
    for (std::uint32_t entry = 0; entry < trail.entries(); ++entry) {
      if (trail.chunk(entry) != kNoChunk) ++chunks;
    }
  }
  return chunks;
}

}  // namespace

Schedule trail_gossip(const Grid& torus, const std::vector<LoadedTrail>& trails,
                      std::uint32_t rounds) {
  const TrailLinks links(torus, trails);
  std::vector<std::vector<Stream>> streams;
  streams.reserve(trails.size());
  for (const LoadedTrail& trail : trails) {
    streams.push_back(streams_of(links, trail, rounds));
  }

  Schedule schedule;
  schedule.reserve(chunks(trails) * (torus.node_count() - 1));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    schedule.begin_round();
    for (std::size_t t = 0; t < trails.size(); ++t) {
      add_round(trails[t], streams[t], round, schedule);
    }
  }
  return schedule;
}

}  // namespace flitcast
