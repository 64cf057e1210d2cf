// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/destination_groups.h"
#include "network/circuit/circuit_network.h"
#include "network/sources.h"
#include "stats/delivery_probes.h"

namespace flitcast {

/// Returns the structure of a three-stage network.
inline clos::MultistageStructure symmetric(std::uint32_t m, std::uint32_t n, std::uint32_t r) {
  return {{clos::Structure::symmetric(m, n, r)}};
}
/// Returns a five-stage structure: v(m, n, n2 r2) around v(m2, n2, r2).
inline clos::MultistageStructure five_stages(std::uint32_t m, std::uint32_t n, std::uint32_t m2,
                                             std::uint32_t n2, std::uint32_t r2) {
  return {{clos::Structure::symmetric(m, n, n2 * r2), clos::Structure::symmetric(m2, n2, r2)}};
}

/// Keeps all deliveries, their checksum, and the dropped packets.
class CircuitProbe : public Recorder {
 public:
  void dropped(const Packet& packet) override { lost.push_back(packet); }
  std::vector<Packet> lost;

  void delivered(const Delivery& delivery) override {
    Recorder::delivered(delivery);
    checksum.delivered(delivery);
  }
  ChecksumProbe checksum;
};

/// Returns the topology of these sizes; throws std::invalid_argument if they are invalid.
inline Clos clos_of(const clos::MultistageStructure& structure) {
  std::vector<Clos::Level> levels;
  for (const clos::Structure& level : structure.levels) {
    levels.push_back({level.n1, level.m, level.n2});
  }
  return {levels, structure.levels.back().r1, structure.levels.back().r2};
}

/// A circuit-switched network with everything that it refers to. One kernel can hold several if all
/// are built before the first runs.
class CircuitRun {
  // These members precede the network, which refers to them.
  std::unique_ptr<PacketSource> source_;

 public:
  CircuitRun(const std::string& name, const clos::MultistageStructure& structure,
             const CircuitParams& params, std::unique_ptr<PacketSource> source = nullptr,
             std::shared_ptr<DestinationGroups> with_groups = nullptr)
      : source_(source ? std::move(source) : std::make_unique<SilentSource>()),
        groups(with_groups
                   ? std::move(with_groups)
                   : std::make_shared<DestinationGroups>(structure.levels.front().inputs())),
        topology(clos_of(structure)),
        network(name.c_str(), topology, *source_, *groups, params, &probe) {}

  void send(std::uint32_t node, const std::vector<std::uint32_t>& destinations,
            std::uint32_t length = 1) {
    PacketRequest request;
    request.destination = groups->add(ids(destinations));
    request.length = length;
    network.send(NodeId{node}, request);
  }
  void open(std::uint32_t node, const std::vector<std::uint32_t>& outputs) {
    network.open(NodeId{node}, ids(outputs));
  }
  TerminalState state(std::uint32_t node) const { return network.state(NodeId{node}); }

  /// Runs until the node leaves these states, or for `most` cycles; returns the node's state.
  TerminalState settle(std::uint32_t node, std::uint64_t most = 10000) {
    for (; most > 0; --most) {
      const TerminalState now = state(node);
      if (now != TerminalState::kWait && now != TerminalState::kSetup &&
          now != TerminalState::kTeardown) {
        break;
      }
      network.run(1);
    }
    return state(node);
  }
  /// Runs until every packet is delivered, or for `most` cycles.
  void drain(std::uint64_t most = 100000) {
    while (!drained() && index(network.now()) < most) network.run(50);
    network.run(50);  // Completes the last teardown.
  }
  bool drained() const {
    const Totals totals = network.totals();
    return totals.packets_created >= expected_packets &&
           totals.receivers == totals.packets_delivered + totals.receivers_dropped;
  }

  static std::vector<NodeId> ids(const std::vector<std::uint32_t>& nodes) {
    std::vector<NodeId> result;
    for (const std::uint32_t node : nodes) result.push_back(NodeId{node});
    return result;
  }

  std::shared_ptr<DestinationGroups> groups;
  CircuitProbe probe;
  const Clos topology;
  CircuitNetwork network;
  std::uint64_t expected_packets = 0;  ///< Packets that the source will create.
};

}  // namespace flitcast
