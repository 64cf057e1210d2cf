// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "base/random.h"
#include "config/section.h"
#include "topology/clos.h"
#include "topology/topology.h"
#include "traffic/injection.h"
#include "traffic/load.h"
#include "traffic/pattern.h"

namespace flitcast {

/// Packets at random times, of random lengths and for random receivers; every node draws from a
/// separate random stream. Endless: the experiment decides when to stop.
///
/// A node is called once per packet; create() allocates nothing except for the caller's vector and
/// address().
class RandomSource : public PacketSource {
 public:
  /// Nodes 0 to node_count - 1; node n draws from Random::stream(seed, first_stream + n).
  RandomSource(std::size_t node_count, std::uint64_t seed, Load load,
               std::uint64_t first_stream = 0);

  Cycle first(NodeId node) override { return nodes_[index(node)].next; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;

  /// Mean length of the packets, in flits.
  double mean_length() const { return load_.lengths.mean(); }
  /// The longest Injection::burst_cycle() of the nodes.
  double burst_cycle() const;
  const Load& load() const { return load_; }

 private:
  struct Node {
    Random random;
    const Injection* process;
    Injection::State state;
    Cycle next;  ///< The cycle of the node's next packet.
  };

  /// The next packet of a node, without its length.
  virtual PacketRequest address(NodeId node, Random& random) = 0;

  const Load load_;
  std::vector<Node> nodes_;
};

/// Random traffic by pattern, injection process and lengths.
class RandomTraffic : public RandomSource {
 public:
  RandomTraffic(std::size_t node_count, std::uint64_t seed, std::unique_ptr<Pattern> pattern,
                Load load, std::uint64_t first_stream = 0)
      : RandomSource(node_count, seed, std::move(load), first_stream),
        pattern_(std::move(pattern)) {}

  const Pattern& pattern() const { return *pattern_; }
  /// The flits from `source` to `destination` for each flit that a node sends on average, for the
  /// analysis of channel loads. Absent if unknown.
  std::optional<double> share(NodeId source, NodeId destination) const;

 private:
  PacketRequest address(NodeId node, Random& random) override {
    return {pattern_->destination(node, random)};
  }

  const std::unique_ptr<Pattern> pattern_;
};

/// Makes the traffic of a workload of kind `traffic`; throws one ConfigError with every problem of
/// its pattern, injection and packet lengths.
/// @param first_stream  As for RandomSource.
/// @param routing       As for make_pattern().
std::unique_ptr<RandomTraffic> make_traffic(const Section& workload, const Topology& topology,
                                            std::uint64_t seed, std::uint64_t first_stream = 0,
                                            const Routing* routing = nullptr);

/// The keys of a workload of kind `traffic`, except `kind`; those of a pattern or an injection
/// process apply if it is chosen.
std::vector<Param> traffic_params();

/// Random multicasts for a Clos network: every packet goes to one random node at each of f output
/// switches, f uniform in 1 .. fan_out and the switches equally likely. Endless.
///
/// A group is allocated for every packet and released when its last copy has arrived, so the
/// network must be one partition (see Admission). A packet costs O(r).
class MulticastTraffic : public RandomSource {
 public:
  /// `groups`, of the nodes of `clos`, must outlive the source; `clos` need not.
  /// @param fan_out  The most output switches of a packet, 1 to r; otherwise throws
  ///                 std::invalid_argument.
  MulticastTraffic(const Clos& clos, DestinationGroups& groups, std::size_t fan_out,
                   std::uint64_t seed, Load load);

  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;
  void dropped(const Packet& packet, Cycle, std::vector<WakeUp>&) override {
    if (index(packet.destination) >= groups_.nodes()) groups_.remove(packet.destination);
  }

  /// The probability that a node is a receiver of a packet, equal for all nodes.
  double share() const {
    return (1 + static_cast<double>(fan_out_)) / 2 / static_cast<double>(switches_ * ports_);
  }

 private:
  PacketRequest address(NodeId node, Random& random) override;

  const std::size_t switches_;
  const std::size_t ports_;
  const std::size_t fan_out_;
  DestinationGroups& groups_;
  std::vector<std::uint32_t> to_arrive_;  // By group: the copies that are still to arrive.
};

/// Makes the source of a workload of kind `clos_requests`; throws one ConfigError with all
/// problems. Keys: fan_out, load, injection, packet_length, packet_weights.
std::unique_ptr<MulticastTraffic> make_multicast_traffic(const Section& workload, const Clos& clos,
                                                         DestinationGroups& groups,
                                                         std::uint64_t seed);

/// The keys of a workload of kind `clos_requests`, except `kind`.
std::vector<Param> multicast_traffic_params();

}  // namespace flitcast
