// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

/// The rule by which a packet on a wrapped line detects that it is half way round. Both rules make
/// the same copies.
enum class StopRule {
  kHopCounter,     ///< Flit::route_field counts the nodes yet to serve; the header needs no source.
  kSourceAddress,  ///< Flit::destination names the source; Flit::route_field stays 0.
};

/// A collective operation that the routers carry out: nodes inject once, in cycle 0, and receive;
/// the routers alone decide where packets go, by time-independent rules.
///
/// ForwardingPlayer plays it. With D = depth(), the times of the cost model for messages of m flits
/// are those of message_cycles(cost, switching, D); a node starts up for one message only:
///
///   broadcast   wormhole, cut-through    ts + D td + m tm     if buffers cover the credit loop
///               store-and-forward        ts + D (td + m tm)
///   gossip      store-and-forward        ts + D (td + m tm)   with space for 2 packets per input
///   and
///                                                             credits no slower than td
///
/// tm is the flit time of the channels between routers; where channels to nodes are faster, the
/// flits behind a head that waits in its last router may catch up and save a few cycles.
struct RouterForwarding {
  struct Injection {
    NodeId node{};
    std::uint16_t port = 0;         ///< The port of the node by which it injects.
    std::uint16_t route_field = 0;  ///< Flit::route_field of the head.
    std::uint32_t receivers = 1;    ///< The number of nodes that receive it, each once.
    ChunkId chunk{};  ///< The chunk, numbered as in Demand; kPartialSum in a reduction.
    std::uint8_t message_class = 0;
  };

  /// A path from a node that injects to a receiver.
  struct Path {
    std::size_t channels = 0;  ///< The channels between routers.
    /// The routers on it in which several packets become one; see reduction.h.
    std::size_t combinations = 0;

    friend bool operator==(const Path& a, const Path& b) {
      return a.channels == b.channels && a.combinations == b.combinations;
    }
  };

  std::unique_ptr<Routing> routing;
  std::vector<Injection> injections;  ///< Empty if there is no receiver.
  /// Different paths, of which the slowest determines the time.
  std::vector<Path> paths;

  /// The largest number of channels on a path.
  std::size_t depth() const { return largest_of<std::size_t>(paths, &Path::channels); }
};

/// Broadcast of chunk 0 along the dimension-order tree; its depth is the source's eccentricity. The
/// destination in the header must be the source, and `grid` must outlive the routing.
///
/// Throws PreconditionError for a source that is not a node, and where a line may
/// serve more nodes than a packet's hop counter can count, 65535.
RouterForwarding dimension_order_forwarding(const Grid& grid, NodeId source, StopRule rule,
                                            std::size_t virtual_channels);

/// Broadcast of chunk 0 along the spanning binomial tree; its depth is n on the n-cube.
///
/// Throws PreconditionError for a source that is not a node.
RouterForwarding binomial_forwarding(const Hypercube& cube, NodeId source,
                                     std::size_t virtual_channels);

/// Gossip of d chunks a node on a d-dimensional torus of P nodes: chunk c travels in both
/// directions along Hamiltonian cycle c. The depth is ceil((P-1) / 2), the minimum number of
/// store-and-forward steps. Chunks of node v: v + P c.
///
/// Packets that fill all buffers round a cycle deadlock. They cannot fill them if store-and-forward
/// routers have space for two packets per input, and other routers for twice the flits of a packet.
///
/// Throws PreconditionError as hamiltonian_cycles() does, unless nodes have a port for each of the
/// 2d directions (Topology::widen_nodes), and beyond 131069 nodes, for which Flit::route_field is
/// too short.
RouterForwarding hamiltonian_forwarding(const Grid& torus, std::size_t virtual_channels);

}  // namespace flitcast
