// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "base/figures.h"
#include "base/sequences.h"
#include "network/check/deadlock_search.h"
#include "network/fabric/make_partitions.h"
#include "network/router_entry.h"
#include "router/bit_mask.h"
#include "router/store_forward_core.h"

namespace flitcast {

namespace {

using Member = WaitGraph::Member;

/// The wait-for graph of StoreForwardCores. A stored packet waits for all of its copies that are in
/// queues; a copy waits for a credit of any VC that it may take. Such a credit comes when any
/// packet of the downstream VC leaves, because a queue lets other packets pass a blocked one. So a
/// VC is blocked when it is full of blocked packets. A packet counts as moving while it arrives,
/// while its copies have not joined their queues, and while it leaves.
///
/// The members of the graph are all input VCs, followed by the packets in queues.
class PacketWaits {
 public:
  explicit PacketWaits(const Inspection& network) : vcs_(network), graph_(vcs_.size()) {
    for (const RouterId router : network.topology().routers()) {
      if (!network.external(router)) add_router(router);
    }
    wait_for_replies(vcs_, graph_);
  }

  // VCs and packets alternate in a cycle, so the packets alone describe it.
  std::vector<BlockedVc> cyclic_wait() {
    std::vector<BlockedVc> cycle;
    for (const Member member : graph_.cyclic_wait()) {
      if (member >= vcs_.size()) cycle.push_back(entries_[member - vcs_.size()]);
    }
    return cycle;
  }

 private:
  using Packets = std::vector<Member>;

  // A VC with a packet that is not in a queue does not wait.
  void add_router(RouterId router) {
    const std::vector<Packets> queued = add_packets(router);
    for (unsigned i = 0; i < queued.size(); ++i) {
      if (queued[i].empty() || queued[i].size() != vcs_.state(router).inputs[i].count) continue;
      graph_.add_wait(vcs_.number(router, i), queued[i]);
    }
  }

  // Returns, for each input VC, its packets that are in queues.
  std::vector<Packets> add_packets(RouterId router) {
    std::vector<Packets> queued(vcs_.size_of(router));
    std::map<std::pair<unsigned, PacketSlot>, Member> known;
    const auto& state = static_cast<const StoreForwardState&>(vcs_.state(router));
    state.for_each_queued([&](unsigned i, unsigned output, VcSet vcs, const Flit& head) {
      const auto [packet, added] = known.try_emplace({i, head.packet}, WaitGraph::kNone);
      if (added) {
        packet->second = add_packet(router, i, head);
        queued[i].push_back(packet->second);
      }
      wait_for_credit(packet->second, router, output, vcs);
    });
    return queued;
  }

  Member add_packet(RouterId router, unsigned i, const Flit& head) {
    const InputVc& in = vcs_.state(router).inputs[i];
    entries_.push_back({router, PortId{in.port}, VcId{in.vc}, vcs_.network().packet(head.packet).id,
                        head.destination});
    return graph_.add_member();
  }

  void wait_for_credit(Member packet, RouterId router, unsigned output, VcSet vcs) {
    graph_.add_wait(packet, mapped(EachVc(vcs), [&](const VcId vc) {
                      const unsigned j = vcs_.state(router).vc_index(output, index(vc));
                      return vcs_.before_credits(router, j, 1);
                    }));
  }

  const InputVcs vcs_;
  WaitGraph graph_;
  std::vector<BlockedVc> entries_;  // One for each packet.
};

std::uint32_t most(const Inspection& network, std::uint32_t StoreForwardState::*figure) {
  return largest_of<std::uint32_t>(network.topology().routers(), [&](const RouterId router) {
    return static_cast<const StoreForwardState&>(network.state(router)).*figure;
  });
}

const FigureTable<Inspection>& queue_figures() {
  static const FigureTable<Inspection> table{
      {"buffers.max_queue", "packets", "The longest queue of an output to another router.",
       [](const Inspection& network) { return most(network, &StoreForwardState::max_queue); }},
      {"buffers.max_held", "packets",
       "The most packets of a router that wait behind the first of their queues.",
       [](const Inspection& network) { return most(network, &StoreForwardState::max_held); }}};
  return table;
}

std::vector<Param> priority_key() {
  return catalog_params(Param::choice("priority", "Which packet of an output's queue leaves first.")
                            .defaults_to(queue_priorities()[0].name),
                        queue_priorities());
}

}  // namespace

const RouterCores& packet_cores() {
  static const RouterCores cores = cores_of<StoreForwardCore, StoreForwardCore>(
      [](const Inspection& network) { return PacketWaits(network).cyclic_wait(); },
      &queue_figures());
  return cores;
}

RouterEntry store_and_forward_router() {
  return fabric_entry(
      {"store_and_forward",
       "A packet moves on to the next router when all of it has arrived, its flits from and to "
       "nodes as they come; a queue per output, buffers in packets.",
       priority_key,
       nullptr,
       {"priority: fifo", "priority: random"}},
      packet_cores(),
      [](const Section& router, const RouterContext& context, NetworkParams& params) {
        params.cores = &packet_cores();
        params.priority = find(queue_priorities(), router.text("priority"))->make(router, context);
      });
}

}  // namespace flitcast
