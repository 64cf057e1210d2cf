// SPDX-License-Identifier: Apache-2.0
#include "network/check/deadlock_search.h"

#include <algorithm>
#include <cstdint>

namespace flitcast {

std::vector<BlockedVc> find_deadlock(const Inspection& network) {
  return network.params().cores->find_deadlock(network);
}

// Requests of a class move on unless other requests block their replies: the class has one wait for
// each class of requests that shares VCs with the replies.
std::vector<std::size_t> protocol_deadlock(const Routing& routing, const NetworkParams& params) {
  const std::vector<MessageClass>& classes = params.message_classes;
  if (params.reply_queue == 0) return {};
  WaitGraph graph(classes.size());
  for (WaitGraph::Member request = 0; request < classes.size(); ++request) {
    if (!classes[request].reply) continue;
    const VcSet reply_vcs = routing.class_vcs(*classes[request].reply);
    for (WaitGraph::Member other = 0; other < classes.size(); ++other) {
      const bool blocks = (routing.class_vcs(other) & reply_vcs) != 0;
      if (classes[other].reply && blocks) graph.add_wait(request, {other});
    }
  }
  const std::vector<WaitGraph::Member> cycle = graph.cyclic_wait();
  return {cycle.begin(), cycle.end()};
}

InputVcs::InputVcs(const Inspection& network) : network_(network) {
  for (const RouterId router : network.topology().routers()) {
    first_.push_back(size_);
    size_ += size_of(router);
  }
  if (network.params().reply_queue == 0) return;
  network.for_each_node_port([&](NodeId node, std::size_t port) {
    const Endpoint from = network.topology().attachment(node, port).ejection;
    ejection_at_[{from.router, index(from.port)}] = size_ + ejections_;
    ejections_ += network.params().router.virtual_channels;
  });
}

InputVcs::Member InputVcs::number(NodeId node, std::size_t port, unsigned vc) const {
  const std::size_t channel = index(node) * network_.topology().node_ports() + port;
  return static_cast<Member>(size_ + channel * network_.params().router.virtual_channels + vc);
}

std::pair<RouterId, unsigned> InputVcs::input_of(Member member) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), member);
  const RouterId router{static_cast<std::uint32_t>(next - first_.begin() - 1)};
  return {router, member - first_[index(router)]};
}

InputVcs::Member InputVcs::before_credits(RouterId router, unsigned output_vc,
                                          unsigned needed) const {
  const RouterState& here = state(router);
  const std::uint32_t channel = network_.channel_from(router, here.port_of(output_vc));
  if (here.outputs[output_vc].credits >= needed ||
      network_.credits_in_flight(router, output_vc) > 0) {
    return WaitGraph::kNone;
  }
  if (channel == Inspection::kNone) return at_node(router, output_vc);
  const Endpoint to = network_.topology().channels()[channel].to;
  const unsigned behind = state(to.router).vc_index(index(to.port), here.vc_of(output_vc));
  if (network_.flits_in_flight(to.router, behind) > 0) return WaitGraph::kNone;
  return number(to.router, behind);
}

// A flit in flight to a node joins the flits that wait there; an empty VC accepts the flit at once.
InputVcs::Member InputVcs::at_node(RouterId router, unsigned output_vc) const {
  const RouterState& here = state(router);
  const auto found = ejection_at_.find({router, here.port_of(output_vc)});
  return found == ejection_at_.end() ? WaitGraph::kNone : found->second + here.vc_of(output_vc);
}

}  // namespace flitcast
