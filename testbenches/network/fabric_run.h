// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/fabric.h"
#include "network/networks.h"
#include "network/pins/wormhole_router.h"
#include "network/sources.h"
#include "stats/checksum_probe.h"

namespace flitcast {

/// Keeps deliveries and folds them.
class CheckingProbe : public Recorder {
 public:
  void delivered(const Delivery& delivery) override {
    Recorder::delivered(delivery);
    checksum.delivered(delivery);
  }
  ChecksumProbe checksum;
};

/// A fabric under finite random traffic of its own. Several fit in one kernel if all are built
/// before the first runs.
class FabricRun {
  // In front of the fabric, which refers to them.
  FiniteTraffic source_;
  std::vector<std::unique_ptr<CheckingProbe>> probes_;

 public:
  FabricRun(const std::string& name, const Network& network, const NetworkParams& params,
            const FiniteTraffic::Params& traffic, const std::vector<ForeignSlot>& foreign = {})
      : source_(network.topology->node_count(), traffic) {
    for (unsigned r = 0; r < Fabric::region_count(*network.topology, params); ++r) {
      probes_.push_back(std::make_unique<CheckingProbe>());
    }
    std::vector<Probe*> probes;
    for (const auto& probe : probes_) probes.push_back(probe.get());
    fabric = std::make_unique<Fabric>(name.c_str(), *network.topology, *network.routing, source_,
                                      params, probes, foreign);
    expected_packets_ = network.topology->node_count() * traffic.packets_per_node;
  }

  /// Runs until everything has arrived, `most` cycles at most.
  void drain(std::uint64_t most = 50000) {
    while (!drained() && index(fabric->now()) < most) fabric->run(50);
    fabric->run(50);  // The last credits go home.
  }
  bool drained() const { return fabric->totals().packets_delivered == expected_packets_; }

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
  std::size_t expected_packets_ = 0;
};

/// The pins model of the native router in this place.
inline ForeignSlot pins_slot(const Network& network, std::uint32_t router, unsigned period = 1) {
  const Topology& topology = *network.topology;
  const Routing& routing = *network.routing;
  return {
      RouterId{router},
      [&topology, &routing, period](const sc_core::sc_module_name& name, RouterId id,
                                    unsigned inputs, unsigned outputs, const RouterParams& params) {
        std::vector<unsigned> periods(outputs, 1);
        for (const Channel& channel : topology.channels()) {
          if (channel.from.router == id) periods[index(channel.from.port)] = period;
        }
        return std::make_unique<pins::WormholeRouter>(
            name, pins::WormholeRouter::Params{id, inputs, outputs, params, periods, {}}, routing);
      }};
}

}  // namespace flitcast
