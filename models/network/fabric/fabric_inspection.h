// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "network/check/inspection.h"
#include "network/fabric/fabric.h"

namespace flitcast {

/// A fabric at rest. On its wires is what the rows of the event wheel announce.
class FabricInspection final : public Inspection {
 public:
  /// `fabric` must outlive the inspection.
  explicit FabricInspection(const Fabric& fabric) : Inspection(fabric), fabric_(fabric) {}

  const RouterState& state(RouterId router) const override;
  bool external(RouterId router) const override;
  unsigned flits_in_flight(RouterId router, unsigned input_vc) const override;
  unsigned credits_in_flight(RouterId router, unsigned output_vc) const override;
  unsigned flits_in_flight(NodeId node, std::size_t port, unsigned vc) const override;
  unsigned credits_in_flight(NodeId node, std::size_t port, unsigned vc) const override;
  unsigned heads_in_flight(RouterId router, unsigned input_vc) const override;
  unsigned heads_in_flight(NodeId node, std::size_t port, unsigned vc) const override;
  unsigned injection_credits(NodeId node, std::size_t port, unsigned vc) const override;
  bool receives(NodeId node, std::size_t port, unsigned vc) const override;
  std::uint64_t waiting_flits(NodeId node, std::size_t port) const override;
  const NodeInterface* interface(NodeId node, std::size_t port) const override;
  std::size_t waiting_packets(NodeId node, std::size_t message_class) const override;
  VcSet ways_out(NodeId node, std::size_t port, std::size_t message_class) const override;
  std::uint64_t deliveries_due() const override;
  const Packet& packet(PacketSlot slot) const override;

 private:
  const std::deque<Flit>* held(NodeId node, std::size_t port, unsigned vc) const;
  unsigned announced(const RouterNode& node, const std::uint64_t* rows, unsigned vc_index) const;

  const Fabric& fabric_;
};

}  // namespace flitcast
