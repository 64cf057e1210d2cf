// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "base/random.h"
#include "config/section.h"
#include "topology/clos.h"
#include "traffic/injection.h"
#include "traffic/packet_lengths.h"

namespace flitcast {

/// Random multicasts for a Clos network: every packet goes to one random node at each of f output
/// switches, f uniform in 1 .. fan_out and the switches equally likely. Endless, as RandomTraffic.
///
/// A group is given out for every packet and taken back when its last copy has arrived, so the
/// network must be one region (see Admission). A packet costs O(r).
class MulticastTraffic : public PacketSource {
 public:
  /// `groups`, of the nodes of `clos`, must outlive the source; `clos` need not.
  /// @param fan_out  Most output switches of a packet, 1 to r; std::invalid_argument otherwise.
  MulticastTraffic(const Clos& clos, DestinationGroups& groups, std::size_t fan_out,
                   std::uint64_t seed, std::unique_ptr<Injection> injection, PacketLengths lengths);

  Cycle first(NodeId node) override { return nodes_[index(node)].next; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;
  void dropped(const Packet& packet, Cycle now, std::vector<WakeUp>& wake_ups) override;

 private:
  struct Node {
    Random random;
    Injection::State injection;
    Cycle next;  ///< Of its next packet.
  };
  std::vector<NodeId> draw_receivers(Random& random) const;

  const std::size_t switches_;
  const std::size_t ports_;
  const std::size_t fan_out_;
  DestinationGroups& groups_;
  const std::unique_ptr<Injection> injection_;
  const PacketLengths lengths_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> to_arrive_;  // Per group.
};

/// Makes the source of a workload of kind `clos_requests`; throws one ConfigError with all
/// problems. Keys: fan_out, load, injection, packet_length, packet_weights.
std::unique_ptr<MulticastTraffic> make_multicast_traffic(const Section& workload, const Clos& clos,
                                                         DestinationGroups& groups,
                                                         std::uint64_t seed);

/// The keys of a workload of kind `clos_requests`, apart from `kind`.
std::vector<Param> multicast_traffic_params();

}  // namespace flitcast
