// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/packet_source.h"
#include "sim/experiment/workload.h"
#include "traffic/named_classes.h"

namespace flitcast {

/// A workload of packets that the user of the library sends while the network runs, with their
/// arrivals until the user takes them. It ends whenever all packets have arrived.
class GivenPackets : public Workload, public PacketSource {
 public:
  explicit GivenPackets(const WorkloadContext& context);

  /// Sends a packet, which its node creates in `cycle`; the network must be woken for it. Returns
  /// its number, counted from 0, which becomes its tag.
  std::uint64_t send(NodeId node, Cycle cycle, PacketRequest packet);
  /// The arrivals that have not been taken, in the order of delivered().
  std::deque<Delivery>& arrivals() { return arrivals_; }

  void adapt(NetworkPlan& network) override;
  void join(const NetworkPlan&) override {}
  PacketSource& source() override { return *this; }
  /// The length of the longest packet that the network can carry.
  std::uint32_t longest_packet() const override;
  bool ends() const override { return true; }
  bool ended(const Totals& totals) const override { return totals.packets_delivered == sent_; }
  std::string text() const override { return "packets of the caller"; }
  std::vector<std::string> class_names() const override;

  Cycle first(NodeId) override { return kNever; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>&) override {
    arrivals_.push_back(delivery);
  }

 private:
  const WorkloadContext context_;
  std::vector<NamedClass> classes_;
  /// By node; packets for one cycle are in the order in which they were sent.
  std::vector<std::multimap<Cycle, PacketRequest>> due_;
  std::uint64_t sent_ = 0;
  std::deque<Delivery> arrivals_;
};

/// The only workload of the library.
WorkloadEntry given_workload();

}  // namespace flitcast
