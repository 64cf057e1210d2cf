// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_gossip.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/paths.h"
#include "topology/grid.h"

namespace flitcast {

Trail follow(const Grid& torus, TrailPosition start, const ForwardingRule& forward) {
  Trail trail;
  TrailPosition here = start;
  do {
    trail.push_back(here);
    const NodeId next = neighbour(torus, here.node, here.output);
    here = {next, forward(next, opposite(here.output))};
  } while (!(here == start));
  return trail;
}

void LoadedTrail::append(TrailPosition position, const std::vector<ChunkId>& chunks) {
  trail_.push_back(position);
  first_entry_.push_back(entries());
  chunks_.insert(chunks_.end(), chunks.begin(), chunks.end());
  if (chunks.empty()) chunks_.push_back(kNoChunk);
}

std::vector<Intake> intakes(const LoadedTrail& trail, std::size_t nodes, std::uint32_t rounds) {
  std::vector<Intake> intakes(trail.positions());
  std::vector<std::uint32_t> seen_at(nodes, kOffTrail);
  // Two laps pair every position with the previous position of its node.
  for (int lap = 0; lap < 2; ++lap) {
    for (std::uint32_t here = 0; here < trail.positions(); ++here) {
      std::uint32_t& earlier = seen_at[index(trail.node(here))];
      if (earlier != kOffTrail) {
        const std::uint32_t wrap = earlier < here ? 0 : trail.entries();
        const std::uint32_t between =
            trail.first_entry(here) + wrap - trail.last_entry(earlier) - 1;
        intakes[earlier].from_ahead = std::min(between / 2, rounds);
        intakes[here].from_behind = std::min(between - between / 2, rounds);
      }
      earlier = here;
    }
  }
  return intakes;
}

std::vector<Stream> circulation(const LoadedTrail& trail, const std::vector<Intake>& intakes) {
  std::vector<Stream> streams;
  streams.reserve(2 * std::size_t{trail.positions()});
  for (std::uint32_t here = 0; here < trail.positions(); ++here) {
    const std::uint32_t next = trail.next(here);
    const PortId output = trail.output(here);
    streams.push_back({trail.node(here), trail.node(next), output, Heading::kForward,
                       trail.last_entry(here), intakes[next].from_behind});
    streams.push_back({trail.node(next), trail.node(here), opposite(output), Heading::kBackward,
                       trail.first_entry(next), intakes[here].from_ahead});
  }
  return streams;
}

namespace {

std::uint32_t half_rounded_up(std::uint32_t number) { return number - number / 2; }

std::uint32_t entries_behind(const LoadedTrail& trail, Supplier x, Supplier y) {
  const std::uint32_t begin = trail.last_entry(x.position) + 1;
  const std::uint32_t end = trail.first_entry(y.position);
  return end >= begin ? end - begin : end + trail.entries() - begin;
}

}  // namespace

std::uint32_t entries_between(const LoadedTrail& trail, Supplier one, Supplier other) {
  return std::min(entries_behind(trail, one, other), entries_behind(trail, other, one));
}

std::pair<Stream, Stream> feeding(const LoadedTrail& trail, NodeId fed, Supplier one,
                                  Supplier other, std::uint32_t wanted) {
  const bool in_order = entries_behind(trail, one, other) <= entries_behind(trail, other, one);
  const Supplier x = in_order ? one : other;
  const Supplier y = in_order ? other : one;
  const std::uint32_t between = entries_behind(trail, x, y);
  const std::uint32_t outside = wanted - between;
  // X sends half of all entries, not half of those between the suppliers: rounding up twice could
  // cost a round more.
  const std::uint32_t inside_of_x = half_rounded_up(wanted) - half_rounded_up(outside);
  return {{trail.node(x.position), fed, x.output, Heading::kForward, trail.last_entry(x.position),
           half_rounded_up(outside), inside_of_x},
          {trail.node(y.position), fed, y.output, Heading::kBackward, trail.first_entry(y.position),
           outside / 2, between - inside_of_x}};
}

LinksInUse links_in_use(const Grid& torus, const std::vector<LoadedTrail>& trails) {
  LinksInUse used(torus.node_count(), std::vector<bool>(2 * torus.dimensions()));
  for (const LoadedTrail& trail : trails) {
    for (std::uint32_t here = 0; here < trail.positions(); ++here) {
      const PortId output = trail.output(here);
      used[index(trail.node(here))][index(output)] = true;
      used[index(trail.node(trail.next(here)))][index(opposite(output))] = true;
    }
  }
  return used;
}

std::vector<std::uint32_t> positions_of(const LoadedTrail& trail, std::size_t nodes) {
  std::vector<std::uint32_t> position(nodes, kOffTrail);
  for (std::uint32_t here = 0; here < trail.positions(); ++here) {
    position[index(trail.node(here))] = here;
  }
  return position;
}

std::vector<Supplier> suppliers_of(NodeId fed, const Grid& torus, const LinksInUse& used,
                                   const std::vector<std::uint32_t>& position) {
  std::vector<Supplier> suppliers;
  for (std::size_t p = 0; p < used[index(fed)].size(); ++p) {
    const PortId port{static_cast<std::uint16_t>(p)};
    if (used[index(fed)][p]) continue;
    const std::uint32_t at = position[index(neighbour(torus, fed, port))];
    if (at != kOffTrail) suppliers.push_back({at, opposite(port)});
  }
  return suppliers;
}

namespace {

// By node: the number of entries of the trail that circulation does not bring to the node.
std::vector<std::uint32_t> missing(const LoadedTrail& trail, const std::vector<Intake>& intakes,
                                   std::size_t nodes) {
  std::vector<std::uint32_t> missing(nodes, trail.entries());
  for (std::uint32_t here = 0; here < trail.positions(); ++here) {
    missing[index(trail.node(here))] -=
        trail.owned(here) + intakes[here].from_behind + intakes[here].from_ahead;
  }
  return missing;
}

std::vector<Stream> streams_of(const Grid& torus, const LinksInUse& used, const LoadedTrail& trail,
                               std::uint32_t rounds) {
  const std::size_t nodes = torus.node_count();
  const std::vector<Intake> taken = intakes(trail, nodes, rounds);
  std::vector<Stream> streams = circulation(trail, taken);
  const std::vector<std::uint32_t> missing = flitcast::missing(trail, taken, nodes);
  const std::vector<std::uint32_t> position = positions_of(trail, nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (missing[node] == 0) continue;
    const std::vector<Supplier> pair = suppliers_of(NodeId{node}, torus, used, position);
    if (pair.size() != 2) throw std::logic_error("a node beside a trail without two suppliers");
    const auto [x, y] = feeding(trail, NodeId{node}, pair[0], pair[1], missing[node]);
    streams.push_back(x);
    streams.push_back(y);
  }
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

// The first round in which a supplier repeats entries from its memory.
std::uint32_t first_repetition(const std::vector<std::vector<Stream>>& streams,
                               std::uint32_t rounds) {
  for (const std::vector<Stream>& of_trail : streams) {
    for (const Stream& stream : of_trail) {
      if (stream.remembered > 0) rounds = std::min(rounds, stream.passing);
    }
  }
  return rounds;
}

std::size_t chunks(const std::vector<LoadedTrail>& trails) {
  return sum_of<std::size_t>(trails, [](const LoadedTrail& trail) {
    return count_if(numbers(trail.entries()),
                    [&](std::uint32_t entry) { return trail.chunk(entry) != kNoChunk; });
  });
}

}  // namespace

Schedule trail_gossip(const Grid& torus, const std::vector<LoadedTrail>& trails,
                      std::uint32_t rounds) {
  const LinksInUse used = links_in_use(torus, trails);
  const auto streams = mapped(
      trails, [&](const LoadedTrail& trail) { return streams_of(torus, used, trail, rounds); });

  Schedule schedule;
  schedule.reserve(chunks(trails) * (torus.node_count() - 1));
  const std::uint32_t repetition = first_repetition(streams, rounds);
  schedule.begin_phase("entries pass suppliers");
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (round == repetition) schedule.begin_phase("suppliers change direction");
    schedule.begin_round();
    for (std::size_t t = 0; t < trails.size(); ++t) {
      add_round(trails[t], streams[t], round, schedule);
    }
  }
  return schedule;
}

}  // namespace flitcast
