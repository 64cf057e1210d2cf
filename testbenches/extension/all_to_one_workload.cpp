// SPDX-License-Identifier: Apache-2.0
// A user's workload: every node but the first sends it one packet, all in cycle 0.
#include "extension.h"

namespace {

using namespace flitcast;

class AllToOne : public Workload, private PacketSource {
 public:
  explicit AllToOne(const WorkloadContext& context)
      : length_(static_cast<std::uint32_t>(context.section().count("packet_length"))) {}

  void join(const NetworkPlan& network) override { nodes_ = network.topology->node_count(); }
  PacketSource& source() override { return *this; }
  std::uint32_t longest_packet() const override { return length_; }
  bool ends() const override { return true; }
  bool ended(const Totals& totals) const override { return totals.packets_delivered == nodes_ - 1; }
  std::string text() const override { return "a packet from all nodes to the first"; }

 private:
  Cycle first(NodeId node) override { return node == NodeId{0} ? kNever : Cycle{0}; }
  Cycle create(NodeId, Cycle, std::vector<PacketRequest>& packets) override {
    packets.push_back({NodeId{0}, length_});
    return kNever;
  }

  std::uint32_t length_;
  std::size_t nodes_ = 0;
};

}  // namespace

flitcast::WorkloadEntry all_to_one_workload() {
  return {
      {"all_to_one",
       "A packet from every node to the first.",
       {Param::integer("packet_length", "flits", "Length of the packets.", 1, 64).defaults_to(4)},
       makes<AllToOne>(),
       {"", "packet_length: 1"}}};
}
