// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/partitions.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "network/fabric/fabric_plan.h"

namespace flitcast {

Partitions::Partitions(const Topology& topology, PartitionContext& context,
                       const std::vector<Probe*>& probes)
    : topology_(topology),
      context_(context),
      routers_(FabricPlan::partitions_of(topology, context.params)) {
  const unsigned count = context.partition_count;
  std::vector<std::vector<NodeId>> nodes(count);
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    const std::uint32_t partition =
        routers_[index(topology.attachment(NodeId{n}).injection.router)];
    nodes_.push_back({partition, static_cast<std::uint32_t>(nodes[partition].size())});
    nodes[partition].push_back(NodeId{n});
  }
  find_writers();
  const NetworkParams& params = context.params;
  const PartitionMaker make = params.cores->partitions(core_words(topology, params.router),
                                                       output_mode_of(context.routing));
  std::uint32_t first = 0;
  for (unsigned partition = 0; partition < count; ++partition) {
    const std::vector<RouterShape> shapes = shapes_of(partition, first);
    partitions_.push_back(make(partition, context, RouterId{first}, shapes,
                               std::move(nodes[partition]),
                               probes.empty() ? nullptr : probes[partition]));
    context.peers.push_back(partitions_.back().get());
    first += static_cast<std::uint32_t>(shapes.size());
  }
}

// Removes the last partition first; see Terminals::~Terminals().
Partitions::~Partitions() {
  while (!partitions_.empty()) partitions_.pop_back();
}

std::vector<RouterShape> Partitions::shapes_of(unsigned partition, std::uint32_t first) const {
  std::vector<RouterShape> shapes;
  for (std::uint32_t r = first; r < routers_.size() && routers_[r] == partition; ++r) {
    const std::size_t writers = writers_.empty() ? 1 : std::max<std::size_t>(writers_[r].size(), 1);
    shapes.push_back({static_cast<unsigned>(topology_.input_count(RouterId{r})),
                      static_cast<unsigned>(topology_.output_count(RouterId{r})),
                      static_cast<unsigned>(writers)});
  }
  return shapes;
}

void Partitions::connect() {
  for (const Channel& channel : topology_.channels()) connect_channel(channel);
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    for (std::size_t port = 0; port < topology_.node_ports(); ++port) connect_node(NodeId{n}, port);
  }
}

WheelOutput Partitions::output_to(const Receiver& receiver, std::uint32_t latency) const {
  WheelOutput output;
  output.word = receiver.words + receiver.first_bit / 64 * context_.rows;
  output.first_bit = static_cast<std::uint8_t>(receiver.first_bit % 64);
  output.wake_by(receiver.wakes->word_of(receiver.member), receiver.member % 64);
  output.latency = latency;
  return output;
}

// True if a sender that has other credits cannot observe when one is returned: senders check for a
// single credit, and no module reads the network between two cycles.
bool Partitions::only_the_last_credit_matters() const {
  const RouterParams& router = context_.params.router;
  return !context_.params.lockstep && context_.params.unit() == BufferUnit::kFlit &&
         !router.whole_packet_credit && !router.adaptive &&
         router.options.vc_reuse == VcReuse::kTail;
}

CreditReturn Partitions::credits_to(const Receiver& sender, OutputVc* vcs, std::uint32_t flight,
                                    bool same_partition, const OutputChannel& channel) const {
  const std::uint32_t own = context_.params.credit_latency;
  const std::uint32_t latency = (own != 0 ? own : channel.latency) + 1;
  CreditReturn credits{output_to(sender, latency), 0, vcs};
  const std::uint32_t away = flight + latency;
  if (same_partition && away < channel.buffer_depth && only_the_last_credit_matters()) {
    constexpr std::uint32_t kMost = std::numeric_limits<decltype(credits.spare_below)>::max();
    credits.spare_below = static_cast<std::uint8_t>(std::min(channel.buffer_depth - away, kMost));
  }
  return credits;
}

OutputVc* Partitions::vcs_of(Endpoint output) const {
  const RouterState& state = *router(output.router).state;
  return &state.outputs[state.vc_index(index(output.port), 0)];
}

Partitions::Receiver Partitions::receiver_at(Endpoint port, Rows rows, unsigned writer) const {
  const RouterNode& node = router(port.router);
  std::ptrdiff_t copy = 0;
  if (!writers_.empty()) {
    const std::vector<std::uint32_t>& writers = writers_[index(port.router)];
    copy = std::find(writers.begin(), writers.end(), writer) - writers.begin();
  }
  std::uint64_t* const first = rows == Rows::kArrivals ? node.arrivals : node.credits;
  Partition& partition = of(port.router);
  return {first + copy * node.words * context_.rows, node.state->vc_index(index(port.port), 0),
          &partition.router_wakes(writer), partition.router_offset(port.router)};
}

