// SPDX-License-Identifier: Apache-2.0
#include "network/flow/flow_network.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/bit_set.h"
#include "base/sequences.h"
#include "network/check/inspection.h"
#include "router/invariant.h"

namespace flitcast {
namespace {

constexpr std::uint64_t kFlit = std::uint64_t{1} << 32;
constexpr std::uint32_t kNoChannel = ~std::uint32_t{0};

std::uint64_t part_of(std::uint64_t amount, std::uint64_t parts) {
  return std::max<std::uint64_t>(amount / parts, 1);
}

std::vector<std::vector<std::uint32_t>> channels_behind(const Topology& topology,
                                                        const ChannelNumbering& numbering) {
  auto behind = mapped(topology.routers(), [&](RouterId router) {
    return std::vector<std::uint32_t>(topology.output_count(router), kNoChannel);
  });
  for (std::uint32_t c = 0; c < numbering.count(); ++c) {
    if (numbering.is_injection(c)) continue;
    const Endpoint output = numbering.begin(c);
    behind[index(output.router)][index(output.port)] = c;
  }
  return behind;
}

}  // namespace

std::string problem_of_flows(const RouterEntry& router, const NetworkParams& params,
                             const Routing* routing) {
  if (!router.can.has_buffers || params.admission) return "packets wait for a central control";
  if (params.unit() == BufferUnit::kPacket)
    return "routers that store packets send them over one channel at a time";
  if (routing == nullptr) return "";
  if (routing->multicast()) return "routers copy or combine packets";
  if (routing->adaptive()) return "adaptive routings choose by the state of buffers";
  if (params.router.options.arbitration != ArbitrationKind::kRoundRobin)
    return "router.arbitration gives packets unequal shares";
  if (any_of(params.message_classes, [](const MessageClass& one) { return one.priority != 0; }))
    return "nodes send classes by their priorities";
  if (params.reply_queue != 0) return "node.reply_queue makes packets wait in the network";
  return "";
}

FlowNetwork::FlowNetwork(const NetworkParts& parts)
    : topology_(parts.topology),
      params_(parts.params),
      routing_(*parts.routing),
      source_(parts.source),
      probe_(parts.probes.empty() ? nullptr : parts.probes.front()),
      numbering_(topology_),
      maker_(topology_.node_count(), topology_.node_ports(), routing_, params_),
      deliveries_(source_, [this](NodeId node, Cycle cycle) { wake(node, cycle); }),
      behind_(channels_behind(topology_, numbering_)),
      nodes_(topology_.node_count()),
      queues_(topology_.attachments().size() * routing_.message_classes()),
      flows_(queues_.size()) {
  channels_.resize(numbering_.count() + queues_.size());
  for (std::size_t c = 0; c < numbering_.count(); ++c) {
    std::uint32_t time = numbering_.is_injection(c) ? 1 : params_.cycles_per_flit;
    if (c < numbering_.links()) time = cycles_per_flit(topology_.channels()[c], params_);
    channels_[c].capacity = part_of(kFlit, time);
  }
  for (const NodeId node : topology_.nodes()) wake(node, source_.first(node));
}

void FlowNetwork::run(std::uint64_t cycles) {
  const Cycle end = now_ + cycles;
  while (idle_cycles() < end - now_) {
    now_ = std::get<Cycle>(events_.top());
    while (!events_.empty() && std::get<Cycle>(events_.top()) == now_) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    admit();
    deliveries_.report();
    share();
  }
  now_ = end;
}

void FlowNetwork::handle(const Event& event) {
  const auto [cycle, kind, number] = event;
  switch (kind) {
    case Kind::kEnd:
      return end(number);
    case Kind::kPoll:
      return poll(number);
    case Kind::kBegin:
      return begin(number);
    case Kind::kArrival:
      return arrive(PacketSlot{number});
  }
}

void FlowNetwork::wake(NodeId node, Cycle cycle) {
  if (cycle >= nodes_[index(node)].due) return;
  nodes_[index(node)].due = cycle;
  events_.emplace(cycle, Kind::kPoll, index(node));
}

// A node that was woken for an earlier cycle has an event too many.
void FlowNetwork::poll(std::uint32_t node) {
  if (nodes_[node].due != now_) return;
  nodes_[node].due = kNever;
  requests_.clear();
  const Cycle again = source_.create(NodeId{node}, now_, requests_);
  for (const PacketRequest& request : requests_) submit(node, request);
  if (again <= now_) throw InvariantError("a source asked to be called again in the past");
  wake(NodeId{node}, again);
}

void FlowNetwork::submit(std::uint32_t node, const PacketRequest& request) {
  Node& sender = nodes_[node];
  const Packet packet = maker_.make(NodeId{node}, sender.serial, request, now_);
  const std::size_t ports = topology_.node_ports();
  const std::size_t port =
      request.port == PacketRequest::kAnyPort ? sender.serial % ports : request.port;
  ++sender.serial;
  const auto queue = static_cast<std::uint32_t>((node * ports + port) * routing_.message_classes() +
                                                request.message_class);
  const bool first = queues_[queue].front == PacketStore::kNone;
  packets_.append(queues_[queue].front, queues_[queue].back, packets_.add(packet));
  sender.created += packet.length;
  ++totals_.packets_created;
  ++totals_.receivers;
  totals_.flits_created += packet.length;
  if (first) bring_to_front(queue);
}

void FlowNetwork::bring_to_front(std::uint32_t queue) {
  const bool continues = packets_.packet(queues_[queue].front).continues;
  events_.emplace(now_ + (continues ? 0 : params_.startup), Kind::kBegin, queue);
}

void FlowNetwork::begin(std::uint32_t queue) {
  packets_.packet(queues_[queue].front).injected = now_;
  find_path(queue);
  beginning_.push_back(queue);
}

void FlowNetwork::enter(std::uint32_t queue) {
  Flow& flow = flows_[queue];
  for (; flow.reached < flow.path.size(); ++flow.reached) {
    Hop& hop = flow.path[flow.reached];
    SharedChannel& channel = channels_[hop.channel];
    const VcSet free = hop.vcs & ~channel.taken;
    if (free == 0) return channel.waiting.push_back(queue);
    hop.vcs = VcSet{1} << index(lowest_vc(free));
    channel.taken |= hop.vcs;
  }
  for (const Hop& hop : flow.path) channels_[hop.channel].flows.push_back(queue);
  flow.left = packets_.packet(queues_[queue].front).length * kFlit;
  flow.rate = 0;
  flow.since = now_;
  changed_.push_back(flow.path.front().channel);
}

void FlowNetwork::admit() {
  // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t at = 0; at < changed_.size(); ++at) {
    for (const std::uint32_t queue : std::exchange(channels_[changed_[at]].waiting, {})) {
      enter(queue);
    }
  }
  for (const std::uint32_t queue : beginning_) enter(queue);
  beginning_.clear();
}

