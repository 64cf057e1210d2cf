// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/probe.h"
#include "network/fabric/partition.h"
#include "topology/topology.h"

namespace flitcast {

/// The partitions of a fabric. Builds them, maps each router and node to its partition, and
/// connects them by channels.
class Partitions {
 public:
  /// Everything passed by reference must outlive the partitions. The routers of a partition have
  /// consecutive numbers; a node is in the partition of the router that it injects into.
  /// @param probes  One per partition, or none.
  Partitions(const Topology& topology, PartitionContext& context,
             const std::vector<Probe*>& probes);
  ~Partitions();

  /// Connects every router and node; must be called again after each Partition::reset().
  void connect();

  Partition& of(NodeId node) const { return *partitions_[nodes_[index(node)].partition]; }
  Partition& of(RouterId router) const { return *partitions_[routers_[index(router)]]; }
  /// A node's number in its partition.
  std::uint32_t local_index(NodeId node) const { return nodes_[index(node)].local; }
  RouterNode& router(RouterId router) const { return of(router).router(router); }
  NodeInterface& interface(NodeId node, std::size_t port) const {
    return of(node).interface(interface_index(node, port));
  }
  const Packet& packet(PacketSlot slot) const {
    return partitions_[PacketStore::partition_of(slot)]->packets().packet(slot);
  }
  const std::vector<std::unique_ptr<Partition>>& all() const { return partitions_; }

 private:
  struct NodeSlot {
    std::uint32_t partition = 0;
    std::uint32_t local = 0;  // Number of the node in its partition.
  };
  /// The event wheel of a port, and the bit that wakes its router or node.
  struct Receiver {
    std::uint64_t* words;
    unsigned first_bit;
    WakeRows* wakes;
    std::size_t member;
  };
  enum class Rows { kArrivals, kCredits };

  void find_writers();
  std::vector<RouterShape> shapes_of(unsigned partition, std::uint32_t first) const;
  void connect_channel(const Channel& channel);
  void connect_node(NodeId node, std::size_t port);
  void aim(FlitOutput& output, const RouterNode& to, unsigned input_port) const;
  WheelOutput output_to(const Receiver& receiver, std::uint32_t latency) const;
  /// @param flight  Cycles from the grant of a flit at the sender to its arrival at the receiver.
  CreditReturn credits_to(const Receiver& sender, OutputVc* vcs, std::uint32_t flight,
                          bool same_partition, const OutputChannel& channel) const;
  bool only_the_last_credit_matters() const;
  OutputVc* vcs_of(Endpoint output) const;
  Receiver receiver_at(Endpoint port, Rows rows, unsigned writer) const;
  Receiver receiver_at(NodeId node, std::size_t port, Rows rows, unsigned writer) const;
  std::size_t interface_index(NodeId node, std::size_t port) const {
    return nodes_[index(node)].local * topology_.node_ports() + port;
  }

  const Topology& topology_;
  PartitionContext& context_;
  std::vector<std::uint32_t> routers_;  // The partition of each router.
  std::vector<NodeSlot> nodes_;
  /// Per router: the partitions that send flits or credits to it; empty if there is only one
  /// partition.
  std::vector<std::vector<std::uint32_t>> writers_;
  std::vector<std::unique_ptr<Partition>> partitions_;
};

}  // namespace flitcast
