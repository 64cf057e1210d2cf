// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/packet_source.h"
#include "base/random.h"
#include "config/section.h"
#include "topology/topology.h"
#include "traffic/injection.h"
#include "traffic/packet_lengths.h"
#include "traffic/pattern.h"

namespace flitcast {

/// Random traffic: where to (pattern), when (injection) and how long (lengths), for every node from
/// a random stream of its own. Endless: the experiment decides when to stop asking.
///
/// A node is asked once per packet; create() allocates nothing beyond what the caller's vector
/// needs.
class RandomTraffic : public PacketSource {
 public:
  /// Nodes 0 to node_count - 1; node n draws from Random::stream(seed, n).
  RandomTraffic(std::size_t node_count, std::uint64_t seed, std::unique_ptr<Pattern> pattern,
                std::unique_ptr<Injection> injection, PacketLengths lengths);

  Cycle first(NodeId node) override { return nodes_[index(node)].next; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;

 private:
  // A cache line each, because the threads that ask for neighbouring nodes may differ.
  struct alignas(64) Node {
    Random random;
    Injection::State injection;
    Cycle next;  ///< Of its next packet.
  };

  const std::unique_ptr<Pattern> pattern_;
  const std::unique_ptr<Injection> injection_;
  const PacketLengths lengths_;
  std::vector<Node> nodes_;
};

/// Makes the traffic that a workload of kind `traffic` describes (traffic_params.h); throws one
/// ConfigError with every problem of its pattern, injection and packet lengths.
std::unique_ptr<PacketSource> make_traffic(const Section& workload, const Topology& topology,
                                           std::uint64_t seed);

/// The keys of a workload of kind `traffic`, apart from `kind`; those of a pattern or an injection
/// process apply while it is chosen.
std::vector<Param> traffic_params();

}  // namespace flitcast
