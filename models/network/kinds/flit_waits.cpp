// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "base/sequences.h"
#include "network/check/deadlock_search.h"
#include "router/adaptive_core.h"
#include "router/bit_mask.h"
#include "router/multicast_core.h"

namespace flitcast {

namespace {

using Member = WaitGraph::Member;

/// The wait-for graph of WormholeCores, AdaptiveCores, MulticastCores, ReductionCores or
/// OptionCores.
///
/// The front flit of an input VC waits for every branch of its packet that it has not left by: for
/// a credit of the VC that the branch holds, or for the release of any VC that the branch may
/// request. A VC that is empty in the middle of a packet waits for the next flit. Where copies
/// leave independently, a branch can send the tail, and so release its VC, or forward a flit while
/// another branch of the packet is blocked forever; then other packets do not wait for this packet.
///
/// Each packet of a reduction waits for the other packets that it is combined with. If such a
/// packet has not reached this router, the graph has a wait for the packets in the VCs that it must
/// pass, upstream in its tree.
class FlitWaits {
 public:
  explicit FlitWaits(const Inspection& network) : vcs_(network), graph_(vcs_.size()) {
    for (const RouterId router : network.topology().routers()) {
      if (network.external(router)) continue;
      for (unsigned i = 0; i < vcs_.size_of(router); ++i) visit(router, i);
    }
    wait_for_replies(vcs_, graph_);
  }

  std::vector<BlockedVc> cyclic_wait() {
    std::vector<BlockedVc> cycle;
    for (const Member member : graph_.cyclic_wait()) {
      if (member < vcs_.at_routers()) cycle.push_back(entry(member));
    }
    return cycle;
  }

 private:
  const RouterParams& params() const { return vcs_.network().params().router; }
  const RouterState& state(RouterId router) const { return vcs_.state(router); }
  const BranchState& branch(RouterId router, unsigned i, unsigned output) const {
    return static_cast<const MulticastState&>(state(router)).branch(i, output);
  }

  // An idle VC, or one whose route is being computed, does not wait.
  void visit(RouterId router, unsigned i) {
    const InputVc& in = state(router).inputs[i];
    const bool holds_output = in.output != InputVc::kNone;
    if (in.count == 0) {
      if (holds_output) wait_for_flit(router, i);
    } else if (vcs_.network().routing().reductions() != 0) {
      if (in.route_vcs != 0) visit_part(router, i);
    } else if (params().multicast) {
      visit_branches(router, i);
    } else if (holds_output) {
      wait_for_credits(router, i, in.output);
    } else if (params().adaptive && in.route_vcs != 0) {
      wait_for_alternatives(router, i);
    } else if (in.route_vcs != 0) {
      wait_for_vc(router, i, in.route_port, in.route_vcs);
    }
  }

  void visit_branches(RouterId router, unsigned i) {
    for (unsigned output = 0; output < state(router).output_ports; ++output) {
      const BranchState& option = branch(router, i, output);
      if (option.stage == BranchStage::kAsking) {
        wait_for_vc(router, i, output, option.vcs);
      } else if (option.stage == BranchStage::kHolding) {
        wait_for_credits(router, i, state(router).vc_index(output, option.vc));
      }
    }
  }

  // The first packet of a reduction also waits for the credits or VCs of its branches.
  void visit_part(RouterId router, unsigned i) {
    const RouterState& here = state(router);
    const Flit& front = here.front(i);
    const Combination what = combination_at(router, here.port_of(i), here.vc_of(i), front);
    unsigned leader = i;
    for (const PortId input : what.inputs) {
      const unsigned k = here.vc_index(index(input), here.vc_of(i));
      leader = std::min(leader, k);
      if (k != i) wait_for_part(vcs_.number(router, i), router, k, front);
    }
    if (leader == i) return visit_branches(router, i);
    if (here.inputs[leader].count > 0) {
      graph_.add_wait(vcs_.number(router, i), {vcs_.number(router, leader)});
    }
  }

  // Adds the wait for the part in input VC k of the same router; a part that has arrived causes no
  // wait.
  void wait_for_part(Member waiter, RouterId router, unsigned k, const Flit& head) {
    const InputVc& in = state(router).inputs[k];
    const bool arrived = in.count > 0 && state(router).front(k).route_field == head.route_field;
    if (!arrived) wait_for_packet(waiter, router, k, head);
  }

  // Adds the wait for the packet in input VC k, which must pass before the part can arrive there.
  void wait_for_packet(Member waiter, RouterId router, unsigned k, const Flit& head) {
    const InputVc& in = state(router).inputs[k];
    if (in.count == 0 && in.output == InputVc::kNone) return wait_upstream(waiter, router, k, head);
    graph_.add_wait(waiter, {vcs_.number(router, k)});
  }

