// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "figure_groups.h"
#include "topology/topology.h"

namespace flitcast::program {

/// Packets of a log, in the order of the log.
using Packets = std::vector<LoggedPacket>;

template <class Condition>
Packets where(const Packets& packets, Condition condition) {
  Packets chosen;
  for (const LoggedPacket& packet : packets) {
    if (condition(packet)) chosen.push_back(packet);
  }
  return chosen;
}

template <class Value>
std::vector<std::uint64_t> each(const Packets& packets, Value value) {
  std::vector<std::uint64_t> values;
  for (const LoggedPacket& packet : packets) values.push_back(value(packet));
  return values;
}

template <class Value>
std::uint64_t sum(const Packets& packets, Value value) {
  std::uint64_t total = 0;
  for (const LoggedPacket& packet : packets) total += value(packet);
  return total;
}

double mean(const std::vector<std::uint64_t>& values);

inline std::uint64_t latency(const LoggedPacket& packet) { return packet.arrived - packet.created; }
inline std::uint64_t length(const LoggedPacket& packet) { return packet.length; }

/// Makes a function that returns a constant.
inline std::function<Json(const Observed&)> always(Json value) {
  return [value](const Observed&) { return value; };
}

/// Makes a function of the packets of a log.
template <class Value>
std::function<Json(const Observed&)> of_packets(Value value) {
  return [value](const Observed& seen) { return Json(value(seen.log)); };
}

/// Adds the rows of a list of objects and of every member of these objects.
std::vector<FigureRow> rows_of_list(const std::string& figure,
                                    const std::function<Json(const Observed&)>& list,
                                    const std::vector<std::string>& members,
                                    std::vector<FigureRow> rows);

/// Returns the outputs on the path of dimension order, x first, through a 4x4 mesh; the last output
/// is the node's.
std::vector<Endpoint> way_through_mesh(std::uint32_t source, std::uint32_t destination);

// The groups are sorted by the traffic of their experiments.

FigureGroup busy_mesh();
FigureGroup flooded_mesh();
FigureGroup slow_senders();
FigureGroup short_window();
FigureGroup deadlocked_ring();
FigureGroup slow_trace();
FigureGroup slow_links();
FigureGroup two_packets();
FigureGroup three_transactions();
FigureGroup crowded_queue();
FigureGroup computed_path();
FigureGroup contended_path();
FigureGroup stalled_path();
FigureGroup summed_up();
FigureGroup answered_batch();
FigureGroup unanswered_requests();
FigureGroup circuit_trace();
FigureGroup dropped_circuits();
FigureGroup waiting_circuits();
FigureGroup controlled_trace();
FigureGroup two_passes();
FigureGroup chain();
FigureGroup flooding();
FigureGroup placed_exchange();
FigureGroup copied_broadcast();
FigureGroup chained_multicast();
FigureGroup copied_multicast();
FigureGroup combined_reduction();
FigureGroup reduced_floats();
FigureGroup broadcasts_in_turn();
FigureGroup broadcast_beside_traffic();
FigureGroup three_on_a_line();
FigureGroup two_phases();
FigureGroup searched_load();
FigureGroup questions_and_answers();
FigureGroup late_answers();
FigureGroup priced_packet();
FigureGroup extra_figures();
FigureGroup timed_link();
FigureGroup physical_load();
FigureGroup physical_sum();
FigureGroup flow_figures();
/// Returns the trace that crowded_queue() replays.
std::string crowded_trace();

}  // namespace flitcast::program
