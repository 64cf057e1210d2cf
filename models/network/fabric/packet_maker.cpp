// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/packet_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/flit.h"
#include "base/random.h"
#include "base/sequences.h"
#include "router/invariant.h"

namespace flitcast {

namespace {

std::uint32_t longest_packet(const RouterParams& params) {
  return params.whole_packet_credit ? std::min(params.buffer_depth, kMaxPacketLength)
                                    : kMaxPacketLength;
}

// The problem of the parameters of message classes; empty if there is none.
std::string problem_of_replies(std::size_t classes, const NetworkParams& params) {
  const std::vector<MessageClass>& known = params.message_classes;
  if (!known.empty() && known.size() != classes) {
    return fmt::format("there are {} message classes, and the routing has {}", known.size(),
                       classes);
  }
  for (const MessageClass& one : known) {
    if (one.priority >= MessageClass::kPriorities) return "a message class has no such priority";
    if (one.weight < 1 || one.weight > MessageClass::kMostWeight || one.rate < 0 || one.rate > 1 ||
        one.burst < 1 || one.burst > MessageClass::kMostBurst) {
      return "the weight, rate or burst of a message class is out of range";
    }
    if (one.reply && *one.reply >= classes) return "the replies to a message class have no class";
  }
  const bool replied = any_of(known, [](const MessageClass& one) { return one.reply.has_value(); });
  if (params.reply_queue != 0 && !replied)
    return "reply_queue is set, and no message class has replies";
  return "";
}

std::size_t sound_classes(const Routing& routing, const NetworkParams& params) {
  const std::string problem = problem_of_classes(routing, params);
  if (!problem.empty()) throw std::invalid_argument(problem);
  return routing.message_classes();
}

}  // namespace

std::string problem_of_classes(const Routing& routing, const NetworkParams& params) {
  const std::size_t classes = routing.message_classes();
  if (classes == 0 || classes > kMaxMessageClasses) {
    return fmt::format("the routing has {} message classes; networks have 1 to {}", classes,
                       kMaxMessageClasses);
  }
  const unsigned vcs = params.router.virtual_channels;
  for (std::size_t c = 0; classes > 1 && c < classes; ++c) {
    if (routing.class_vcs(c) != 0 && (routing.class_vcs(c) & ~vc_range(0, vcs)) == 0) continue;
    return fmt::format(
        "the routing was made for more than {} virtual channels: message class {} has others", vcs,
        c);
  }
  if (classes > 1 && params.admission) {
    return "a central control admits packets of one message class only";
  }
  return problem_of_replies(classes, params);
}

PacketMaker::PacketMaker(std::size_t node_count, std::size_t node_ports, const Routing& routing,
                         const NetworkParams& params)
    : routing_(routing),
      node_count_(node_count),
      node_ports_(node_ports),
      shortest_packet_(params.router.shortest_packet),
      longest_packet_(longest_packet(params.router)),
      message_classes_(sound_classes(routing, params)),
      seed_(params.seed),
      has_ties_(routing.tie_dimensions() != 0 || routing.adaptive()),
      has_choices_(routing.most_choices() > 1) {}

// This is the fast path: nearly every request is sound.
bool PacketMaker::sound(const PacketRequest& request) const {
  const bool multicast = routing_.multicast();
  return (multicast || (index(request.destination) < node_count_ && request.receivers == 1)) &&
         request.receivers != 0 && request.length >= shortest_packet_ &&
         request.length <= longest_packet_ &&
         (request.port == PacketRequest::kAnyPort || request.port < node_ports_) &&
         request.message_class < message_classes_;
}

std::string PacketMaker::problem_of(const PacketRequest& request) const {
  if (index(request.destination) >= node_count_ && !routing_.multicast()) {
    return fmt::format("a packet to node {}; the network has {}", index(request.destination),
                       node_count_);
  }
  if (request.length < shortest_packet_ || request.length > longest_packet_) {
    return fmt::format("a packet of {} flits; the network takes {} to {}", request.length,
                       shortest_packet_, longest_packet_);
  }
  if (request.port != PacketRequest::kAnyPort && request.port >= node_ports_) {
    return fmt::format("a packet by port {}; a node has {}", request.port, node_ports_);
  }
  if (request.message_class >= message_classes_) {
    return fmt::format("a packet of message class {}; the network has {}", request.message_class,
                       message_classes_);
  }
  if (request.receivers == 0 || (request.receivers > 1 && !routing_.multicast())) {
    return fmt::format("a packet for {} receivers; routers that do not multicast take it to one",
                       request.receivers);
  }
  return "";
}

Packet requested_packet(NodeId source, std::uint32_t serial, const PacketRequest& request,
                        Cycle now) {
  Packet packet;
  packet.id = PacketId{std::uint64_t{index(source)} << 32 | serial};
  packet.source = source;
  packet.destination = request.destination;
  packet.length = request.length;
  packet.receivers = request.receivers;
  packet.created = now;
  packet.tag = request.tag;
  packet.payload = request.payload;
  packet.message_class = request.message_class;
  packet.continues = request.continues;
  packet.ties = request.ties.value_or(0);
  packet.route_field = request.route_field.value_or(0);
  return packet;
}

Packet PacketMaker::make(NodeId source, std::uint32_t serial, const PacketRequest& request,
                         Cycle now) const {
  if (!sound(request)) throw InvariantError("a source sends " + problem_of(request));
  Packet packet = requested_packet(source, serial, request, now);
  if (has_ties_ || has_choices_) draw_missing(packet, request);
  return packet;
}

void PacketMaker::draw_missing(Packet& packet, const PacketRequest& request) const {
  Random random = Random::stream(seed_, ~index(packet.id));
  const std::uint64_t coins = random.next();
  if (has_ties_ && !request.ties) packet.ties = static_cast<std::uint8_t>(coins >> 56);
  if (!has_choices_ || request.route_field) return;
  const auto number =
      static_cast<std::uint32_t>(random.below(routing_.choices(packet.source, packet.destination)));
  packet.route_field = routing_.choice(packet.source, packet.destination, number);
}

}  // namespace flitcast
