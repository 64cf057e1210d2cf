// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "config/catalog.h"
#include "config/section.h"
#include "permutation/tables.h"
#include "topology/topology.h"

namespace flitcast {

/// A packet of an instance: where it starts and where it has to go.
struct Transfer {
  NodeId from{};
  NodeId to{};
};

/// What has to be routed. Packets are numbered in this order, which decides between equals: by
/// their sources, in permutations and functions. Nodes without a packet are idle.
using Instance = std::vector<Transfer>;

/// What an instance is made for: places that packets start and end at, numbered from 0.
struct InstanceContext {
  std::vector<std::size_t> grid;  ///< Their sizes, dimension 0 fastest; Topology::node_grid().
  std::string network;            ///< For messages: "mesh 8x8".
  bool is_cube = false;           ///< All sizes are those of bits: whatever permutes halves of bits
                                  ///< keeps a middle one.
  std::uint64_t run = 0;          ///< Added to the seed: repetitions are numbered from 0.

  std::size_t places() const;
};

/// Makes the instance; throws ConfigError for sizes on which it is not defined, naming those that
/// are.
using InstanceMaker = Instance (*)(const Section& workload, const InstanceContext& context);

struct InstanceEntry : CatalogEntry<InstanceMaker> {
  /// What the user writes besides the name.
  enum class Form { kName, kNumber, kNumbers };
  Form form = Form::kName;
};

/// The instances that a user can name under workload.permutation, open to more.
Catalog<InstanceEntry>& permutation_instances();

/// The key workload.permutation.
Param permutation_param();

/// What workload.permutation selects.
Instance make_instance(const Section& workload, const InstanceContext& context);

/// The instance of a table, every place with a packet.
Instance instance_of(const DestinationTable& table);

/// The worst instance known for XY with farthest-first queues on an n x n mesh, called WB(n): it
/// fills one queue with max(2, ceil(2n/3) - 1) packets (1 for n = 2), which is the most that any
/// permutation can. For r = 0, 1 and every column c, packets for (c, r + 1), (c, r + 2), ... come
/// to column c along row r, those from both sides in turn, besides one that starts in the column;
/// the (r, c) with the largest queue, then the most packets held, is kept. Nodes (x, y) are
/// numbered y * columns + x. Source: the counting argument over CS838 lecture notes (1999), section
/// 9, "Permutation routing in mesh-based networks", with its bound 2n/3 - 1 rounded up.
/// @param columns, rows  At least 1.
Instance worst_buffer(std::size_t columns, std::size_t rows);

/// An instance B3(k) on the k x k x k mesh against the claim of the same notes that dimension order
/// finishes in n(k - 1) steps: k * floor(k/2) packets of the plane z = 0 cross one link of
/// dimension 1, so it takes at least as many steps.
Instance worst_dimension_order(std::size_t side);

}  // namespace flitcast
