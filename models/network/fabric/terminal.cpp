// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/terminal.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/sequences.h"
#include "network/fabric/fabric.h"
#include "network/report.h"

namespace flitcast {

void Terminal::misuse(const char* rule, const std::string& what) const {
  report_error(rule, name(), what + ", in cycle " + std::to_string(index(fabric_.now())));
}

void Terminal::send(const PacketRequest& request, Bytes bytes) {
  if (!sendable(request, bytes)) return;
  if (!can_send(request.message_class)) {
    return misuse("terminal/full_queue",
                  "a packet of message class " + std::to_string(request.message_class) +
                      " without space in the source queue; ask can_send() first");
  }
  join(request, std::move(bytes));
}

bool Terminal::nb_put(const PacketRequest& request, Bytes&& bytes) {
  if (!sendable(request, bytes) || !can_send(request.message_class)) return false;
  join(request, std::move(bytes));
  return true;
}

void Terminal::put(const PacketRequest& request, Bytes bytes) {
  if (!sendable(request, bytes)) return;
  while (!can_send(request.message_class)) sc_core::wait(space_event());
  join(request, std::move(bytes));
}

void Terminal::send_now(const PacketRequest& request, Bytes bytes) {
  if (!sendable(request, bytes)) return;
  const std::uint32_t local = fabric_.partitions().local_index(node_);
  const PacketId id = fabric_.partitions().of(node_).submit(local, request, fabric_.now());
  fabric_.terminals().carry(id, std::move(bytes), request.receivers);
}

bool Terminal::sendable(const PacketRequest& request, const Bytes& bytes) const {
  const std::string problem = fabric_.partitions().of(node_).packet_maker().problem_of(request);
  if (!problem.empty()) misuse("terminal/packet", problem);
  const bool losable = !bytes.empty() && !fabric_.params().lockstep;
  if (losable)
    misuse("terminal/lockstep",
           "bytes in a fabric that does not run in lockstep: no process could get them");
  return problem.empty() && !losable;
}

void Terminal::join(const PacketRequest& request, Bytes&& bytes) {
  if (most_waiting_ != 0) --classes_[request.message_class].space;
  puts_.push_back({request, std::move(bytes)});
  fabric_.terminals().request_update(*this);
}

void Terminal::bound_queue(std::size_t packets) {
  if (packets == 0) return misuse("terminal/parameters", "a source queue without space");
  if (most_waiting_ == 0) fabric_.terminals().watch(*this);
  most_waiting_ = packets;
  classes_.resize(fabric_.routing().message_classes());
  find_space();
}

bool Terminal::can_send(std::uint8_t message_class) const {
  if (message_class >= fabric_.routing().message_classes() || fabric_.in_reset()) return false;
  return most_waiting_ == 0 || classes_[message_class].space > 0;
}

void Terminal::listen() {
  if (!fabric_.params().lockstep) {
    return misuse("terminal/lockstep", "listen() in a fabric that does not run in lockstep");
  }
  listening_ = true;
  classes_.resize(fabric_.routing().message_classes());
}

void Terminal::listen(std::size_t slots) {
  if (slots == 0) return misuse("terminal/parameters", "listen() without a slot");
  if (listening_) return misuse("terminal/listen", "a second listen()");
  if (fabric_.node_interface(node_).bounded != nullptr)
    return misuse("terminal/listen", "listen() with slots beside a reply queue or a stream");
  if (receiving()) return misuse("terminal/listen", "listen() while a packet is arriving");
  listen();
  if (!listening_) return;
  slots_ = slots;
  fabric_.partitions().of(node_).bound_ejection(fabric_.partitions().local_index(node_),
                                                static_cast<std::uint32_t>(slots));
}

// True if the head of a packet has arrived and its tail has not.
bool Terminal::receiving() const {
  for (std::size_t port = 0; port < fabric_.topology().node_ports(); ++port) {
    const NodeVc* const vcs = fabric_.node_interface(node_, port).vcs;
    const auto arriving = [](const NodeVc& vc) { return vc.arriving != PacketStore::kNone; };
    if (std::any_of(vcs, vcs + fabric_.params().router.virtual_channels, arriving)) return true;
  }
  return false;
}

bool Terminal::gettable(std::uint8_t message_class) const {
  if (message_class >= fabric_.routing().message_classes()) {
    misuse("terminal/message_class", "message class " + std::to_string(message_class) +
                                         "; the network has " +
                                         std::to_string(fabric_.routing().message_classes()));
    return false;
  }
  if (!listening_) misuse("terminal/not_listening", "a packet is asked for without listen()");
  return listening_;
}

bool Terminal::nb_get(Arrival& arrival, std::uint8_t message_class) {
  if (!gettable(message_class) || available(message_class) == 0) return false;
  arrival = take(classes_[message_class]);
  return true;
}

Arrival Terminal::get(std::uint8_t message_class) {
  Arrival arrival;
  if (!gettable(message_class)) return arrival;
  while (available(message_class) == 0) sc_core::wait(delivered_);
  return take(classes_[message_class]);
}

Arrival Terminal::take(Class& from) {
  Arrival arrival = std::move(from.arrived.front());
  from.arrived.pop_front();
  if (slots_ != 0) {
    ++from.taken;
    fabric_.terminals().request_update(*this);
  }
  return arrival;
}

std::vector<Arrival> Terminal::take_deliveries() {
  std::vector<Arrival> all;
  for (Class& from : classes_) {
    while (!from.arrived.empty()) all.push_back(take(from));
  }
  sort_by(all, [](const Arrival& one) { return std::tie(one.arrival, one.port); });
  return all;
}

void Terminal::deliver(Arrival arrival) {
  arriving_.push_back(std::move(arrival));
  fabric_.terminals().request_update(*this);
}

void Terminal::update() {
  Partition& partition = fabric_.partitions().of(node_);
  const std::uint32_t local = fabric_.partitions().local_index(node_);
  for (Put& put : puts_) send_now(put.request, std::move(put.bytes));
  puts_.clear();
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const auto taken = static_cast<std::uint32_t>(std::exchange(classes_[c].taken, 0));
    if (taken != 0) partition.free_slots(local, c, taken);
  }
  if (!arriving_.empty()) delivered_.notify(sc_core::SC_ZERO_TIME);
  for (Arrival& arrival : arriving_) {
    classes_[arrival.packet.message_class].arrived.push_back(std::move(arrival));
  }
  arriving_.clear();
  if (full()) find_space();
}