Partitions::Receiver Partitions::receiver_at(NodeId node, std::size_t port, Rows rows,
                                             unsigned writer) const {
  const NodeInterface& node_port = interface(node, port);
  return {rows == Rows::kArrivals ? node_port.arrivals : node_port.credits, 0,
          &of(node).node_wakes(writer), interface_index(node, port)};
}

// A partition that sends flits to a router also gets credits from it, and vice versa.
void Partitions::find_writers() {
  if (context_.partition_count == 1) return;
  writers_.resize(topology_.router_count());
  const auto add = [this](RouterId router, std::uint32_t partition) {
    std::vector<std::uint32_t>& writers = writers_[index(router)];
    if (!contains(writers, partition)) {
      writers.push_back(partition);
    }
  };
  for (const Channel& channel : topology_.channels()) {
    add(channel.to.router, routers_[index(channel.from.router)]);
    add(channel.from.router, routers_[index(channel.to.router)]);
  }
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    const Attachment& attachment = topology_.attachment(NodeId{n});
    const std::uint32_t home = routers_[index(attachment.injection.router)];
    add(attachment.injection.router, home);
    add(attachment.ejection.router, home);
  }
}

// Store-and-forward cores read the flit that arrives in a cycle; others find heads in rings.
void Partitions::aim(FlitOutput& output, const RouterNode& to, unsigned input_port) const {
  output.end.flit_per_row = to.landing != nullptr;
  output.ring = output.end.flit_per_row
                    ? to.landing + input_port * context_.rows
                    : to.state->packets + to.state->vc_index(input_port, 0) * to.state->ring;
}

void Partitions::connect_channel(const Channel& channel) {
  RouterNode& to = router(channel.to.router);
  const unsigned sender = routers_[index(channel.from.router)];
  const unsigned receiver = routers_[index(channel.to.router)];
  const OutputChannel link = channel_behind(channel, context_.params);

  FlitOutput& flits = router(channel.from.router).outputs[index(channel.from.port)];
  flits.end = output_to(receiver_at(channel.to, Rows::kArrivals, sender),
                        context_.params.router.pipeline.departure() + link.latency);
  aim(flits, to, index(channel.to.port));
  to.inputs[index(channel.to.port)] =
      credits_to(receiver_at(channel.from, Rows::kCredits, receiver), vcs_of(channel.from),
                 flits.end.latency, sender == receiver, link);
  of(channel.from.router).connect_output(channel.from.router, channel.from.port, link);
}

void Partitions::connect_node(NodeId node, std::size_t port) {
  const Attachment& attachment = topology_.attachment(node, port);
  const unsigned home = nodes_[index(node)].partition;
  const unsigned ejecting = routers_[index(attachment.ejection.router)];
  NodeInterface& node_port = interface(node, port);
  RouterNode& first = router(attachment.injection.router);
  RouterNode& last = router(attachment.ejection.router);
  const OutputChannel to_node = channel_to_node(context_.params);

  node_port.injection.end =
      output_to(receiver_at(attachment.injection, Rows::kArrivals, home), kInjectionLatency);
  aim(node_port.injection, first, index(attachment.injection.port));
  first.inputs[index(attachment.injection.port)] =
      credits_to(receiver_at(node, port, Rows::kCredits, home), node_port.outputs,
                 kInjectionLatency, true, to_node);

  FlitOutput& ejection = last.outputs[index(attachment.ejection.port)];
  ejection.ring = node_port.sink;
  ejection.end = output_to(receiver_at(node, port, Rows::kArrivals, ejecting),
                           context_.params.router.pipeline.departure() + kNodeLinkLatency);
  ejection.end.flit_per_row = true;
  node_port.ejection_credit =
      credits_to(receiver_at(attachment.ejection, Rows::kCredits, home),
                 vcs_of(attachment.ejection), ejection.end.latency, home == ejecting, to_node);
  of(attachment.ejection.router)
      .connect_output(attachment.ejection.router, attachment.ejection.port, to_node);
  if (!context_.params.stored_injection) {
    of(attachment.injection.router)
        .connect_node_input(attachment.injection.router, attachment.injection.port);
  }
  if (port == 1) {
    const Endpoint main = topology_.attachment(node).ejection;
    last.further_ports[index(main.port)] = index(attachment.ejection.port);
  }
}

}  // namespace flitcast
