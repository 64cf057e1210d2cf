// SPDX-License-Identifier: Apache-2.0
// Central control of v(m, 4, 4) under 10^6 random multicasts: the guarantees of theory for any
// sequence.
#include <memory>
#include <vector>

#include "base/destination_groups.h"
#include "base/random.h"
#include "clos/catalog.h"
#include "network/check/inspection.h"
#include "network/circuit/packet_admission.h"
#include "network/circuit/timed_admission.h"
#include "network/fabric/fabric.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::uint32_t kNodes = 16;
using Mask = std::uint32_t;  // One bit for each node.

/// Has a destination group for every set of nodes.
struct AllGroups {
  AllGroups() : groups(kNodes), of_mask(1U << kNodes), mask_of(kNodes) {
    for (Mask mask = 1; mask < 1U << kNodes; ++mask) {
      std::vector<NodeId> members;
      for (std::uint32_t node = 0; node < kNodes; ++node) {
        if ((mask >> node & 1) != 0) members.push_back(NodeId{node});
      }
      of_mask[mask] = groups.add(std::move(members));
      mask_of.resize(groups.end());
      mask_of[index(of_mask[mask])] = mask;
    }
  }

  DestinationGroups groups;
  std::vector<NodeId> of_mask;
  std::vector<Mask> mask_of;  // By group.
};

/// Every node sends a given number of packets of 1 to 6 flits to random sets: one set in eight
/// contains each node with probability 1/4, the others with 1/16. With more large sets packets
/// would wait for outputs and rarely for paths.
class Multicasts : public PacketSource {
 public:
  Multicasts(const AllGroups& groups, unsigned packets_per_node) : groups_(groups) {
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      nodes_.push_back({Random::stream(11, node), packets_per_node});
    }
  }

  Cycle first(NodeId node) override { return Cycle{nodes_[index(node)].random.below(kGap)}; }
  Cycle create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) override {
    Node& node = nodes_[index(id)];
    const Mask mask = draw(node.random);
    PacketRequest request;
    request.destination = groups_.of_mask[mask];
    request.receivers = static_cast<std::uint32_t>(__builtin_popcount(mask));
    request.length = static_cast<std::uint32_t>(1 + node.random.below(6));
    packets.push_back(request);
    return --node.left == 0 ? kNever : now + 1 + node.random.below(kGap);
  }

 private:
  struct Node {
    Random random;
    unsigned left;
  };
  static constexpr std::uint64_t kGap = 100;  // Close to the capacity of the outputs.

  static Mask draw(Random& random) {
    std::uint64_t chance = random.next() & random.next();
    if (random.below(8) != 0) chance &= random.next() & random.next();
    const Mask mask = static_cast<Mask>(chance >> 48);
    return mask != 0 ? mask : Mask{1} << random.below(kNodes);
  }

  const AllGroups& groups_;
  std::vector<Node> nodes_;
};

/// Checks that every packet arrives once at each of its receivers, and that all copies of a packet
/// arrive before any of the source's next one.
class Receipts : public Probe {
 public:
  explicit Receipts(const AllGroups& groups) : groups_(groups), senders_(kNodes) {}

  void delivered(const Delivery& delivery) override {
    const Packet& packet = delivery.packet;
    Sender& sender = senders_[index(packet.source)];
    if (sender.missing == 0) sender = {packet.id, groups_.mask_of[index(packet.destination)]};
    const Mask bit = Mask{1} << index(delivery.node);
    if (packet.id != sender.packet || (sender.missing & bit) == 0) ++wrong;
    sender.missing &= ~bit;
    if (sender.missing == 0) ++complete;
  }

  std::uint64_t wrong = 0;
  std::uint64_t complete = 0;  ///< Packets that have arrived everywhere.

 private:
  struct Sender {
    PacketId packet{};
    Mask missing = 0;
  };
  const AllGroups& groups_;
  std::vector<Sender> senders_;
};

}  // namespace

TEST_CASE("a million multicasts drain, whatever the copies, with m of Theorem 3 and with m = n",
          "[network]") {
  constexpr unsigned kPacketsPerNode = 1000000 / 4 / kNodes;  // In each of the four runs.
  constexpr std::uint64_t kPackets = kPacketsPerNode * kNodes;
  const bool synchronous = GENERATE(false, true);
  const bool enough = GENERATE(true, false);
  INFO((synchronous ? "synchronous" : "asynchronous") << ", m = " << (enough ? 13 : 4));
  const Clos topology({{4, enough ? 13U : 4U}}, 4);
  const AllGroups groups;
  const std::vector<clos::AdmissionParams> params(1);
  const auto control = std::make_shared<PacketAdmission>(
      topology, groups.groups, strategy_factory(find(clos::strategies(), "S1")->make, params, 1),
      params, 1);
  NetworkParams network;
  network.router.virtual_channels = 1;
  network.router.buffer_depth = 4;
  network.router.synchronous_copies = synchronous;
  network.full_hierarchy = false;
  network.admission = control;
  Multicasts source(groups, kPacketsPerNode);
  Receipts receipts(groups);
  Fabric fabric(sc_core::sc_gen_unique_name("fabric"), topology, *control, source, network,
                std::vector<Probe*>{&receipts});

  constexpr std::uint64_t kTooLong = 5000000;
  while (receipts.complete < kPackets && index(fabric.now()) < kTooLong) fabric.run(1000);
  fabric.run(50);  // The last credits return.
  CHECK(receipts.complete == kPackets);
  CHECK(receipts.wrong == 0);
  CHECK(fabric.totals().packets_created == kPackets);
  CHECK(fabric.totals().packets_delivered == fabric.totals().receivers);
  CHECK(control->totals().admitted == kPackets);
  CHECK(control->control().state().idle_inputs().count() == kNodes);
  CHECK_NOTHROW(control->control().verify());
  CHECK_NOTHROW(audit(*fabric.inspection()));
  CHECK(
      (enough ? control->totals().waited_for_path == 0 : control->totals().waited_for_path > 1000));
  CHECK(control->totals().waited_for_outputs > kPackets / 10);
}