bool Terminal::full() const {
  if (most_waiting_ == 0) return false;
  return any_of(classes_, [](const Class& one) { return one.space == 0; });
}

// Counts the free space of the source queues. Packets put since the last update are not in the
// network's queue yet.
void Terminal::find_space() {
  const Partition& partition = fabric_.partitions().of(node_);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    std::size_t waiting = partition.waiting(fabric_.partitions().local_index(node_), c);
    for (const Put& put : puts_) waiting += put.request.message_class == c ? 1 : 0;
    const bool none = classes_[c].space == 0;
    classes_[c].space = most_waiting_ - std::min(waiting, most_waiting_);
    if (none && classes_[c].space > 0) notify_space();
  }
}

const sc_core::sc_event& Terminal::space_event() {
  if (space_ == nullptr) space_ = std::make_unique<sc_core::sc_event>();
  return *space_;
}

void Terminal::reset() {
  puts_.clear();
  arriving_.clear();
  for (Class& one : classes_) one = {most_waiting_, {}, 0};
}

std::uint64_t Terminal::flits_sent() const { return fabric_.flits_injected(node_); }

std::uint64_t Terminal::flits_received() const { return fabric_.flits_ejected(node_); }

void TerminalUpdates::update() {
  for (Terminal* terminal : changed_) terminal->update();
  changed_.clear();
}

// The kernel searches for a child from the front of its list and moves the last child into the gap.
// After an early child has been removed the last one is always near the front, so a million modules
// are removed in linear time.
Terminals::~Terminals() {
  updates_.reset();
  while (!terminals_.empty()) terminals_.pop_back();
}

void Terminals::build(Fabric& fabric, std::size_t nodes) {
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const std::string name = "terminal_" + std::to_string(n);
    terminals_.push_back(std::make_unique<Terminal>(name.c_str(), NodeId{n}, fabric));
  }
}

Terminal& Terminals::at(NodeId node) const {
  if (terminals_.empty()) {
    throw std::logic_error("a fabric without modules has no terminals; set NetworkParams::modules");
  }
  return *terminals_[index(node)];
}

void Terminals::end_cycle() {
  for (Terminal* terminal : bounded_) {
    if (terminal->full()) request_update(*terminal);
  }
}

void Terminals::deliver(const Delivery& delivery) {
  if (terminals_.empty()) return;
  Terminal& receiver = at(delivery.node);
  Bytes bytes = carried_.empty() ? Bytes() : bytes_of(delivery.packet);
  if (receiver.listening()) receiver.deliver({delivery, std::move(bytes)});
}

const Bytes& Terminals::carried(PacketId packet) const {
  static const Bytes kNone;
  const auto carried = carried_.find(index(packet));
  return carried == carried_.end() ? kNone : carried->second.bytes;
}

Bytes Terminals::bytes_of(const Packet& packet) {
  const auto carried = carried_.find(index(packet.id));
  if (carried == carried_.end()) return {};
  if (--carried->second.receivers != 0) return carried->second.bytes;
  Bytes bytes = std::move(carried->second.bytes);
  carried_.erase(carried);
  return bytes;
}

void Terminals::reset() {
  for (const auto& terminal : terminals_) terminal->reset();
  carried_.clear();
}

}  // namespace flitcast
