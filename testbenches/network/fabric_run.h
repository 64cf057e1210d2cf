// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/pins/core_router.h"
#include "network/sources.h"
#include "stats/delivery_probes.h"

namespace flitcast {

/// Keeps all deliveries and their checksum.
class CheckingProbe : public Recorder {
 public:
  void delivered(const Delivery& delivery) override {
    Recorder::delivered(delivery);
    checksum.delivered(delivery);
  }
  ChecksumProbe checksum;
};

/// A fabric with its own source, by default finite random traffic. One kernel can hold several if
/// all are built before the first runs.
class FabricRun {
  // These members precede the fabric, which refers to them.
  std::unique_ptr<PacketSource> source_;
  std::vector<std::unique_ptr<CheckingProbe>> probes_;

 public:
  FabricRun(const std::string& name, const RoutedNetwork& network, const NetworkParams& params,
            const FiniteTraffic::Params& traffic, const std::vector<ExternalSlot>& external = {})
      : FabricRun(name, network, params,
                  std::make_unique<FiniteTraffic>(network.topology->node_count(), traffic),
                  network.topology->node_count() * traffic.packets_per_node, external) {}

  /// @param deliveries  Total number of deliveries expected.
  FabricRun(const std::string& name, const RoutedNetwork& network, const NetworkParams& params,
            std::unique_ptr<PacketSource> source, std::size_t deliveries,
            const std::vector<ExternalSlot>& external = {})
      : source_(std::move(source)), expected_deliveries_(deliveries) {
    for (unsigned r = 0; r < FabricPlan::partition_count(*network.topology, params); ++r) {
      probes_.push_back(std::make_unique<CheckingProbe>());
    }
    std::vector<Probe*> probes;
    for (const auto& probe : probes_) probes.push_back(probe.get());
    fabric = std::make_unique<Fabric>(name.c_str(), *network.topology, *network.routing, *source_,
                                      params, probes, external);
  }

  /// Runs until everything has arrived, or for `most` cycles.
  void drain(std::uint64_t most = 50000) {
    while (!drained() && index(fabric->now()) < most) fabric->run(50);
    fabric->run(50);  // The last credits return.
  }
  bool drained() const { return fabric->totals().packets_delivered == expected_deliveries_; }

  std::uint64_t checksum() const {
    ChecksumProbe sum;
    for (const auto& probe : probes_) sum.merge(probe->checksum);
    return sum.value();
  }
  std::vector<Delivery> deliveries() const {
    std::vector<Delivery> all;
    for (const auto& probe : probes_) {
      all.insert(all.end(), probe->deliveries.begin(), probe->deliveries.end());
    }
    return all;
  }

  std::unique_ptr<Fabric> fabric;

 private:
  std::size_t expected_deliveries_;
};

/// Returns the module with pins that has the same core as the fast router at this place.
inline std::unique_ptr<pins::Router> pins_router(const sc_core::sc_module_name& name,
                                                 const pins::Site& place, const Routing& routing) {
  if (place.unit == BufferUnit::kPacket) {
    return std::make_unique<pins::StoreForwardRouter>(name, place, routing);
  }
  if (routing.multicast()) return std::make_unique<pins::MulticastRouter>(name, place, routing);
  if (routing.adaptive()) return std::make_unique<pins::AdaptiveRouter>(name, place, routing);
  return std::make_unique<pins::WormholeRouter>(name, place, routing);
}

/// Returns the slot that puts this module into a fabric.
inline ExternalSlot pins_slot(const RoutedNetwork& network, std::uint32_t router) {
  const Routing& routing = *network.routing;
  return {RouterId{router},
          [&routing](const sc_core::sc_module_name& name, const pins::Site& place) {
            return pins_router(name, place, routing);
          }};
}

}  // namespace flitcast