void FlowNetwork::find_path(std::uint32_t queue) {
  const PacketSlot slot = queues_[queue].front;
  const Packet& packet = packets_.packet(slot);
  const std::size_t place = queue / routing_.message_classes();
  const std::size_t ports = topology_.node_ports();
  const auto own = static_cast<std::uint32_t>(numbering_.count() + queue);
  const auto injection =
      static_cast<std::uint32_t>(numbering_.injection(packet.source, place % ports));
  Flow& flow = flows_[queue];
  const VcSet first_vcs = routing_.injection_vcs(packet.source, packet.destination) &
                          routing_.class_vcs(queue % routing_.message_classes());
  flow.reached = 0;
  flow.path = {{own, 1}, {injection, first_vcs}};
  flow.tail = static_cast<std::uint64_t>(interface_cycles(params_)) - 1;
  Progress alone{packet.length - 1, packet.length, flow.ended == now_};
  const Endpoint first = numbering_.end(injection);
  RouteRequest at{first.router,       first.port,  lowest_vc(first_vcs),
                  packet.destination, packet.ties, packet.route_field};
  Route route = routing_.route(at);
  std::uint32_t hops = 1;
  for (;; ++hops, route = routing_.route(at)) {
    const std::uint32_t c = behind_[index(at.router)][index(route.output)];
    if (c >= numbering_.links() || hops > numbering_.links()) break;
    const Channel& channel = topology_.channels()[c];
    const OutputChannel output = channel_behind(channel, params_);
    flow.path.push_back({c, route.vcs});
    flow.tail += hop_cycles(params_) - params_.link_latency + output.latency;
    cross(output, route.vcs, packet.length, alone);
    at = {channel.to.router, channel.to.port, lowest_vc(route.vcs),
          at.destination,    at.ties,         at.route_field};
  }
  cross(channel_to_node(params_), route.vcs, packet.length, alone);
  channels_[own].capacity = part_of(packet.length * kFlit, alone.sending);
  flow.tail += alone.last + params_.cycles_per_flit;
  flow.tail -= std::min(flow.tail, alone.sending);
  // Routings only know the first output to a node; input i leads to port i modulo the ports.
  const std::size_t port = index(at.input) % ports;
  flow.path.push_back(
      {static_cast<std::uint32_t>(numbering_.ejection(packet.destination, port)), route.vcs});
  if (endings_.size() <= index(slot)) endings_.resize(index(slot) + 1);
  endings_[index(slot)] = {static_cast<std::uint16_t>(port), hops};
}

