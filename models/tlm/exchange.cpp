// SPDX-License-Identifier: Apache-2.0
#include "tlm/exchange.h"

#include <set>
#include <string>
#include <utility>

#include "network/fabric/terminal.h"
#include "tlm/extensions.h"

namespace flitcast::tlm {

Exchange::Exchange(const sc_core::sc_module_name& module_name, Fabric& fabric, Ledger& ledger,
                   const PacketFormat& format, Placement placement, Arrival request_arrived,
                   Arrival response_arrived)
    : sc_module(module_name),
      fabric_(fabric),
      ledger_(ledger),
      format_(format),
      placement_(std::move(placement)),
      request_arrived_(std::move(request_arrived)),
      response_arrived_(std::move(response_arrived)),
      to_rest_(fabric.longest_standstill()) {
  SC_HAS_PROCESS(Exchange);
  SC_METHOD(drive_clock);
  sensitive << edge_;
  dont_initialize();
  SC_METHOD(flush);
  sensitive << sent_;
  dont_initialize();
  fabric_.clk_i(clock_);
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
  PacketRequest packet{placement_.targets[burst.target], format_.request_flits(*burst.payload)};
  packet.message_class = kRequests;
  send(placement_.initiators[burst.transaction->initiator], packet, burst);
}

void Exchange::send_response(Burst& burst) {
  burst.enter(Burst::Stage::kToInitiator);
  PacketRequest packet{placement_.initiators[burst.transaction->initiator],
                       format_.response_flits(*burst.payload)};
  packet.message_class = kResponses;
  send(placement_.targets[burst.target], packet, burst);
}

void Exchange::send(NodeId from, PacketRequest packet, const Burst& burst) {
  packet.tag = burst.number;
  outbox_.push_back({from, packet});
  sent_.notify(SC_ZERO_TIME);
  ++packets_;
  wake_clock();
}

// The clock's edge at this time, if any, is a delta cycle old, so the fabric has run its cycle.
void Exchange::flush() {
  for (const Outgoing& outgoing : outbox_) fabric_.terminal(outgoing.from).send(outgoing.packet);
  outbox_.clear();
}

void Exchange::wake_clock() {
  if (clock_runs_) return;
  clock_runs_ = true;
  const sc_time period(kClockPeriodNs, sc_core::SC_NS);
  edge_.notify(period - sc_core::sc_time_stamp() % period);
}

void Exchange::drive_clock() {
  const sc_time period(kClockPeriodNs, sc_core::SC_NS);
  const bool rises = !clock_.read();
  clock_.write(rises);
  if (rises) {
    edge_.notify(period / 2);
  } else if (busy()) {
    edge_.notify(period - period / 2);
  } else {
    clock_runs_ = false;
  }
}

// The last credits return before the clock stops.
bool Exchange::busy() const { return packets_ != 0 || fabric_.now() - last_arrival_ <= to_rest_; }

void Exchange::receive(NodeId node) {
  for (const Delivery& delivery : fabric_.terminal(node).take_deliveries()) {
    --packets_;
    last_arrival_ = delivery.arrival;
    Burst& burst = ledger_.burst(delivery.packet.tag);
    if (auto* journey = burst.payload->get_extension<Journey>()) journey->hops += delivery.hops;
    if (delivery.packet.message_class == kRequests) {
      request_arrived_(burst);
    } else {
      response_arrived_(burst);
    }
  }
}

}  // namespace flitcast::tlm
