// SPDX-License-Identifier: Apache-2.0
#include "network/packet_waits.h"

#include <map>
#include <utility>

#include "network/input_vcs.h"
#include "router/bit_mask.h"

namespace flitcast {

namespace {

using Member = WaitGraph::Member;

/// The members are all input VCs, then the packets in queues.
class PacketWaits {
 public:
  explicit PacketWaits(const Inspection& network);

  std::vector<BlockedVc> circle() const;

 private:
  using Packets = std::vector<Member>;

  void add_router(RouterId router);
  std::vector<Packets> add_packets(RouterId router);
  Member add_packet(RouterId router, unsigned i, const Flit& head);
  void wait_for_credit(Member packet, RouterId router, unsigned output, VcSet vcs);

  const InputVcs vcs_;
  WaitGraph graph_;
  std::vector<BlockedVc> entries_;  // Of the packets.
};

PacketWaits::PacketWaits(const Inspection& network) : vcs_(network), graph_(vcs_.size()) {
  const std::size_t routers = network.fabric().topology().router_count();
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (!vcs_.foreign(RouterId{r})) add_router(RouterId{r});
  }
}

// A VC with a packet that is in no queue waits for nobody.
void PacketWaits::add_router(RouterId router) {
  const std::vector<Packets> queued = add_packets(router);
  for (unsigned i = 0; i < queued.size(); ++i) {
    if (queued[i].empty() || queued[i].size() != vcs_.state(router).inputs[i].count) continue;
    graph_.add_wait(vcs_.number(router, i), queued[i]);
  }
}

// Returns the packets in queues of each input VC.
std::vector<PacketWaits::Packets> PacketWaits::add_packets(RouterId router) {
  std::vector<Packets> queued(vcs_.size_of(router));
  std::map<std::pair<unsigned, PacketSlot>, Member> known;
  const Region& region = vcs_.network().fabric().region_of(router);
  region.for_each_queued(router, [&](unsigned i, unsigned output, VcSet vcs, const Flit& head) {
    const auto [packet, added] = known.try_emplace({i, head.packet}, WaitGraph::kNobody);
    if (added) {
      packet->second = add_packet(router, i, head);
      queued[i].push_back(packet->second);
    }
    wait_for_credit(packet->second, router, output, vcs);
  });
  return queued;
}

Member PacketWaits::add_packet(RouterId router, unsigned i, const Flit& head) {
  const InputVc& in = vcs_.state(router).inputs[i];
  entries_.push_back({router, PortId{in.port}, VcId{in.vc}, vcs_.network().packet(head.packet).id,
                      head.destination});
  return graph_.add_member();
}

void PacketWaits::wait_for_credit(Member packet, RouterId router, unsigned output, VcSet vcs) {
  std::vector<Member> causes;
  for (; vcs != 0; vcs &= vcs - 1) {
    const unsigned j = vcs_.state(router).vc_index(output, lowest_bit(vcs));
    const Member cause = vcs_.before_credits(router, j, 1);
    if (cause == WaitGraph::kNobody) return;
    causes.push_back(cause);
  }
  graph_.add_wait(packet, causes);
}

// A packet waits for a VC, and that for a packet: the packets say it all.
std::vector<BlockedVc> PacketWaits::circle() const {
  std::vector<BlockedVc> circle;
  for (const Member member : graph_.circle()) {
    if (member >= vcs_.size()) circle.push_back(entries_[member - vcs_.size()]);
  }
  return circle;
}

}  // namespace

std::vector<BlockedVc> circle_of_packets(const Inspection& network) {
  return PacketWaits(network).circle();
}

}  // namespace flitcast
