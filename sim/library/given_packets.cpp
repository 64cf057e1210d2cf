// SPDX-License-Identifier: Apache-2.0
#include "sim/library/given_packets.h"

#include "base/flit.h"
#include "base/sequences.h"
#include "sim/workloads/message_classes.h"

namespace flitcast {

GivenPackets::GivenPackets(const WorkloadContext& context)
    : context_(context), due_(context.topology.node_count()) {
  ProblemList problems;
  classes_ = read_named_classes(context.section().sections("classes"),
                                context.params.router.virtual_channels, problems);
  problems.throw_if_any();
}

std::uint64_t GivenPackets::send(NodeId node, Cycle cycle, PacketRequest packet) {
  packet.tag = sent_;
  due_[index(node)].emplace(cycle, packet);
  return sent_++;
}

Cycle GivenPackets::create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) {
  auto& due = due_[index(node)];
  const auto later = due.upper_bound(now);
  for (auto one = due.begin(); one != later; ++one) packets.push_back(one->second);
  due.erase(due.begin(), later);
  return due.empty() ? kNever : due.begin()->first;
}

void GivenPackets::adapt(NetworkPlan& network) {
  if (!classes_.empty()) add_classes(classes_, context_.section(), "classes", network);
}

std::uint32_t GivenPackets::longest_packet() const {
  const RouterParams& router = context_.params.router;
  return router.whole_packet_credit ? router.buffer_depth : kMaxPacketLength;
}

std::vector<std::string> GivenPackets::class_names() const {
  return mapped(classes_, [](const NamedClass& one) { return one.name; });
}

WorkloadEntry given_workload() {
  return {{"given",
           "Packets that the user of the library sends.",
           {Param::sections("classes", "The message classes.", named_class_params())},
           makes<GivenPackets>()}};
}

}  // namespace flitcast