  // Adds the wait for a part while VC k is empty: the part is still in the upstream router, or at
  // its node. Nodes inject without delay.
  void wait_upstream(Member waiter, RouterId router, unsigned k, const Flit& head) {
    const Inspection& network = vcs_.network();
    const std::uint32_t channel = network.channel_to(router, state(router).port_of(k));
    if (channel == Inspection::kNone || network.flits_in_flight(router, k) > 0) return;
    const Endpoint from = network.topology().channels()[channel].from;
    const RouterState& there = state(from.router);
    const unsigned vc = state(router).vc_of(k);
    for (unsigned port = 0; port < there.input_ports; ++port) {
      const Combination what = combination_at(from.router, port, vc, head);
      const bool feeds =
          what.inputs.size() != 0 &&
          any_of(what.branches, [&](const Branch& branch) { return branch.output == from.port; });
      if (feeds) wait_for_packet(waiter, from.router, there.vc_index(port, vc), head);
    }
  }

  Combination combination_at(RouterId router, unsigned port, unsigned vc, const Flit& head) const {
    Combination what;
    vcs_.network().routing().combination({router, to_id<PortId>(port), to_id<VcId>(vc),
                                          head.destination, head.ties, head.route_field},
                                         what);
    return what;
  }

  void wait_for_credits(RouterId router, unsigned i, unsigned j) {
    graph_.add_wait(vcs_.number(router, i), {before_credits(router, i, j)});
  }

  // Adds the wait for one of several VCs: one free VC among those that the route allows suffices.
  void wait_for_vc(RouterId router, unsigned i, unsigned output, VcSet vcs) {
    graph_.add_wait(vcs_.number(router, i), mapped(EachVc(vcs), [&](const VcId vc) {
                      return before_release(router, state(router).vc_index(output, index(vc)));
                    }));
  }

  // Adds the wait for one of several options: one open option suffices. An option that packets may
  // take but not wait for is open while there is space behind it.
  void wait_for_alternatives(RouterId router, unsigned i) {
    const auto& adaptive = static_cast<const AdaptiveState&>(state(router));
    std::vector<Member> causes;
    for (const Alternative& option : adaptive.options_of(i)) {
      for (VcSet vcs = option.vcs; vcs != 0; vcs &= vcs - 1) {
        const unsigned j = adaptive.vc_index(index(option.output), lowest_bit(vcs));
        Member cause = before_release(router, j);
        if (cause == WaitGraph::kNone && !option.waits) cause = before_credits(router, i, j);
        causes.push_back(cause);
      }
    }
    graph_.add_wait(vcs_.number(router, i), causes);
  }

  // The missing flit is in the packet that owns the VC at the upstream end of the channel. Nodes
  // inject without delay, and the state behind pins is not visible.
  void wait_for_flit(RouterId router, unsigned i) {
    const Inspection& network = vcs_.network();
    const std::uint32_t channel = network.channel_to(router, state(router).port_of(i));
    if (channel == Inspection::kNone || network.flits_in_flight(router, i) > 0) return;
    const Endpoint from = network.topology().channels()[channel].from;
    const unsigned output = index(from.port);
    const unsigned j = state(from.router).vc_index(output, state(router).vc_of(i));
    const std::uint16_t owner = state(from.router).outputs[j].owner;
    if (owner == OutputVc::kNone || sends_alone(from.router, owner, output)) return;
    graph_.add_wait(vcs_.number(router, i), {vcs_.number(from.router, owner)});
  }

  // Under virtual cut-through a head needs space for its whole packet.
  Member before_credits(RouterId router, unsigned i, unsigned j) const {
    const Flit& front = state(router).front(i);
    const bool whole = params().whole_packet_credit && front.head;
    return vcs_.before_credits(router, j, whole ? front.remaining + 1U : 1U);
  }

  // The packet that must move before an output VC is free: its owner or, where the owner's tail
  // needs only a credit or the VC needs all its credits back, the packet in the downstream buffer.
  Member before_release(RouterId router, unsigned j) const {
    const std::uint16_t owner = state(router).outputs[j].owner;
    if (owner == OutputVc::kNone) {
      const bool by_credit = params().options.vc_reuse == VcReuse::kTailCredit;
      return by_credit ? vcs_.before_credits(router, j, state(router).depth) : WaitGraph::kNone;
    }
    const bool tail_leaves_alone =
        sends_alone(router, owner, state(router).port_of(j)) && state(router).front(owner).tail();
    return tail_leaves_alone ? before_credits(router, owner, j) : vcs_.number(router, owner);
  }

  // True if a branch needs only a credit to send the front flit, independently of the other
  // branches.
  bool sends_alone(RouterId router, unsigned i, unsigned output) const {
    return params().multicast && !params().synchronous_copies &&
           state(router).inputs[i].count > 0 &&
           branch(router, i, output).stage == BranchStage::kHolding;
  }

  BlockedVc entry(Member member) const {
    const auto [router, i] = vcs_.input_of(member);
    const InputVc& in = state(router).inputs[i];
    BlockedVc entry{router, PortId{in.port}, VcId{in.vc}, {}, {}};
    if (in.count > 0) {
      const Flit& front = state(router).front(i);
      entry.packet = vcs_.network().packet(front.packet).id;
      entry.destination = front.destination;
    }
    return entry;
  }

  const InputVcs vcs_;
  WaitGraph graph_;
};

}  // namespace

std::vector<BlockedVc> find_flit_deadlock(const Inspection& network) {
  return FlitWaits(network).cyclic_wait();
}

}  // namespace flitcast
