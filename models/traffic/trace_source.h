// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/packet_source.h"
#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"
#include "traffic/successors.h"
#include "traffic/trace.h"

namespace flitcast {

/// Replays a trace: every packet is created in the first cycle that is not before its cycle in the
/// trace and after the arrival of every packet that it depends on. A network slower than the traced
/// one thus delays what a program would have sent later, instead of being flooded.
///
/// Packets of one node that are due in the same cycle are created in the order of the trace.
/// PacketRequest::tag is the packet's index in the trace.
class TraceSource : public PacketSource {
 public:
  /// @param node_count           Above every source and destination, else std::invalid_argument.
  /// @param honour_dependencies  False: only the cycles of the trace count.
  TraceSource(Trace trace, std::size_t node_count, bool honour_dependencies = true);

  Cycle first(NodeId node) override { return next(nodes_[index(node)]); }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return wants_deliveries_; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// What the file says and the replay does not heed.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Packets of the whole trace.
  std::size_t packet_count() const { return packets_.size(); }

  /// Flits of the longest packet; 0 for an empty trace.
  std::uint32_t longest_packet() const;

  /// Packets created so far; not while create() runs. Asks every node.
  std::size_t created_count() const;

  /// Whether nothing will be created any more, whatever is delivered.
  bool all_created() const { return created_count() == packet_count(); }

 private:
  using Ready = std::pair<Cycle, std::uint32_t>;  // When to create which packet.

  // A cache line each, because the threads that ask for neighbouring nodes may differ.
  struct alignas(64) Node {
    std::vector<Ready> ready;  ///< A heap with the earliest in front; waits for no delivery.
    std::size_t created = 0;
  };

  static Cycle next(const Node& node) {
    return node.ready.empty() ? kNever : node.ready.front().first;
  }
  void make_ready(std::uint32_t packet);

  const std::vector<std::string> notes_;
  std::vector<TracePacket> packets_;  ///< TracePacket::earliest grows with arrivals.
  const Successors successors_;
  std::vector<std::uint32_t> awaited_;  ///< By packet: how many it waits for still.
  std::vector<Node> nodes_;
  const bool wants_deliveries_;
};

/// Makes the replay that a workload of kind `trace` describes. A relative path
/// starts in the folder of the configuration file if the trace is there, otherwise in the working
/// directory. Throws ConfigError for a file that cannot be read or whose packets leave the network.
std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology);

/// The keys of a workload of kind `trace`, apart from `kind`; those of a format apply while it is
/// chosen.
std::vector<Param> trace_params();

}  // namespace flitcast
