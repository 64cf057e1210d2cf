// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/partition.h"

#include <algorithm>
#include <utility>

#include "base/sequences.h"
#include "router/invariant.h"

namespace flitcast {

namespace {

// True if any two classes share VCs; two classes have either the same VCs or none in common.
bool share_vcs(const Routing& routing) {
  VcSet taken = 0;
  for (std::size_t c = 0; c < routing.message_classes(); ++c) {
    if ((routing.class_vcs(c) & taken) != 0) return true;
    taken |= routing.class_vcs(c);
  }
  return false;
}

std::vector<bool> replies_among(std::size_t classes, const std::vector<MessageClass>& params) {
  std::vector<bool> replies(classes, false);
  for (const MessageClass& one : params) {
    if (one.reply) replies[*one.reply] = true;
  }
  return replies;
}

}  // namespace

Partition::Partition(unsigned number, PartitionContext& context, RouterId first_router,
                     std::size_t router_count, std::vector<NodeId> nodes, Probe* probe)
    : context_(context),
      first_router_(first_router),
      routers_(router_count),
      awake_routers_((router_count + 63) / 64, 0),
      native_routers_(awake_routers_.size(), ~std::uint64_t{0}),
      number_(number),
      probe_(probe),
      depth_(context.params.router.buffer_depth),
      ring_(ring_slots(context.params.router)),
      row_mask_(context.rows - 1),
      node_ports_(context.node_ports),
      message_classes_(context.message_classes),
      class_turns_(context.message_classes, context.params.message_classes),
      is_reply_(replies_among(context.message_classes, context.params.message_classes)),
      shares_vcs_(share_vcs(context.routing)),
      restricted_(context.params.admission != nullptr || shares_vcs_ ||
                  context.params.router.options.vc_reuse == VcReuse::kTailCredit),
      nodes_apart_(context.params.router.options.input_speedup > 1),
      packet_maker_(context.node_count, context.node_ports, context.routing, context.params),
      node_ids_(std::move(nodes)),
      serials_(node_ids_.size(), 0),
      interfaces_(node_ids_.size() * node_ports_),
      node_rows_(2 * interfaces_.size() * context.rows, 0),
      sinks_(interfaces_.size() * context.rows),
      node_outputs_(interfaces_.size() * context.params.router.virtual_channels),
      node_vcs_(node_outputs_.size()),
      queues_(interfaces_.size() * context.message_classes),
      awake_interfaces_((interfaces_.size() + 63) / 64, 0),
      calendar_(node_ids_.size()),
      packets_(number),
      routes_(context.routing, first_router, router_count,
              node_ports_ == 1 ? context.node_count : 0) {
  for (unsigned writer = 0; writer < context.partition_count; ++writer) {
    router_wakes_.emplace_back(router_count, context.rows);
    node_wakes_.emplace_back(interfaces_.size(), context.rows);
  }
  for (auto& returned : returned_) returned.resize(context.partition_count);
  for (std::size_t i = 0; i < interfaces_.size(); ++i) init_interface(i);
  if (context.params.reply_queue == 0) return;
  for (std::uint32_t n = 0; n < node_ids_.size(); ++n) {
    bound_ejection(n, context.params.reply_queue, true);
  }
}

// Counters are not reset.
void Partition::init_interface(std::size_t number) {
  const unsigned virtual_channels = context_.params.router.virtual_channels;
  NodeInterface& node = interfaces_[number];
  node.arrivals = node_rows_.data() + 2 * number * context_.rows;
  node.credits = node.arrivals + context_.rows;
  node.sink = sinks_.data() + number * context_.rows;
  node.outputs = node_outputs_.data() + number * virtual_channels;
  node.vcs = node_vcs_.data() + number * virtual_channels;
  node.credited = vc_range(0, virtual_channels);
  node.last_class = {};
  node.queues = queues_.data() + number * message_classes_;
  for (std::size_t c = 0; c < message_classes_; ++c) {
    node.queues[c] = {};
    node.queues[c].vcs = context_.routing.class_vcs(c) & vc_range(0, virtual_channels);
    // The first packet takes the first VC of its class.
    node.queues[c].vc = kMaxVirtualChannels - 1;
  }
  for (unsigned vc = 0; vc < virtual_channels; ++vc) {
    node.vcs[vc] = {};
    node.outputs[vc] = {};
    node.outputs[vc].credits = static_cast<std::uint16_t>(depth_);
  }
}

Partition::~Partition() = default;

void Partition::detach(RouterId router) {
  const unsigned offset = router_offset(router);
  routers_[offset]->external = true;
  native_routers_[offset / 64] &= ~(std::uint64_t{1} << (offset % 64));
}

void Partition::start() {
  for (std::uint32_t n = 0; n < node_ids_.size(); ++n) {
    calendar_.schedule(n, context_.source.first(node_ids_[n]));
  }
}

void Partition::tick(Cycle now, std::uint32_t cycles) {
  drain_returned();
  for (std::uint32_t done = 0; done < cycles; done += context_.stride) {
    visit_all(now + done, std::min(context_.stride, cycles - done));
  }
}

// First all cycles of each router, then, cycle by cycle, the creation of packets and the nodes.
void Partition::visit_all(Cycle now, std::uint32_t cycles) {
  tick_routers(now, cycles);
  for (std::uint32_t c = 0; c < cycles; ++c) {
    create_packets(now + c);
    if (context_.params.unit() == BufferUnit::kPacket) {
      tick_nodes<true>(now + c);
    } else {
      tick_nodes<false>(now + c);
    }
  }
  if (context_.params.admission) end_admissions();
}

void Partition::create_packets(Cycle now) {
  calendar_.take_due(now, [&](std::uint32_t local) {
    requests_.clear();
    const Cycle again = context_.source.create(node_ids_[local], now, requests_);
    for (const PacketRequest& request : requests_) submit(local, request, now);
    if (again <= now) throw InvariantError("a source asked to be called again in the past");
    calendar_.schedule(local, again);
  });
}

void Partition::wake(std::uint32_t local, Cycle cycle) { calendar_.bring_forward(local, cycle); }

PacketId Partition::submit(std::uint32_t local, const PacketRequest& request, Cycle now) {
  const Packet packet = packet_maker_.make(node_ids_[local], serials_[local], request, now);
  const std::size_t turn = serials_[local]++ % node_ports_;
  const std::size_t port = request.port == PacketRequest::kAnyPort ? turn : request.port;
  const std::size_t number = local * node_ports_ + port;
  NodeInterface& node = interfaces_[number];
  SourceQueue& queue = node.queues[request.message_class];
  const PacketSlot slot = packets_.add(packet);
  packets_.append(queue.front, queue.back, slot);
  node.flits_created += request.length;
  ++totals_.packets_created;
  totals_.receivers += request.receivers;
  totals_.flits_created += request.length;
  awake_interfaces_[number / 64] |= std::uint64_t{1} << (number % 64);
  return packets_.packet(slot).id;
}

// With an admission there is one partition, in which node n has local index n.
void Partition::end_admissions() {
  ask_again_.clear();
  context_.params.admission->end_cycle(ask_again_);
  for (const NodeId node : ask_again_) {
    for (std::size_t port = 0; port < node_ports_; ++port) {
      const std::size_t number = index(node) * node_ports_ + port;
      awake_interfaces_[number / 64] |= std::uint64_t{1} << (number % 64);
    }
  }
}

void Partition::complete(std::size_t number, const NodeVc& vc, Cycle now) {
  PacketStore& store = context_.peers[PacketStore::partition_of(vc.arriving)]->packets_;
  const Delivery delivery{store.packet(vc.arriving), node_at(number),
                          static_cast<std::uint16_t>(number % node_ports_), now, vc.hops};
  ++totals_.packets_delivered;
  if (probe_ != nullptr) probe_->delivered(delivery);
  if (context_.keep_deliveries) deliveries_.push_back(delivery);
  if (context_.params.admission) context_.params.admission->arrived(delivery);
  retire(vc.arriving, 1);
}

// Counts arrivals of a packet, or arrivals that will not take place, at the partition that owns the
// packet: in the next window if that is another partition.
void Partition::retire(PacketSlot slot, std::uint32_t receivers) {
  const unsigned owner = PacketStore::partition_of(slot);
  if (owner == number_) {
    for (std::uint32_t r = 0; r < receivers; ++r) packets_.arrived(slot);
  } else {
    std::vector<PacketSlot>& returned = returned_[window_parity_][owner];
    returned.insert(returned.end(), receivers, slot);
  }
}

// Both tails are in this partition, so no other partition accesses these records in this cycle.
void Partition::combine(PacketSlot into, PacketSlot part) {
  const auto packet = [this](PacketSlot slot) -> Packet& {
    return context_.peers[PacketStore::partition_of(slot)]->packets_.packet(slot);
  };
  packet(into).payload = context_.params.combine(packet(into).payload, packet(part).payload);
  const std::uint32_t receivers = packet(part).receivers;
  totals_.receivers_combined += receivers;
  retire(part, receivers);
}

Cycle Partition::next_event(Cycle now) const {
  const auto asleep = [](const std::vector<std::uint64_t>& awake) {
    return all_of(awake, [](std::uint64_t word) { return word == 0; });
  };
  const auto empty = [](const auto& lists) {
    return all_of(lists, [](const auto& list) { return list.empty(); });
  };
  const bool quiet = asleep(awake_routers_) && asleep(awake_interfaces_) && empty(router_wakes_) &&
                     empty(node_wakes_) && empty(returned_[0]) && empty(returned_[1]);
  return quiet ? calendar_.next_due(now) : now;
}

// The peers filled these lists in the previous window and fill those of the other parity in this
// one.
void Partition::drain_returned() {
  const std::size_t previous = std::exchange(window_parity_, window_parity_ ^ 1);
  for (Partition* peer : context_.peers) {
    if (peer == this) continue;
    std::vector<PacketSlot>& returned = peer->returned_[previous][number_];
    for (const PacketSlot slot : returned) packets_.arrived(slot);
    returned.clear();
  }
}

std::vector<PacketSlot> Partition::pending_returns() const {
  std::vector<PacketSlot> pending;
  for (const auto& by_owner : returned_) {
    for (const std::vector<PacketSlot>& records : by_owner) {
      pending.insert(pending.end(), records.begin(), records.end());
    }
  }
  return pending;
}

}  // namespace flitcast
