// SPDX-License-Identifier: Apache-2.0
// How a fabric connects its routers and nodes; the rest of Fabric is in fabric.cpp.
#include <algorithm>
#include <limits>

#include "network/fabric/fabric.h"

namespace flitcast {

void Fabric::build_links() {
  for (const Channel& channel : topology_.channels()) connect_channel(channel);
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    for (std::size_t port = 0; port < topology_.node_ports(); ++port) connect_node(NodeId{n}, port);
  }
}

WheelOutput Fabric::end_at(const Receiver& receiver, std::uint32_t latency) const {
  WheelOutput end;
  end.word = receiver.words + receiver.first_bit / 64 * context_.rows;
  end.first_bit = static_cast<std::uint8_t>(receiver.first_bit % 64);
  end.wake_by(receiver.wakes->word_of(receiver.member), receiver.member % 64);
  end.latency = latency;
  return end;
}

// Whether nobody can tell when a credit comes back to a sender that has others: senders ask for one
// at a time, and nobody looks at the network between two cycles.
bool Fabric::only_the_last_credit_matters() const {
  const RouterParams& router = params_.router;
  return !params_.lockstep && !params_.keeps_packets() && !router.whole_packet_credit &&
         !router.adaptive && router.options.vc_reuse == VcReuse::kTail;
}

CreditReturn Fabric::credit_end_at(const Receiver& sender, OutputVc* vcs, std::uint32_t flight,
                                   bool beside) const {
  const std::uint32_t latency = params_.credit_latency + 1;
  CreditReturn credits{end_at(sender, latency), 0, vcs};
  const std::uint32_t away = flight + latency;
  if (beside && away < params_.router.buffer_depth && only_the_last_credit_matters()) {
    constexpr std::uint32_t kMost = std::numeric_limits<decltype(credits.spare_below)>::max();
    credits.spare_below =
        static_cast<std::uint8_t>(std::min(params_.router.buffer_depth - away, kMost));
  }
  return credits;
}

OutputVc* Fabric::vcs_of(Endpoint output) {
  const RouterState& state = *router_node(output.router).state;
  return &state.outputs[state.vc_index(index(output.port), 0)];
}

Fabric::Receiver Fabric::receiver_at(Endpoint port, Rows rows, unsigned writer) {
  const RouterNode& node = router_node(port.router);
  std::ptrdiff_t copy = 0;
  if (!writers_.empty()) {
    const std::vector<std::uint32_t>& writers = writers_[index(port.router)];
    copy = std::find(writers.begin(), writers.end(), writer) - writers.begin();
  }
  std::uint64_t* const first = rows == Rows::kArrivals ? node.arrivals : node.credits;
  Partition& partition = partition_of(port.router);
  return {first + copy * node.words * context_.rows, node.state->vc_index(index(port.port), 0),
          &partition.router_wakes(writer), partition.router_offset(port.router)};
}

Fabric::Receiver Fabric::receiver_at(NodeId node, std::size_t port, Rows rows, unsigned writer) {
  const NodeInterface& interface = node_interface(node, port);
  return {rows == Rows::kArrivals ? interface.arrivals : interface.credits, 0,
          &partition_of(node).node_wakes(writer), place_of(node, port)};
}

// Whoever sends flits to a router gets credits from it, and the other way round.
void Fabric::find_writers() {
  if (context_.partition_count == 1) return;
  writers_.resize(topology_.router_count());
  const auto add = [this](RouterId router, std::uint32_t partition) {
    std::vector<std::uint32_t>& writers = writers_[index(router)];
    if (std::find(writers.begin(), writers.end(), partition) == writers.end()) {
      writers.push_back(partition);
    }
  };
  for (const Channel& channel : topology_.channels()) {
    add(channel.to.router, router_partitions_[index(channel.from.router)]);
    add(channel.from.router, router_partitions_[index(channel.to.router)]);
  }
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    const Attachment& attachment = topology_.attachment(NodeId{n});
    const std::uint32_t home = router_partitions_[index(attachment.injection.router)];
    add(attachment.injection.router, home);
    add(attachment.ejection.router, home);
  }
}

// Store-and-forward cores take what lands in a cycle; others find heads in rings.
void Fabric::aim(FlitOutput& end, const RouterNode& to, unsigned input_port) const {
  end.end.flit_per_row = to.landing != nullptr;
  end.ring = end.end.flit_per_row
                 ? to.landing + input_port * context_.rows
                 : to.state->packets + to.state->vc_index(input_port, 0) * to.state->ring;
}

void Fabric::connect_channel(const Channel& channel) {
  RouterNode& to = router_node(channel.to.router);
  const unsigned sender = router_partitions_[index(channel.from.router)];
  const unsigned receiver = router_partitions_[index(channel.to.router)];
  const OutputChannel link = channel_behind(channel, params_);

  FlitOutput& flits = router_node(channel.from.router).outputs[index(channel.from.port)];
  flits.end = end_at(receiver_at(channel.to, Rows::kArrivals, sender),
                     params_.router.pipeline.departure() + link.latency);
  aim(flits, to, index(channel.to.port));
  to.inputs[index(channel.to.port)] =
      credit_end_at(receiver_at(channel.from, Rows::kCredits, receiver), vcs_of(channel.from),
                    flits.end.latency, sender == receiver);
  partition_of(channel.from.router).connect_output(channel.from.router, channel.from.port, link);
}

void Fabric::connect_node(NodeId node, std::size_t port) {
  const Attachment& attachment = topology_.attachment(node, port);
  const unsigned home = node_places_[index(node)].partition;
  const unsigned ejecting = router_partitions_[index(attachment.ejection.router)];
  NodeInterface& interface = partition_of(node).interface(place_of(node, port));
  RouterNode& first = router_node(attachment.injection.router);
  RouterNode& last = router_node(attachment.ejection.router);

  interface.injection.end =
      end_at(receiver_at(attachment.injection, Rows::kArrivals, home), kInjectionLatency);
  aim(interface.injection, first, index(attachment.injection.port));
  first.inputs[index(attachment.injection.port)] = credit_end_at(
      receiver_at(node, port, Rows::kCredits, home), interface.outputs, kInjectionLatency, true);

  FlitOutput& ejection = last.outputs[index(attachment.ejection.port)];
  ejection.ring = interface.sink;
  ejection.end = end_at(receiver_at(node, port, Rows::kArrivals, ejecting),
                        params_.router.pipeline.departure() + kNodeLinkLatency);
  ejection.end.flit_per_row = true;
  interface.ejection_credit =
      credit_end_at(receiver_at(attachment.ejection, Rows::kCredits, home),
                    vcs_of(attachment.ejection), ejection.end.latency, home == ejecting);
  partition_of(attachment.ejection.router)
      .connect_output(attachment.ejection.router, attachment.ejection.port,
                      channel_to_node(params_));
  if (!params_.stored_injection) {
    partition_of(attachment.injection.router)
        .connect_node_input(attachment.injection.router, attachment.injection.port);
  }
  if (port == 1) {
    const Endpoint main = topology_.attachment(node).ejection;
    last.further_ports[index(main.port)] = index(attachment.ejection.port);
  }
}

}  // namespace flitcast
