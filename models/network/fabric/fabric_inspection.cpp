// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include "base/sequences.h"
#include "network/check/inspection.h"
#include "network/fabric/fabric.h"

namespace flitcast {

namespace {

/// A view of a fabric between two cycles. The rows of the event wheel give the flits and credits in
/// flight.
class FabricInspection final : public Inspection {
 public:
  explicit FabricInspection(const Fabric& fabric) : Inspection(fabric), fabric_(fabric) {}

  const RouterState& state(RouterId router) const override {
    return *fabric_.router_node(router).state;
  }
  bool external(RouterId router) const override { return fabric_.router_node(router).external; }
  unsigned in_flight(RouterId router, unsigned input_vc, bool heads_only) const override {
    const RouterNode& node = fabric_.router_node(router);
    const std::size_t row = node.state->port_of(input_vc) * std::size_t{fabric_.rows()};
    const bool known = heads_only && node.landing != nullptr;
    return announced(node, node.arrivals, input_vc, known ? node.landing + row : nullptr);
  }
  unsigned credits_in_flight(RouterId router, unsigned output_vc) const override {
    const RouterNode& node = fabric_.router_node(router);
    return announced(node, node.credits, output_vc, nullptr);
  }
  unsigned in_flight(NodeId node, std::size_t port, unsigned vc, bool heads_only) const override {
    const NodeInterface& interface = fabric_.node_interface(node, port);
    const auto counts = [heads_only](const Flit& flit) { return flit.head || !heads_only; };
    unsigned count = 0;
    for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
      count += (interface.arrivals[row] >> vc & 1) != 0 && counts(interface.sink[row]);
    }
    if (interface.bounded == nullptr) return count;
    const std::deque<Flit>& held = interface.bounded->held[vc];
    return count + static_cast<unsigned>(count_if(held, counts));
  }
  unsigned credits_in_flight(NodeId node, std::size_t port, unsigned vc) const override {
    return sum_of<unsigned>(numbers(fabric_.rows()), [&](std::uint32_t row) {
      return (fabric_.node_interface(node, port).credits[row] >> vc & 1) != 0;
    });
  }
  const Packet& packet(PacketSlot slot) const override { return fabric_.partitions().packet(slot); }
  unsigned injection_credits(NodeId node, std::size_t port, unsigned vc) const override {
    return fabric_.node_interface(node, port).outputs[vc].credits;
  }
  bool receives(NodeId node, std::size_t port, unsigned vc) const override {
    return fabric_.node_interface(node, port).vcs[vc].arriving != PacketStore::kNone;
  }
  std::uint64_t waiting_flits(NodeId node, std::size_t port) const override {
    const PacketStore& packets = fabric_.partitions().of(node).packets();
    return sum_of<std::uint64_t>(numbers(routing().message_classes()), [&](std::size_t c) {
      return fabric_.node_interface(node, port).queues[c].backlog(packets).flits;
    });
  }
  const NodeInterface* interface(NodeId node, std::size_t port) const override {
    return &fabric_.node_interface(node, port);
  }
  std::size_t waiting_packets(NodeId node, std::size_t message_class) const override {
    return fabric_.partitions().of(node).waiting(fabric_.partitions().local_index(node),
                                                 message_class);
  }
  VcSet injection_vcs(NodeId node, std::size_t port, std::size_t message_class) const override {
    const SourceQueue& queue = fabric_.node_interface(node, port).queues[message_class];
    if (queue.front == PacketStore::kNone) return 0;
    if (queue.remaining != 0) return VcSet{1} << queue.vc;
    return queue.vcs & routing().injection_vcs(node, packet(queue.front).destination);
  }
  std::uint64_t deliveries_due() const override {
    return sum_of<std::uint64_t>(fabric_.partitions().all(), [](const auto& partition) {
      return partition->packets().due() - partition->pending_returns().size();
    });
  }

 private:
  /// The number of rows that have the bit of a VC of a router; only those with a head, if `landing`
  /// is not null.
  unsigned announced(const RouterNode& node, const std::uint64_t* rows, unsigned vc_index,
                     const Flit* landing) const {
    unsigned count = 0;
    for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
      for (unsigned copy = 0; copy < node.copies; ++copy) {
        const std::size_t word = copy * node.words + vc_index / 64;
        const bool due = (rows[word * fabric_.rows() + row] >> (vc_index % 64) & 1) != 0;
        count += due && (landing == nullptr || landing[row].head);
      }
    }
    return count;
  }

  const Fabric& fabric_;
};

}  // namespace

std::unique_ptr<const Inspection> Fabric::inspection() const {
  return std::make_unique<FabricInspection>(*this);
}

}  // namespace flitcast
