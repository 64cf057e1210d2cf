// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/traffic.h"

#include <algorithm>

namespace flitcast::clos {

TrafficCounts run_traffic(Control& control, RequestGenerator& generator, std::uint64_t events,
                          const EventSink& sink) {
  TrafficCounts counts;
  for (std::uint64_t event = 0; event < events; ++event) {
    const Proposal proposal = generator.next(control.state());
    if (!proposal.connects) {
      control.disconnect(proposal.input);
      if (sink) sink(DisconnectEvent{proposal.input});
      continue;
    }
    const Selection& selection = control.connect(proposal.input, proposal.outputs);
    ++counts.requests;
    if (selection.blocked()) ++counts.blocked;
    counts.most_passes = std::max(counts.most_passes, selection.size());
    if (sink) sink(connect_event(proposal.input, proposal.outputs, selection));
  }
  return counts;
}

}  // namespace flitcast::clos
