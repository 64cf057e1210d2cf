// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/packet_source.h"
#include "base/random.h"
#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"
#include "traffic/load.h"
#include "traffic/named_classes.h"
#include "traffic/random_traffic.h"

namespace flitcast {

/// A class of random traffic: packets with a separate load, pattern and lengths, or replies, one
/// for each packet of other classes.
struct TrafficClass : NamedClass {
  /// Cycles from the cycle after the arrival of a packet to the creation of the reply.
  std::uint64_t service = 0;
  std::unique_ptr<RandomTraffic> traffic{};  ///< Null for a class of replies.
  std::optional<PacketLengths> lengths{};    ///< The lengths of replies.

  double mean_length() const { return packet_lengths().mean(); }
  const PacketLengths& packet_lengths() const {
    return traffic ? traffic->load().lengths : *lengths;
  }
};

/// Several classes of random traffic; the class with index c has message class c. Endless.
///
/// A class draws from separate streams, so its packets depend on no other class; a single class
/// without replies is the plain workload. The tag of a reply is the PacketId of the packet that it
/// answers.
class ClassTraffic : public PacketSource {
 public:
  /// Nodes 0 to node_count - 1; the replies of class c draw from Random::stream(seed, c *
  /// node_count + n).
  ClassTraffic(std::size_t node_count, std::uint64_t seed, std::vector<TrafficClass> classes);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override;
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  const std::vector<TrafficClass>& classes() const { return classes_; }

 private:
  struct Reply {
    std::uint8_t message_class = 0;
    NodeId to{};
    std::uint64_t request = 0;  ///< The packet that the reply answers.
  };
  // Each node has its own cache line, because different threads may call for neighbouring nodes.
  struct alignas(64) Node {
    std::multimap<Cycle, Reply> due;
    std::vector<Random> random;  ///< By class: its random stream.
  };

  std::vector<TrafficClass> classes_;
  std::vector<Node> nodes_;
};

/// The loads of the classes in flits per node and cycle, averaged over the nodes: a class of
/// replies sends as many packets as the classes that it answers.
std::vector<double> loads_of(const std::vector<TrafficClass>& classes,
                             const std::vector<double>& given);

/// Makes the classes of a workload of kind `traffic`; throws one ConfigError with every problem of
/// all classes.
/// @param virtual_channels  Virtual channels of the routers, per port.
std::vector<TrafficClass> make_traffic_classes(const Section& workload, const Topology& topology,
                                               std::uint64_t seed, std::size_t virtual_channels);

/// The key `classes`.
Param traffic_classes_param();

}  // namespace flitcast
