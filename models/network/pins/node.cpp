// SPDX-License-Identifier: Apache-2.0
#include "network/pins/node.h"

#include <string>

#include "network/pins/process.h"
#include "router/bit_mask.h"
#include "router/invariant.h"

namespace flitcast::pins {

Injector::Injector(const sc_core::sc_module_name& name, const Params& params,
                   const PacketMaker& maker, const Routing& routing, PacketLedger& ledger)
    : Clocked(name, Counted::kOutOfReset),
      params_(params),
      maker_(maker),
      routing_(routing),
      ledger_(ledger),
      class_turns_(routing.message_classes(), params.message_classes) {
  if (params.ports == 0 || params.depth == 0 || params.virtual_channels == 0 ||
      params.virtual_channels > kMaxVirtualChannels) {
    report_error("pins/parameters", this->name(),
                 "an injector has a port, a credit and 1 to 32 virtual channels");
  }
  Port port;
  port.credits.assign(params.virtual_channels, params.depth);
  port.credited = vc_range(0, params.virtual_channels);
  for (std::size_t c = 0; c < routing.message_classes(); ++c) {
    SourceQueue queue;
    queue.vcs = routing.class_vcs(c);
    queue.vc = kMaxVirtualChannels - 1;  // The first packet takes the first VC of its class.
    port.queues.push_back(queue);
  }
  ports_.assign(params.ports, port);
  for (unsigned p = 0; p < params.ports; ++p) outs_.emplace_back("out_" + std::to_string(p));
  ledger.attach(params.node, *this);
  due_ = ledger.source().first(params.node);
}

void Injector::reset() {
  if (serial_ != 0) report_error("pins/reset", name(), "reset of a node that has sent packets");
  for (FlitOutput& out : outs_) out.valid_o.write(false);
}

void Injector::tick() {
  const Cycle now{cycle_};
  for (std::size_t port = 0; port < ports_.size(); ++port) take_credit(port);
  if (due_ <= now) create(now);
  for (std::size_t port = 0; port < ports_.size(); ++port) inject(port, now);
}

void Injector::take_credit(std::size_t port) {
  if (!outs_[port].credit_valid_i.read()) return;
  const unsigned vc = outs_[port].credit_vc_i.read();
  const auto at = static_cast<unsigned>(port);
  if (vc >= params_.virtual_channels) broken_invariant("no such virtual channel", at, vc);
  if (ports_[port].credits[vc] == params_.depth) broken_invariant("credit for no flit", at, vc);
  ++ports_[port].credits[vc];
  ports_[port].credited |= VcSet{1} << vc;
}

void Injector::create(Cycle now) {
  requests_.clear();
  due_ = ledger_.source().create(params_.node, now, requests_);
  for (const PacketRequest& request : requests_) enqueue(request, now);
  if (due_ <= now) throw InvariantError("a source asked to be called again in the past");
}

void Injector::enqueue(const PacketRequest& request, Cycle now) {
  const Packet packet = maker_.make(params_.node, serial_, request, now);
  const std::size_t turn = serial_++ % params_.ports;
  Port& port = ports_[request.port == PacketRequest::kAnyPort ? turn : request.port];
  SourceQueue& queue = port.queues[packet.message_class];
  ledger_.packets().append(queue.front, queue.back, ledger_.add(packet));
  port.created += packet.length;
}

// Start-ups of several classes overlap: a start-up does not wait for the turn of its class.
void Injector::inject(std::size_t port, Cycle now) {
  Port& state = ports_[port];
  for (SourceQueue& queue : state.queues) {
    queue.start_up(now, params_.startup, ledger_.packets());
  }
  const bool sent = class_turns_.serve(state.last_class, [&](unsigned c) {
    const bool sends = can_send(state, state.queues[c], now);
    if (sends) send(port, state.queues[c]);
    return sends;
  });
  if (!sent) outs_[port].valid_o.write(false);
}

bool Injector::can_send(const Port& port, SourceQueue& queue, Cycle now) {
  if (queue.remaining == 0)
    return queue.front != PacketStore::kNone && begin_packet(port, queue, now);
  return params_.unit == BufferUnit::kPacket || port.credits[queue.vc] != 0;
}

// After its start-up, the packet at the front of the queue takes, by round robin, the next VC that
// has a credit and in which no packet of another class is leaving.
bool Injector::begin_packet(const Port& port, SourceQueue& queue, Cycle now) {
  if (now < queue.ready) return false;
  Packet& packet = ledger_.packets().packet(queue.front);
  VcSet choices =
      port.credited & queue.vcs & routing_.injection_vcs(packet.source, packet.destination);
  for (const SourceQueue& other : port.queues) {
    if (other.remaining != 0) choices &= ~(VcSet{1} << other.vc);
  }
  if (choices == 0) return false;
  queue.begin(packet, choices, now);
  return true;
}

void Injector::send(std::size_t port, SourceQueue& queue) {
  Port& state = ports_[port];
  const Flit flit = queue.next;
  queue.advance(ledger_.packets());
  const bool pays = params_.unit == BufferUnit::kFlit || flit.head;
  if (pays && --state.credits[queue.vc] == 0) state.credited &= ~(VcSet{1} << queue.vc);
  ++state.injected;
  outs_[port].send({true, queue.vc, flit});
}

Ejector::Ejector(const sc_core::sc_module_name& name, const Params& params, PacketLedger& ledger)
    : Clocked(name, Counted::kOutOfReset),
      params_(params),
      ledger_(ledger),
      order_(params.virtual_channels),
      hops_(params.virtual_channels, 0) {}

void Ejector::reset() {
  order_ = PacketOrder(params_.virtual_channels);
  in.give_credit(false, 0);
}

void Ejector::tick() {
  in.give_credit(false, in.vc_i.read());
  if (in.valid_i.read() && receive(in.vc_i.read(), in.flit_i.read())) {
    in.give_credit(true, in.vc_i.read());
  }
}

// Returns whether the flit returns a credit.
bool Ejector::receive(unsigned vc, const Flit& flit) {
  if (vc >= params_.virtual_channels) {
    broken_invariant("no such virtual channel", params_.port, vc);
  }
  if (const char* const wrong = order_.take(vc, flit)) broken_invariant(wrong, params_.port, vc);
  if (!ledger_.packets().holds(flit.packet)) {
    broken_invariant("flit of a packet that is not in flight", params_.port, vc);
  }
  if (flit.destination != params_.node && !params_.multicast) {
    broken_invariant("packet at the wrong node", params_.port, vc);
  }
  if (flit.head) hops_[vc] = flit.hops;
  ++flits_;
  if (flit.tail()) {
    ledger_.arrived(flit.packet, {{}, params_.node, params_.port, Cycle{cycle_}, hops_[vc]});
  }
  return params_.unit == BufferUnit::kFlit || flit.tail();
}

}  // namespace flitcast::pins
