// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/packet_admission.h"

#include <algorithm>
#include <string>

#include "base/sequences.h"
#include "router/invariant.h"

namespace flitcast {

PacketAdmission::PacketAdmission(const Clos& topology, const DestinationGroups& groups,
                                 const clos::StrategyFactory& make_strategy,
                                 const std::vector<clos::AdmissionParams>& params,
                                 std::size_t virtual_channels)
    : topology_(topology),
      groups_(groups),
      vcs_(vc_range(0, virtual_channels)),
      control_(topology.structure(), make_strategy, params),
      claims_(topology.node_count(), topology.node_count()),
      senders_(topology.node_count()) {
  for (const RouterId router : topology.routers()) {
    settings_.emplace_back(topology.input_count(router));
  }
}

void PacketAdmission::branches(const RouteRequest& request, Branches& branches) const {
  const std::vector<PortId>& outputs = settings_[index(request.router)][index(request.input)];
  if (outputs.empty()) {
    broken_invariant("packet at a switch that was not set for it", index(request.input),
                     index(request.vc));
  }
  for (const PortId output : outputs) branches.add({output, vcs_, 0});
}

Route PacketAdmission::route(const RouteRequest& request) const {
  Branches all;
  branches(request, all);
  return {all.begin()->output, vcs_};
}

bool PacketAdmission::admit(const Packet& packet) {
  Sender& sender = senders_[index(packet.source)];
  if (sender.state == Sender::State::kIdle) claim_outputs(packet);
  if (sender.state != Sender::State::kConnected) return false;
  sender.state = Sender::State::kEntered;
  sender.to_arrive = packet.receivers;
  ++totals_.admitted;
  return true;
}

const std::vector<NodeId>& PacketAdmission::receivers(const Packet& packet) const {
  const NodeId group = packet.destination;
  if (index(group) >= groups_.end() || groups_.members(group).empty()) {
    throw InvariantError("a packet goes to group " + std::to_string(index(group)) +
                         ", which is unknown; add it to the destination groups first");
  }
  const std::vector<NodeId>& members = groups_.members(group);
  if (packet.receivers != members.size()) {
    throw InvariantError("a packet has not as many receivers as its group has members");
  }
  return members;
}

void PacketAdmission::claim_outputs(const Packet& packet) {
  const std::vector<NodeId>& members = receivers(packet);
  senders_[index(packet.source)] = {Sender::State::kWaiting, packet.destination, 0};
  if (!claims_.claim(packet.source, members)) {
    ++totals_.waited_for_outputs;
  } else if (!connect(packet.source)) {
    ++totals_.waited_for_path;
    pathless_.push_back(packet.source);
  }
}

void PacketAdmission::arrived(const Delivery& delivery) {
  const NodeId source = delivery.packet.source;
  Sender& sender = senders_[index(source)];
  if (sender.to_arrive == 0 || !claims_.owns(source, delivery.node)) {
    throw InvariantError("a packet of node " + std::to_string(index(source)) +
                         " has a copy too many, at node " + std::to_string(index(delivery.node)));
  }
  if (--sender.to_arrive == 0) ended_.push_back(source);
}

void PacketAdmission::end_cycle(std::vector<NodeId>& ask_again) {
  if (ended_.empty()) return;
  const std::size_t blocked = pathless_.size();
  for (const NodeId source : ended_) {
    release(source);
    ask_again.push_back(source);  // The next packet in its queue needs a decision.
  }
  ended_.clear();
  connect_pathless(blocked, ask_again);
}

// Tries to connect the sources in pathless_; the first `blocked` of them have been blocked before.
void PacketAdmission::connect_pathless(std::size_t blocked, std::vector<NodeId>& ask_again) {
  std::size_t kept = 0;
  for (std::size_t place = 0; place < pathless_.size(); ++place) {
    if (connect(pathless_[place])) {
      ask_again.push_back(pathless_[place]);
    } else {
      if (place >= blocked) ++totals_.waited_for_path;
      pathless_[kept++] = pathless_[place];
    }
  }
  pathless_.resize(kept);
}

bool PacketAdmission::connect(NodeId source) {
  Sender& sender = senders_[index(source)];
  outputs_.clear();
  for (const NodeId member : groups_.members(sender.group)) {
    outputs_.push_back(clos::OutputId{index(member)});
  }
  const clos::MultistageVerdict verdict = control_.connect(clos::InputId{index(source)}, outputs_);
  for (const std::size_t passes : verdict.passes) {
    totals_.most_passes = std::max<std::uint64_t>(totals_.most_passes, passes);
  }
  if (verdict.blocked) return false;
  set_switches(source, true);
  sender.state = Sender::State::kConnected;
  return true;
}

void PacketAdmission::release(NodeId source) {
  Sender& sender = senders_[index(source)];
  set_switches(source, false);
  control_.disconnect(clos::InputId{index(source)});
  claims_.release(groups_.members(sender.group), pathless_);
  sender = {};
}

void PacketAdmission::set_switches(NodeId source, bool on) {
  for (const clos::SwitchSetting& crossbar : control_.path(clos::InputId{index(source)})) {
    std::vector<PortId>& outputs = settings_[index(crossbar.router(topology_))][crossbar.input];
    outputs.clear();
    if (on) outputs = mapped(crossbar.outputs, to_id<PortId>);
  }
}

const FigureTable<PacketAdmission>& control_figures() {
  using Control = PacketAdmission;
  static const FigureTable<Control> table{
      {"control.admitted", "packets", "That the control has let in.",
       [](const Control& c) { return c.totals().admitted; }},
      {"control.waited_for_outputs", "packets", "That found an output taken when they asked.",
       [](const Control& c) { return c.totals().waited_for_outputs; }},
      {"control.waited_for_path", "packets", "That were blocked in the middle at least once.",
       [](const Control& c) { return c.totals().waited_for_path; }},
      {"control.most_passes", "switches", "Most middle switches of any request at any level.",
       [](const Control& c) { return c.totals().most_passes; }},
  };
  return table;
}

}  // namespace flitcast
