// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "config/catalog.h"
#include "config/section.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast {

/// A packet that joins the queue of an output.
struct QueueEntry {
  RouterId at{};    ///< The router where it waits.
  PortId output{};  ///< The output of that router that it waits for.
  NodeId destination{};
  PacketId packet{};
  Cycle joins{};  ///< The cycle, or step, in which the packet joins.
};

/// Decides which packet of a store-and-forward queue leaves first. It is a pure function: equal
/// arguments get equal answers, in any order, from any thread. A router asks once for each packet
/// and queue, when the packet joins it; packets of equal rank leave in the order in which they
/// joined.
///
/// Source of the rules: CS838 lecture notes (1999), section 9, "Permutation routing in mesh-based
/// networks"; Leighton, "Introduction to Parallel Algorithms and Architectures", 1992, section 1.7.
class QueuePriority {
 public:
  virtual ~QueuePriority() = default;

  /// The packet of the smaller rank leaves first.
  virtual std::uint32_t rank(const QueueEntry& entry) const = 0;
};

/// First in, first out.
class Fifo : public QueuePriority {
 public:
  std::uint32_t rank(const QueueEntry&) const override { return 0; }
};

/// Last in, first out, for comparison. Exact while a run has fewer than 2^32 cycles.
class Lifo : public QueuePriority {
 public:
  std::uint32_t rank(const QueueEntry& entry) const override {
    return ~static_cast<std::uint32_t>(index(entry.joins));
  }
};

/// Farthest-first on grids: the packet with the most hops left in the dimension of the output
/// leaves first; where that dimension wraps, hops count in the output's direction. At outputs to
/// nodes all ranks are equal. With this rule, a pattern with at most one packet per destination
/// finishes in n - 1 steps in one dimension of size n, and with XY routing on a mesh within the sum
/// of these steps over both dimensions.
class FarthestFirst : public QueuePriority {
 public:
  /// `grid` must outlive the priority.
  explicit FarthestFirst(const Grid& grid) : grid_(grid) {}

  /// Falls with the distance.
  std::uint32_t rank(const QueueEntry& entry) const override { return ~distance(entry); }

  /// Hops left in the dimension of the output.
  std::uint32_t distance(const QueueEntry& entry) const;

 private:
  const Grid& grid_;
};

/// The opposite of farthest-first, for comparison: the packet with the fewest hops left in the
/// dimension of the output leaves first.
class NearestFirst : public FarthestFirst {
 public:
  using FarthestFirst::FarthestFirst;

  std::uint32_t rank(const QueueEntry& entry) const override { return distance(entry); }
};

/// Farthest-first over all dimensions: the packet with the most hops left on a shortest path from
/// `at` to the destination leaves first. Grids and hypercubes have a closed form; other topologies
/// need a table of routers times nodes. More than 65534 hops count as 65535 in the table.
class Farthest : public QueuePriority {
 public:
  /// The largest number of entries of the table: 256 MiB.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 27;
  /// True if the topology has a closed form or a table within kMaxEntries.
  static bool accepts(const Topology& topology);

  /// `topology` must outlive the priority.
  /// Throws std::invalid_argument unless it is accepted. The table takes one breadth-first search
  /// per node.
  explicit Farthest(const Topology& topology);

  /// Falls with the distance.
  std::uint32_t rank(const QueueEntry& entry) const override {
    return ~distance(entry.at, entry.destination);
  }

  /// The hops from a router to the router from which the node ejects.
  std::uint32_t distance(RouterId from, NodeId to) const;

 private:
  const Grid* grid_;
  bool is_hypercube_;
  std::size_t nodes_;
  std::vector<std::uint16_t> table_;  // Per router and node.
};

/// A rank drawn for each packet and router, the same in every run with the same seed; the rules
/// above are compared with it.
class RandomOrder : public QueuePriority {
 public:
  explicit RandomOrder(std::uint64_t seed) : seed_(seed) {}

  std::uint32_t rank(const QueueEntry& entry) const override;

 private:
  std::uint64_t seed_;
};

/// The context in which a queue priority is made.
struct QueuePriorityContext {
  const Topology& topology;  ///< Must outlive the priority.
  std::uint64_t seed = 1;    ///< The seed of the experiment.
};

/// Makes the priority that router.priority names; throws ConfigError when it does not work on the
/// topology.
using QueuePriorityMaker = std::unique_ptr<QueuePriority> (*)(const Section& router,
                                                              const QueuePriorityContext& context);

struct QueuePriorityEntry : CatalogEntry<QueuePriorityMaker> {
  bool by_destination = false;  ///< Ranks need the destination, which multicast packets lack.
};

/// The rules that a user can name under router.priority. Programs can add entries.
Catalog<QueuePriorityEntry>& queue_priorities();

}  // namespace flitcast
