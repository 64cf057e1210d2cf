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

/// Who waits for whom in a network between two cycles? Returns a cycle of input VCs, each of which
/// waits for the next and the last for the first, or nothing if every flit can still move.
///
/// Exact, not a time-out: a VC is blocked only if all of what it could wait for is held by blocked
/// VCs, and no flit or credit on a link can change that. So it never reports a deadlock that is
/// none. A deadlock among few packets is found while the rest of the network still runs, at the
/// latest when nothing more arrives at the VCs of the cycle. What is waited for differs by the
/// kind of router, whose file says it: RouterCores::find_deadlock.
///
/// Cycles lead through nodes, too, where reply queues bound what they take: the packet that waits
/// to leave a node then waits for the one in front of which it enters (see reply_queue_waits.cpp).
///
/// Missed: cycles through routers with pins, which count as moving, and through nodes that wait
/// for a packet before they send one. Of a cycle of packets that leave by several branches only
/// one branch of each is shown. Time: a visit to every VC and to every VC that it could wait for.
std::vector<BlockedVc> find_deadlock(const Inspection& network);

/// Message classes whose packets can wait for each other at the nodes: those of each class for
/// places that replies give back, which wait behind packets of the next in the same virtual
/// channels, and those of the last behind the first; empty if there is no such cycle.
///
/// Where each class by itself is free of deadlock, so is a network without a cycle. With one, if
/// every node sends to every other, requests to two nodes and the replies of these fill the way of
/// each other. Nodes without reply queues take all that comes, so that there is none.
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks (2004), chapter
/// 14 (protocol deadlock).
std::vector<std::size_t> protocol_deadlock(const Routing& routing, const NetworkParams& params);

/// All input VCs of routers numbered in one row, as members of a wait graph, and where reply queues
/// bound what nodes take the VCs of ejection channels behind them.
class InputVcs {
 public:
  using Member = WaitGraph::Member;

  struct Place {
    RouterId router{};
    unsigned vc_index = 0;
  };

  explicit InputVcs(const Inspection& network);

  const Inspection& network() const { return network_; }
  const RouterState& state(RouterId router) const { return network_.state(router); }

  /// How many in all, those of routers, and those of one router.
  std::size_t size() const { return size_ + ejections_; }
  std::size_t at_routers() const { return size_; }
  unsigned size_of(RouterId router) const {
    return state(router).vc_index(state(router).input_ports, 0);
  }

  Member number(RouterId router, unsigned vc_index) const {
    return first_[index(router)] + vc_index;
  }
  /// Of a VC of an ejection channel.
  Member number(NodeId node, std::size_t port, unsigned vc) const;
  /// Of one at a router.
  Place place(Member member) const;

  /// The VC behind an output VC that has to move on before there are `needed` credits; kNobody if
  /// they are there, or if something on the way to or from that VC can change their number. Nodes
  /// take all that comes, those with bounded terminals as soon as somebody takes a packet out;
  /// those with reply queues as far as these have places.
  Member before_credits(RouterId router, unsigned output_vc, unsigned needed) const;

 private:
  Member at_node(RouterId router, unsigned output_vc) const;

  const Inspection& network_;
  std::vector<Member> first_;  // Per router: the number of its input VC 0.
  Member size_ = 0;
  Member ejections_ = 0;
  // With reply queues: the number of VC 0 of each ejection channel, by where it begins.
  std::map<std::pair<RouterId, unsigned>, Member> ejection_at_;
};

/// Adds what the VCs of ejection channels wait for, if reply queues bound what nodes take.
void wait_for_replies(const InputVcs& vcs, WaitGraph& graph);

}  // namespace flitcast
