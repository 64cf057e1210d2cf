// SPDX-License-Identifier: Apache-2.0
// The waits at nodes with bounded reply queues.
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "network/check/deadlock_search.h"
#include "network/fabric/node_interface.h"
#include "router/bit_mask.h"

namespace flitcast {
namespace {

using Member = WaitGraph::Member;

/// A head without a slot in the reply queue waits until any packet that has a slot leaves: replies
/// wait for credits of their injection channels, arriving packets for their next flit. A packet
/// whose reply has not been created yet counts as moving.
class ReplyWaits {
 public:
  ReplyWaits(const InputVcs& vcs, WaitGraph& graph)
      : vcs_(vcs), network_(vcs.network()), graph_(graph) {}

  void visit(NodeId node, std::size_t port, unsigned vc) {
    const std::deque<Flit>& held = buffer(node, port).held[vc];
    if (held.empty()) return wait_for_flit(node, port, vc);
    if (held.front().head) wait_for_slot(node, port, vc, held.front());
  }

 private:
  using Causes = std::vector<Member>;

  const EjectionBuffer& buffer(NodeId node, std::size_t port) const {
    return *network_.interface(node, port)->bounded;
  }
  std::optional<std::uint8_t> reply_to(PacketSlot packet) const {
    return network_.params().message_classes[network_.packet(packet).message_class].reply;
  }

  // Adds the wait of a head for a slot. All slots are taken: by arriving packets, by waiting
  // replies, and by packets between the two states, which move on by themselves.
  void wait_for_slot(NodeId node, std::size_t port, unsigned vc, const Flit& head) {
    const std::optional<std::uint8_t> reply = reply_to(head.packet);
    if (!reply || (*buffer(node, port).slots)[*reply] != 0) return;
    Causes causes;
    const std::size_t ports = network_.topology().node_ports();
    for (std::size_t other = 0; other < ports; ++other) {
      add_arriving(node, other, *reply, causes);
    }
    const std::size_t known = causes.size() + network_.waiting_packets(node, *reply);
    if (known < network_.params().reply_queue) return;
    for (std::size_t other = 0; other < ports; ++other) add_leaving(node, other, *reply, causes);
    graph_.add_wait(vcs_.number(node, port, vc), causes);
  }

  // Adds the wait in the middle of a packet: the next flit comes from the VC that owns the ejection
  // channel. A packet that is stored as a whole arrives without gaps.
  void wait_for_flit(NodeId node, std::size_t port, unsigned vc) {
    const bool arrives = network_.interface(node, port)->vcs[vc].arriving != PacketStore::kNone;
    if (!arrives || network_.params().unit() == BufferUnit::kPacket) return;
    if (network_.flits_in_flight(node, port, vc) > 0) return;
    const Endpoint from = network_.topology().attachment(node, port).ejection;
    const RouterState& state = vcs_.state(from.router);
    const std::uint16_t owner = state.outputs[state.vc_index(index(from.port), vc)].owner;
    if (owner == OutputVc::kNone) return;
    graph_.add_wait(vcs_.number(node, port, vc), {vcs_.number(from.router, owner)});
  }

  // Adds the packets that have a slot and whose tails have not arrived.
  void add_arriving(NodeId node, std::size_t port, std::uint8_t reply, Causes& causes) const {
    const NodeInterface& interface = *network_.interface(node, port);
    for (unsigned vc = 0; vc < network_.params().router.virtual_channels; ++vc) {
      const PacketSlot arriving = interface.vcs[vc].arriving;
      if (arriving == PacketStore::kNone || reply_to(arriving) != reply) continue;
      causes.push_back(vcs_.number(node, port, vc));
    }
  }

  // Adds what the front reply of a port waits for; kNone if it can leave.
  void add_leaving(NodeId node, std::size_t port, std::uint8_t reply, Causes& causes) const {
    const SourceQueue& queue = network_.interface(node, port)->queues[reply];
    const bool begun = queue.remaining != 0;
    if (begun && network_.params().unit() == BufferUnit::kPacket) {
      return causes.push_back(WaitGraph::kNone);
    }
    const RouterParams& router = network_.params().router;
    const bool by_credit = !begun && router.options.vc_reuse == VcReuse::kTailCredit;
    for (VcSet vcs = network_.injection_vcs(node, port, reply); vcs != 0; vcs &= vcs - 1) {
      causes.push_back(
          before_injection(node, port, lowest_bit(vcs), by_credit ? router.buffer_depth : 1));
    }
  }

  Member before_injection(NodeId node, std::size_t port, unsigned vc, unsigned needed) const {
    if (network_.injection_credits(node, port, vc) >= needed ||
        network_.credits_in_flight(node, port, vc) > 0) {
      return WaitGraph::kNone;
    }
    const Endpoint to = network_.topology().attachment(node, port).injection;
    const unsigned i = vcs_.state(to.router).vc_index(index(to.port), vc);
    if (network_.flits_in_flight(to.router, i) > 0) return WaitGraph::kNone;
    return vcs_.number(to.router, i);
  }

  const InputVcs& vcs_;
  const Inspection& network_;
  WaitGraph& graph_;
};

}  // namespace

void wait_for_replies(const InputVcs& vcs, WaitGraph& graph) {
  const NetworkParams& params = vcs.network().params();
  if (params.reply_queue == 0) return;
  ReplyWaits waits(vcs, graph);
  vcs.network().for_each_node_port([&](NodeId node, std::size_t port) {
    for (unsigned vc = 0; vc < params.router.virtual_channels; ++vc) waits.visit(node, port, vc);
  });
}

}  // namespace flitcast
