// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "network/check/inspection.h"
#include "network/check/wait_graph.h"
#include "network/network.h"

namespace flitcast {

/// Finds a deadlock in a network between two cycles. Returns a cycle of input VCs, each of which
/// waits for the next and the last for the first; empty if every flit can still move.
///
/// Exact, not a time-out: a VC is blocked only if everything that it could wait for is held by
/// blocked VCs and no flit or credit in flight can change that, so there are no false reports. A
/// deadlock among few packets is found while the rest of the network still runs, at the latest when
/// no more flits arrive at the VCs of the cycle. The waits depend on the kind of router:
/// RouterCores::find_deadlock.
///
/// With reply queues, cycles also lead through nodes: a request waits for a slot that a reply frees
/// when it leaves the node (see reply_queue_waits.cpp).
///
/// Not found: cycles through external routers, which count as moving, and through nodes that wait
/// for a packet before they send one. For packets that leave by several branches, the cycle shows
/// one branch of each packet. Time: one visit to every VC, and for each VC one visit to every VC
/// that it could wait for.
[[nodiscard]] std::vector<BlockedVc> find_deadlock(const Inspection& network);

/// A cycle of message classes whose packets can wait for each other at the nodes: packets of each
/// class wait for slots that replies free, the replies wait behind packets of the next class in the
/// same virtual channels, and those of the last class behind the first. Empty: no cycle.
///
/// If each class by itself is free of deadlock, a network without such a cycle is, too. With a
/// cycle, if every node sends to every other, requests to two nodes and their replies can block
/// each other. Nodes without reply queues accept every packet, so there is no cycle. Source: Dally
/// and Towles, Principles and Practices of Interconnection Networks (2004), chapter 14 (protocol
/// deadlock).
[[nodiscard]] std::vector<std::size_t> protocol_deadlock(const Routing& routing,
                                                         const NetworkParams& params);

/// Numbers all input VCs of routers, and with reply queues the VCs of ejection channels after them,
/// as members of a wait graph.
class InputVcs {
 public:
  using Member = WaitGraph::Member;

  explicit InputVcs(const Inspection& network);

  const Inspection& network() const { return network_; }
  const RouterState& state(RouterId router) const { return network_.state(router); }

  std::size_t size() const { return size_ + ejections_; }
  /// The number of input VCs of all routers.
  std::size_t at_routers() const { return size_; }
  /// The number of input VCs of a router.
  unsigned size_of(RouterId router) const {
    return state(router).vc_index(state(router).input_ports, 0);
  }

  Member number(RouterId router, unsigned vc_index) const {
    return first_[index(router)] + vc_index;
  }
  /// The number of a VC of an ejection channel.
  Member number(NodeId node, std::size_t port, unsigned vc) const;
  /// The inverse of number(), for a VC of a router: the router and the index of the VC there.
  std::pair<RouterId, unsigned> input_of(Member member) const;

  /// The VC downstream of an output VC that must move on before there are `needed` credits; kNone
  /// if the credits are there, or if a flit or credit in flight can change their number. Nodes
  /// count as accepting every packet, unless their reply queues are full: a process may take
  /// packets out of a bounded terminal at any time.
  Member before_credits(RouterId router, unsigned output_vc, unsigned needed) const;

 private:
  Member at_node(RouterId router, unsigned output_vc) const;

  const Inspection& network_;
  std::vector<Member> first_;  // Per router: the number of its input VC 0.
  Member size_ = 0;
  Member ejections_ = 0;
  // With reply queues: the number of VC 0 of each ejection channel, by its router output.
  std::map<std::pair<RouterId, unsigned>, Member> ejection_at_;
};

/// With reply queues, adds the waits of the VCs of ejection channels.
void wait_for_replies(const InputVcs& vcs, WaitGraph& graph);

}  // namespace flitcast
