// SPDX-License-Identifier: Apache-2.0
#include "tlm/exchange.h"

#include <set>
#include <string>
#include <utility>

#include "network/fabric/terminal.h"
#include "tlm/extensions.h"

namespace flitcast::tlm {

Exchange::Exchange(const sc_core::sc_module_name& module_name, Fabric& fabric,
                   const PacketFormat& format, Placement placement,
                   std::function<Burst&(std::uint64_t)> find, Arrival request_arrived,
                   Arrival response_arrived)
    : sc_module(module_name),
      fabric_(fabric),
      format_(format),
      placement_(std::move(placement)),
      find_(std::move(find)),
      request_arrived_(std::move(request_arrived)),
      response_arrived_(std::move(response_arrived)),
      clock_("clock", sc_core::sc_time(kClockPeriodNs, sc_core::SC_NS), [this] { return busy(); }),
      to_rest_(fabric.longest_standstill()) {
  SC_HAS_PROCESS(Exchange);
  SC_METHOD(flush);
  sensitive << sent_;
  dont_initialize();
  fabric_.clk_i(clock_.signal());
  std::set<NodeId> nodes(placement_.initiators.begin(), placement_.initiators.end());
  nodes.insert(placement_.targets.begin(), placement_.targets.end());
  for (const NodeId node : nodes) {
    fabric_.terminal(node).listen();
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&fabric_.terminal(node).delivery_event());
    sc_core::sc_spawn([this, node] { receive(node); },
                      ("receive_" + std::to_string(index(node))).c_str(), &options);
  }
}

void Exchange::send_request(Burst& burst) {
  burst.enter(Burst::Stage::kToTarget);
  PacketRequest packet;
  packet.destination = placement_.targets[burst.target];
  packet.length = format_.request_flits(*burst.payload);
  packet.message_class = kRequests;
  send(placement_.initiators[burst.transaction->initiator], packet, burst);
}

void Exchange::send_response(Burst& burst) {
  burst.enter(Burst::Stage::kToInitiator);
  PacketRequest packet;
  packet.destination = placement_.initiators[burst.transaction->initiator];
  packet.length = format_.response_flits(*burst.payload);
  packet.message_class = kResponses;
  send(placement_.targets[burst.target], packet, burst);
}

void Exchange::send(NodeId from, PacketRequest packet, const Burst& burst) {
  packet.tag = burst.number;
  outbox_.push_back({from, packet});
  sent_.notify(sc_core::SC_ZERO_TIME);
  ++packets_;
  clock_.wake();
}

// The clock's edge at this time, if any, is a delta cycle old, so the fabric has run its cycle.
void Exchange::flush() {
  for (const Outgoing& outgoing : outbox_) fabric_.terminal(outgoing.from).send(outgoing.packet);
  outbox_.clear();
}

// The last credits return before the clock stops.
bool Exchange::busy() const { return packets_ != 0 || fabric_.now() - last_arrival_ <= to_rest_; }

void Exchange::receive(NodeId node) {
  for (const Delivery& delivery : fabric_.terminal(node).take_deliveries()) {
    --packets_;
    last_arrival_ = delivery.arrival;
    Burst& burst = find_(delivery.packet.tag);
    if (auto* journey = burst.payload->get_extension<Journey>()) journey->hops += delivery.hops;
    if (delivery.packet.message_class == kRequests) {
      request_arrived_(burst);
    } else {
      response_arrived_(burst);
    }
  }
}

}  // namespace flitcast::tlm