void FlowNetwork::cross(const OutputChannel& channel, VcSet vcs, std::uint64_t flits,
                        Progress& alone) const {
  const std::uint64_t head_waits =
      hop_cycles(params_) - params_.link_latency - params_.router.pipeline.departure();
  const std::uint64_t width = channel.cycles_per_flit;
  const std::uint64_t slots = channel.buffer_depth;
  const std::uint64_t round_trip = credit_round_trip(params_, channel.latency);
  const std::uint64_t first = round_trip + (channel.to_node ? 0 : head_waits);
  std::uint64_t last = (flits - 1) * width;
  if (alone.follows) {
    const std::uint64_t waits = std::min(flits, slots) * (first - round_trip);
    alone.sending = std::max(alone.sending, (flits * round_trip + waits) / (slots * popcount(vcs)));
  }
  if (flits > slots) {
    last = round_trip > slots * width
               ? (flits - 1) / slots * round_trip + first - round_trip + (flits - 1) % slots * width
               : std::max(first, slots * width) + (flits - 1 - slots) * width;
  }
  alone.sending = std::max(alone.sending, last + width);
  alone.last = std::max(alone.last - std::min(alone.last, head_waits), last);
}

// A flow whose rate has changed has an event too many.
void FlowNetwork::end(std::uint32_t queue) {
  Flow& flow = flows_[queue];
  if (flow.end != now_) return;
  flow.ended = std::exchange(flow.end, kNever);
  const PacketSlot slot = queues_[queue].front;
  const std::uint32_t length = packets_.packet(slot).length;
  for (const Hop& hop : flow.path) {
    SharedChannel& channel = channels_[hop.channel];
    channel.flits += length;
    channel.taken &= ~hop.vcs;
    *std::find(channel.flows.begin(), channel.flows.end(), queue) = channel.flows.back();
    channel.flows.pop_back();
    changed_.push_back(hop.channel);
  }
  totals_.flits_injected += length;
  events_.emplace(now_ + flow.tail, Kind::kArrival, index(slot));
  queues_[queue].front = packets_.next(slot);
  if (queues_[queue].front != PacketStore::kNone) bring_to_front(queue);
}

void FlowNetwork::arrive(PacketSlot slot) {
  const Packet& packet = packets_.packet(slot);
  const Ending& ending = endings_[index(slot)];
  const Delivery delivery{packet, packet.destination, ending.port, now_, ending.hops};
  ++totals_.packets_delivered;
  totals_.flits_ejected += packet.length;
  nodes_[index(packet.destination)].ejected += packet.length;
  if (probe_ != nullptr) probe_->delivered(delivery);
  deliveries_.add(delivery);
  packets_.arrived(slot);
}

// Channels offer equal parts of what they have left, the least part first. While flows take it, the
// offers of other channels rise: such an offer is made again.
void FlowNetwork::share() {
  gather();
  while (!offers_.empty()) {
    const auto [least, c] = offers_.top();
    offers_.pop();
    SharedChannel& channel = channels_[c];
    if (channel.open == 0) continue;
    const std::uint64_t offer = part_of(channel.left, channel.open);
    if (offer > least) {
      offers_.emplace(offer, c);
      continue;
    }
    for (const std::uint32_t flow : channel.flows) {
      if (flows_[flow].rate == 0) give(flow, offer);
    }
  }
}

