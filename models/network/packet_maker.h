// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/packet.h"
#include "base/packet_source.h"
#include "network/network_params.h"
#include "routing/routing.h"

namespace flitcast {

/// Makes the packets that the nodes of a network ask for, whatever realises the nodes.
class PacketMaker {
 public:
  /// `routing` must outlive the maker. Throws std::invalid_argument for message classes of the
  /// routing that do not split the virtual channels evenly or ask for an admission, which knows but
  /// one.
  PacketMaker(std::size_t node_count, std::size_t node_ports, const Routing& routing,
              const NetworkParams& params);

  /// The packet number `serial` of its source, counted from 0. Where the request does not choose
  /// among shortest ways, coins decide that depend on nothing but the packet's number and
  /// NetworkParams::seed. Throws InvariantError for a node, a port or a message class that there is
  /// not, and for a length that the network does not take.
  Packet make(NodeId source, std::uint32_t serial, const PacketRequest& request, Cycle now) const;

 private:
  void check(const PacketRequest& request) const;

  const Routing& routing_;
  const std::size_t node_count_;
  const std::size_t node_ports_;
  const std::uint32_t longest_packet_;  // Flits; the buffer depth under virtual cut-through.
  const std::size_t message_classes_;
  const std::uint64_t seed_;
  const bool has_ties_;
};

}  // namespace flitcast
