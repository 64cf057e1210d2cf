// SPDX-License-Identifier: Apache-2.0
#include "tlm/exchange.h"

#include <utility>

#include "network/pins/process.h"
#include "router/invariant.h"
#include "tlm/extensions.h"

namespace flitcast::tlm {

Exchange::Exchange(const sc_core::sc_module_name& module_name, Fabric& fabric, Ledger& ledger,
                   const sc_time& period, const PacketFormat& format, Placement placement,
                   Arrival arrived)
    : sc_module(module_name),
      fabric_(fabric),
      ledger_(ledger),
      format_(format),
      placement_(std::move(placement)),
      arrived_at_(std::move(arrived)),
      period_(period),
      estimate_(fabric.topology(), fabric.params()),
      to_rest_(fabric.longest_standstill()) {
  SC_HAS_PROCESS(Exchange);
  SC_METHOD(run_due);
  sensitive << due_;
  dont_initialize();
  SC_METHOD(flush);
  sensitive << sent_;
  dont_initialize();
}

Exchange::Outgoing Exchange::packet_of(std::size_t initiator, std::size_t target,
                                       const Payload& payload, std::uint8_t message_class) const {
  const NodeId ends[] = {placement_.initiators[initiator], placement_.targets[target]};
  const bool back = message_class == kResponses;
  PacketRequest packet{ends[back ? 0 : 1],
                       back ? format_.response_flits(payload) : format_.request_flits(payload)};
  packet.message_class = message_class;
  return {ends[back ? 1 : 0], packet};
}

// A packet is created in the cycle after it is sent.
sc_time Exchange::estimate(std::size_t initiator, std::size_t target, const Payload& payload,
                           std::uint8_t message_class, const sc_time& delay) {
  const Outgoing sent = packet_of(initiator, target, payload, message_class);
  const double now = (sc_core::sc_time_stamp() + delay) / period_;
  return (1 + estimate_.latency(sent.from, sent.packet.destination, sent.packet.length, now)) *
         period_;
}

sc_time Exchange::least_time(std::size_t initiator, std::size_t target,
                             ::tlm::tlm_command command) {
  Payload access;
  access.set_command(command);
  access.set_data_length(format_.flit_bytes);
  std::uint64_t cycles = 0;
  for (const std::uint8_t message_class : {kRequests, kResponses}) {
    const auto [from, packet] = packet_of(initiator, target, access, message_class);
    cycles += 1 + estimate_.times().least(from, packet.destination, packet.length);
  }
  return static_cast<double>(cycles) * period_;
}

void Exchange::send(Burst& burst, std::uint8_t message_class) {
  burst.enter(message_class == kRequests ? Burst::Stage::kToTarget : Burst::Stage::kToInitiator);
  outbox_.push_back(
      packet_of(burst.transaction->initiator, burst.target, *burst.payload, message_class));
  outbox_.back().packet.tag = burst.number;
  sent_.notify(SC_ZERO_TIME);
}

// The packets are created in the first cycle that begins after the present time.
void Exchange::flush() {
  run_before(cycles_in(sc_core::sc_time_stamp()) + 1);
  sending_.swap(outbox_);
  for (const Outgoing& one : sending_) {
    const auto create = [&] { fabric_.submit(one.from, one.packet); };
    if (!pins::do_reporting("tlm/invariant", *this, next_, create)) continue;
    expected_.push(next_ +
                   estimate_.times().least(one.from, one.packet.destination, one.packet.length));
    ++packets_;
  }
  sending_.clear();
  schedule();
}

NetworkCounts Exchange::counts() {
  catch_up();
  NetworkCounts counts = counts_of(fabric_, fabric_.topology());
  counts.cycles = next_;  // Includes cycles at rest.
  counts.packets = arrived_;
  counts.hops = hops_;
  return counts;
}

// Cycles at rest are not run; they do not count in Fabric::now().
void Exchange::run_before(std::uint64_t cycle) {
  if (cycle <= next_) return;
  std::uint64_t cycles = cycle - next_;
  if (packets_ == 0) cycles = std::min(cycles, std::max(rest_, fabric_.now()) - fabric_.now());
  next_ = cycle;
  while (!expected_.empty() && expected_.top() < next_) expected_.pop();
  fabric_.advance(cycles, [this](const Delivery& delivery) { receive(delivery); });
}

void Exchange::run_due() {
  run_before(cycles_in(sc_core::sc_time_stamp()) + 1);
  schedule();
}

void Exchange::schedule() {
  if (packets_ == 0 || fabric_.failed()) return;
  const std::uint64_t cycle = packets_ > expected_.size() ? next_ : expected_.top();
  due_.notify(sc_time::from_value(cycle * period_.value()) - sc_core::sc_time_stamp());
}

void Exchange::receive(const Delivery& delivery) {
  if (delivery.arrival + 1 != fabric_.now()) throw InvariantError("a packet was too early");
  --packets_;
  ++arrived_;
  hops_ += delivery.hops;
  rest_ = delivery.arrival + to_rest_ + 1;
  Burst& burst = ledger_.burst(delivery.packet.tag);
  if (auto* journey = burst.payload->get_extension<Journey>()) journey->hops += delivery.hops;
  arrived_at_(burst);
}

}  // namespace flitcast::tlm