// Finds the channels and flows that depend on the changed channels, and what the flows have sent.
void FlowNetwork::gather() {
  ++round_;
  sharing_.swap(changed_);
  changed_.clear();
  for (std::size_t at = 0; at < sharing_.size(); ++at) {
    const std::uint32_t c = sharing_[at];
    SharedChannel& channel = channels_[c];
    if (std::exchange(channel.seen, round_) == round_ || channel.flows.empty()) continue;
    channel.left = channel.capacity;
    channel.open = channel.flows.size();
    offers_.emplace(part_of(channel.left, channel.open), c);
    for (const std::uint32_t number : channel.flows) {
      Flow& flow = flows_[number];
      if (std::exchange(flow.seen, round_) == round_) continue;
      flow.left -= std::min(flow.left, std::exchange(flow.rate, 0) * (now_ - flow.since));
      flow.since = now_;
      for (const Hop& hop : flow.path) sharing_.push_back(hop.channel);
    }
  }
}

void FlowNetwork::give(std::uint32_t number, std::uint64_t rate) {
  Flow& flow = flows_[number];
  flow.rate = rate;
  for (const Hop& hop : flow.path) {
    SharedChannel& channel = channels_[hop.channel];
    channel.left -= std::min(channel.left, rate);
    --channel.open;
  }
  const std::uint64_t cycles = (flow.left + rate / 2) / rate;
  const Cycle end = now_ + std::max<std::uint64_t>(cycles, 1);
  if (std::exchange(flow.end, end) != end) events_.emplace(end, Kind::kEnd, number);
}

std::uint64_t FlowNetwork::flits_from(Endpoint output) const {
  const std::uint32_t c = behind_[index(output.router)][index(output.port)];
  return c == kNoChannel ? 0 : channels_[c].flits;
}

std::uint64_t FlowNetwork::flits_injected(NodeId node) const {
  return sum_of<std::uint64_t>(NumberRange<std::size_t>(topology_.node_ports()),
                               [&](std::size_t port) { return flits_injected(node, port); });
}

void FlowNetwork::write_figures(nlohmann::ordered_json& result) const {
  result["cost"]["crosspoints"] = crosspoints(topology_);
}

std::uint32_t FlowNetwork::holder_before(const Flow& waiting) const {
  const Hop& wanted = waiting.path[waiting.reached];
  const auto holds = [&](const Flow& flow) {
    if (flow.reached == flow.path.size()) return false;
    const auto reached = flow.path.begin() + static_cast<std::ptrdiff_t>(flow.reached);
    return std::any_of(flow.path.begin(), reached, [&](const Hop& hop) {
      return hop.channel == wanted.channel && (hop.vcs & wanted.vcs) != 0;
    });
  };
  return static_cast<std::uint32_t>(std::find_if(flows_.begin(), flows_.end(), holds) -
                                    flows_.begin());
}

// Without an event to come, every flow waits, and so does every holder.
std::vector<BlockedVc> FlowNetwork::find_deadlock() const {
  if (!events_.empty() || packets_.due() == 0) return {};
  std::vector<std::uint32_t> waits;
  auto next = std::find_if(channels_.begin(), channels_.end(), [](const SharedChannel& channel) {
                return !channel.waiting.empty();
              })->waiting.front();
  for (; !contains(waits, next); next = holder_before(flows_[next])) waits.push_back(next);
  waits.erase(waits.begin(), std::find(waits.begin(), waits.end(), next));
  return mapped(waits, [this](std::uint32_t queue) -> BlockedVc {
    const Hop& held = flows_[queue].path[flows_[queue].reached - 1];
    const Endpoint at = numbering_.end(held.channel);
    const Packet& packet = packets_.packet(queues_[queue].front);
    return {at.router, at.port, lowest_vc(held.vcs), packet.id, packet.destination};
  });
}

void FlowNetwork::audit() const {
  if (totals_.receivers != totals_.packets_delivered + packets_.due()) {
    throw InvariantError("a packet of a flow network is lost");
  }
  for (const SharedChannel& channel : channels_) {
    const std::uint64_t taken =
        sum_of<std::uint64_t>(channel.flows, [&](std::uint32_t flow) { return flows_[flow].rate; });
    if (taken > channel.capacity + channel.flows.size()) {
      throw InvariantError("flows take more of a channel than there is");
    }
  }
}

}  // namespace flitcast
