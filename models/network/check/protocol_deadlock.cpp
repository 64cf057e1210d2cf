// SPDX-License-Identifier: Apache-2.0
#include "network/check/protocol_deadlock.h"

#include "network/check/wait_graph.h"

namespace flitcast {

// A request moves on when nothing is in front of its reply that waits itself: each of these is a
// wait of its own.
std::vector<std::size_t> protocol_deadlock(const Routing& routing, const NetworkParams& params) {
  const std::vector<MessageClass>& classes = params.message_classes;
  if (params.reply_queue == 0) return {};
  WaitGraph graph(classes.size());
  for (WaitGraph::Member request = 0; request < classes.size(); ++request) {
    if (!classes[request].reply) continue;
    const VcSet reply_vcs = routing.class_vcs(*classes[request].reply);
    for (WaitGraph::Member other = 0; other < classes.size(); ++other) {
      const bool in_front = (routing.class_vcs(other) & reply_vcs) != 0;
      if (classes[other].reply && in_front) graph.add_wait(request, {other});
    }
  }
  const std::vector<WaitGraph::Member> cycle = graph.cyclic_wait();
  return {cycle.begin(), cycle.end()};
}

}  // namespace flitcast
