// SPDX-License-Identifier: Apache-2.0
#include "network/deadlock_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace flitcast {

namespace {

/// The wait-for graph over all input VCs of the fabric, numbered in one row.
class WaitGraph {
 public:
  explicit WaitGraph(const Inspection& network);

  std::vector<BlockedVc> circle() const;

 private:
  using Vc = std::uint32_t;

  const RouterState& state(RouterId router) const {
    return *network_.fabric().router_node(router).state;
  }
  Vc number(RouterId router, unsigned i) const { return first_[index(router)] + i; }
  RouterId router_of(Vc vc) const;

  void add_router(RouterId router);
  void visit(RouterId router, unsigned i);
  unsigned needed_credits(RouterId router, unsigned i) const;
  void wait_for_credit(RouterId router, unsigned i, unsigned j);
  void wait_for_route(RouterId router, unsigned i);
  void wait_for_upstream(RouterId router, unsigned i);
  void wait_for(Vc waiter, Vc cause) {
    waits_for_[waiter].push_back(cause);
    awaited_by_[cause].push_back(waiter);
  }
  void moves(Vc vc) {
    if (!moving_[vc]) movers_.push_back(vc);
    moving_[vc] = true;
  }
  void spread();

  const Inspection& network_;
  std::vector<Vc> first_;  // Per router: the number of its input VC 0.
  std::vector<std::vector<Vc>> waits_for_;
  std::vector<std::vector<Vc>> awaited_by_;
  std::vector<bool> moving_;
  std::vector<Vc> movers_;
};

WaitGraph::WaitGraph(const Inspection& network) : network_(network) {
  const std::size_t routers = network.fabric().topology().router_count();
  Vc total = 0;
  for (std::uint32_t r = 0; r < routers; ++r) {
    first_.push_back(total);
    total += state(RouterId{r}).vc_index(state(RouterId{r}).input_ports, 0);
  }
  waits_for_.resize(total);
  awaited_by_.resize(total);
  moving_.resize(total, false);
  for (std::uint32_t r = 0; r < routers; ++r) add_router(RouterId{r});
  spread();
}

RouterId WaitGraph::router_of(Vc vc) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), vc);
  return RouterId{static_cast<std::uint32_t>(next - first_.begin() - 1)};
}

void WaitGraph::add_router(RouterId router) {
  for (unsigned i = 0; i < state(router).vc_index(state(router).input_ports, 0); ++i) {
    visit(router, i);
  }
}

// An idle VC, and one whose next step needs nobody, moves.
void WaitGraph::visit(RouterId router, unsigned i) {
  const InputVc& in = state(router).inputs[i];
  const bool holds_output = in.output != InputVc::kNone;
  if (network_.fabric().router_node(router).foreign || (in.count == 0 && !holds_output)) {
    return moves(number(router, i));
  }
  if (in.count == 0) return wait_for_upstream(router, i);
  if (holds_output) return wait_for_credit(router, i, in.output);
  if (in.route_vcs == 0) return moves(number(router, i));
  wait_for_route(router, i);
}

// Under virtual cut-through a head needs room for its whole packet.
unsigned WaitGraph::needed_credits(RouterId router, unsigned i) const {
  const Flit& front = state(router).front(i);
  const bool whole = network_.fabric().params().router.whole_packet_credit && front.head;
  return whole ? front.remaining + 1U : 1U;
}

// The buffer at the far end has no room, unless enough credits are left or some under way.
void WaitGraph::wait_for_credit(RouterId router, unsigned i, unsigned j) {
  const Vc self = number(router, i);
  const OutputVc& out = state(router).outputs[j];
  const std::uint32_t channel = network_.channel_from(router, state(router).port_of(j));
  if (channel == Inspection::kNone || out.credits >= needed_credits(router, i) ||
      network_.credits_under_way(router, j) > 0) {
    return moves(self);  // Nodes take every flit.
  }
  const Endpoint to = network_.fabric().topology().channels()[channel].to;
  const unsigned downstream = state(to.router).vc_index(index(to.port), state(router).vc_of(j));
  if (network_.flits_under_way(to.router, downstream) > 0) return moves(self);
  wait_for(self, number(to.router, downstream));
}

// Any of the VCs that the route allows will do.
void WaitGraph::wait_for_route(RouterId router, unsigned i) {
  const InputVc& in = state(router).inputs[i];
  const Vc self = number(router, i);
  for (VcSet vcs = in.route_vcs; vcs != 0; vcs &= vcs - 1) {
    const unsigned j = state(router).vc_index(in.route_port, lowest_bit(vcs));
    const OutputVc& out = state(router).outputs[j];
    if (out.owner != OutputVc::kNone) {
      wait_for(self, number(router, out.owner));
    } else {
      return moves(self);
    }
  }
}

// An empty VC in the middle of a packet waits for the packet's next flit.
void WaitGraph::wait_for_upstream(RouterId router, unsigned i) {
  const Vc self = number(router, i);
  const std::uint32_t channel = network_.channel_to(router, state(router).port_of(i));
  if (channel == Inspection::kNone || network_.flits_under_way(router, i) > 0) return moves(self);
  const Endpoint from = network_.fabric().topology().channels()[channel].from;
  const unsigned j = state(from.router).vc_index(index(from.port), state(router).vc_of(i));
  const std::uint16_t owner = state(from.router).outputs[j].owner;
  if (owner == OutputVc::kNone) return moves(self);  // Behind pins: not to be seen.
  wait_for(self, number(from.router, owner));
}

void WaitGraph::spread() {
  while (!movers_.empty()) {
    const Vc vc = movers_.back();
    movers_.pop_back();
    for (const Vc waiter : awaited_by_[vc]) moves(waiter);
  }
}

// What is left waits only for what is left: following it must come round.
std::vector<BlockedVc> WaitGraph::circle() const {
  const auto blocked = std::find(moving_.begin(), moving_.end(), false);
  if (blocked == moving_.end()) return {};
  std::vector<bool> met(moving_.size(), false);
  auto vc = static_cast<Vc>(blocked - moving_.begin());
  for (; !met[vc]; vc = waits_for_[vc].front()) met[vc] = true;
  std::vector<BlockedVc> circle;
  const Vc start = vc;
  do {
    const RouterId router = router_of(vc);
    const InputVc& in = state(router).inputs[vc - first_[index(router)]];
    BlockedVc entry{router, PortId{in.port}, VcId{in.vc}, {}, {}};
    if (in.count > 0) {
      const Flit& front = state(router).front(vc - first_[index(router)]);
      entry.packet = network_.packet(front.packet).id;
      entry.destination = front.destination;
    }
    circle.push_back(entry);
    vc = waits_for_[vc].front();
  } while (vc != start);
  return circle;
}

}  // namespace

std::vector<BlockedVc> find_deadlock(const Inspection& network) {
  const bool searchable = !network.fabric().params().router.store_and_forward &&
                          !network.fabric().params().router.multicast;
  return searchable ? WaitGraph(network).circle() : std::vector<BlockedVc>();
}

std::string to_text(const std::vector<BlockedVc>& circle) {
  std::string text;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const BlockedVc& vc = circle[i];
    text += fmt::format("  router {} port {} VC {}: packet {}.{} to node {}, waits for{}\n",
                        index(vc.router), index(vc.input), index(vc.vc), index(vc.packet) >> 32,
                        index(vc.packet) & 0xffffffff, index(vc.destination),
                        i + 1 == circle.size() ? " the first" : "");
  }
  return text;
}

}  // namespace flitcast
