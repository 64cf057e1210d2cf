// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/packet.h"
#include "base/packet_source.h"
#include "network/network_params.h"
#include "routing/routing.h"

namespace flitcast {

/// The reason why a network cannot have the message classes of the routing: they use virtual
/// channels that the network does not have, there is an admission, which supports a single class,
/// or the number of parameters differs from the number of classes. Empty if there is none.
std::string problem_of_classes(const Routing& routing, const NetworkParams& params);

/// The packet with number `serial`, from 0, of its source, as requested. What the request leaves
/// open is 0.
Packet requested_packet(NodeId source, std::uint32_t serial, const PacketRequest& request,
                        Cycle now);

/// Makes packets from the requests of packet sources, in any implementation of a network.
class PacketMaker {
 public:
  /// `routing` must outlive the maker. Throws std::invalid_argument if problem_of_classes() is not
  /// empty.
  PacketMaker(std::size_t node_count, std::size_t node_ports, const Routing& routing,
              const NetworkParams& params);

  /// Makes packet number `serial` of its source, counted from 0. Ties and routing choices that the
  /// request leaves open are random numbers that depend only on the packet's number and
  /// NetworkParams::seed. Throws InvariantError if problem_of() the request is not empty.
  Packet make(NodeId source, std::uint32_t serial, const PacketRequest& request, Cycle now) const;

  /// The reason why the network cannot carry such a packet, as "a packet of ...": an unknown node,
  /// port or message class, a length out of range, or receivers that its routing does not reach.
  /// Empty if there is none.
  std::string problem_of(const PacketRequest& request) const;

 private:
  bool sound(const PacketRequest& request) const;
  void draw_missing(Packet& packet, const PacketRequest& request) const;

  const Routing& routing_;
  const std::size_t node_count_;
  const std::size_t node_ports_;
  const std::uint32_t shortest_packet_;
  const std::uint32_t
      longest_packet_;  // Length in flits; the buffer depth under virtual cut-through.
  const std::size_t message_classes_;
  const std::uint64_t seed_;
  const bool has_ties_;
  const bool has_choices_;
};

}  // namespace flitcast
