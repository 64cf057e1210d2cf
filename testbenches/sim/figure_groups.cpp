// SPDX-License-Identifier: Apache-2.0
#include "figure_groups.h"

#include "figure_paths.h"

namespace flitcast::program {

double mean(const std::vector<std::uint64_t>& values) {
  double sum = 0;
  for (const std::uint64_t value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

std::vector<FigureRow> rows_of_list(const std::string& figure,
                                    const std::function<Json(const Observed&)>& list,
                                    const std::vector<std::string>& members,
                                    std::vector<FigureRow> rows) {
  rows.push_back({figure, list});
  for (const std::string& member : members) {
    rows.push_back({figure + "." + member, [list, member](const Observed& seen) {
                      Json column = Json::array();
                      for (const Json& element : list(seen))
                        column.push_back(element.value(member, Json()));
                      return column;
                    }});
  }
  return rows;
}

// Outputs 0 and 1 lead up and down in x, 2 and 3 in y, and 4 to the node.
std::vector<Endpoint> way_through_mesh(std::uint32_t source, std::uint32_t destination) {
  std::vector<Endpoint> path;
  std::uint32_t at = source;
  const auto leave_by = [&](std::uint16_t port) { path.push_back({RouterId{at}, PortId{port}}); };
  for (; at % 4 != destination % 4; at % 4 < destination % 4 ? ++at : --at) {
    leave_by(at % 4 < destination % 4 ? 0 : 1);
  }
  for (; at != destination; at < destination ? at += 4 : at -= 4) {
    leave_by(at < destination ? 2 : 3);
  }
  leave_by(4);
  return path;
}

std::vector<FigureGroup> figure_groups() {
  return {busy_mesh(),
          flooded_mesh(),
          slow_senders(),
          short_window(),
          slow_links(),
          deadlocked_ring(),
          slow_trace(),
          two_packets(),
          three_transactions(),
          crowded_queue(),
          circuit_trace(),
          dropped_circuits(),
          waiting_circuits(),
          controlled_trace(),
          two_passes(),
          chain(),
          computed_path(),
          contended_path(),
          stalled_path(),
          summed_up(),
          flooding(),
          placed_exchange(),
          copied_broadcast(),
          chained_multicast(),
          copied_multicast(),
          combined_reduction(),
          reduced_floats(),
          broadcasts_in_turn(),
          broadcast_beside_traffic(),
          three_on_a_line(),
          two_phases(),
          searched_load(),
          questions_and_answers(),
          late_answers(),
          priced_packet(),
          extra_figures(),
          answered_batch(),
          unanswered_requests(),
          physical_load(),
          physical_sum(),
          flow_figures(),
          timed_link()};
}

}  // namespace flitcast::program
