// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "config/catalog.h"
#include "config/section.h"
#include "permutation/instance.h"
#include "routing/routing.h"
#include "topology/topology.h"
#include "traffic/weighted_choice.h"

namespace flitcast {

/// Chooses destinations: the spatial half of random traffic.
///
/// Immutable and shared by all nodes; a pattern draws from the stream of the sending node, so a
/// node's destinations depend on no other node.
/// Source of the patterns: Dally and Towles, Principles and Practices of Interconnection Networks
/// (2004), section 3.2.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// The destination of the next packet of `source`; may be the source itself.
  virtual NodeId destination(NodeId source, Random& random) const = 0;

  /// The share of the packets of `source` that go to `destination`, 0 to 1, for the analysis of
  /// channel loads. Absent if unknown. Patterns with fixed destinations, which draw nothing, need
  /// not override it.
  virtual std::optional<double> share(NodeId source, NodeId destination) const {
    Random random(0);
    const NodeId drawn = this->destination(source, random);
    if (random.next() != Random(0).next()) return std::nullopt;
    return drawn == destination ? 1 : 0;
  }

  /// By node: flits per cycle, if the pattern defines them; empty: the workload defines the load.
  virtual std::vector<double> rates() const { return {}; }

  /// Notes for the user about the pattern on its topology; usually none.
  virtual std::string note() const { return {}; }
};

/// Makes the pattern for the nodes of `topology`; throws ConfigError if it is not defined on them.
using PatternMaker = std::unique_ptr<Pattern> (*)(const Section& workload,
                                                  const Topology& topology);

/// Makes a pattern whose destinations depend on the paths of packets.
using PathPatternMaker = std::unique_ptr<Pattern> (*)(const Section& workload,
                                                      const Topology& topology,
                                                      const Routing& routing);

struct PatternEntry : CatalogEntry<PatternMaker> {
  bool brings_rates = false;  ///< True if its patterns have rates(), which the key `load` scales.
  /// Used instead of `make` where paths are known; null if destinations do not depend on paths.
  PathPatternMaker make_for_paths = nullptr;
};

/// The patterns that a user can name under workload.pattern; extensible.
Catalog<PatternEntry>& patterns();

/// The key `pattern`, and the keys of the patterns of a catalog.
std::vector<Param> pattern_params(const Catalog<PatternEntry>& catalog);

/// Makes the pattern that workload.pattern names; throws ConfigError.
/// @param routing  Null if the paths of packets are not known.
std::unique_ptr<Pattern> make_pattern(const Section& workload, const Topology& topology,
                                      const Routing* routing);

/// Uniform traffic: every node is an equally likely destination, independently for every packet.
class Uniform : public Pattern {
 public:
  /// @param node_count    At least 1; at least 2 without the source; otherwise throws
  ///                      std::invalid_argument.
  /// @param include_self  True: a node may send to itself, as in the usual definition.
  explicit Uniform(std::size_t node_count, bool include_self = true);

  NodeId destination(NodeId source, Random& random) const override;
  std::optional<double> share(NodeId source, NodeId destination) const override;

 private:
  const std::uint64_t node_count_;
  const bool include_self_;
};

/// Every node chooses among destinations of its own, each with its weight. A node without
/// destinations would send to itself.
class WeightedTable : public Pattern {
 public:
  struct Row {
    std::vector<NodeId> destinations{};  ///< In ascending order.
    WeightedChoice choice{};
  };

  /// @param rows  By source.
  explicit WeightedTable(std::vector<Row> rows) : rows_(std::move(rows)) {}

  NodeId destination(NodeId source, Random& random) const override;
  std::optional<double> share(NodeId source, NodeId destination) const override;

 protected:
  const std::vector<Row>& rows() const { return rows_; }

 private:
  const std::vector<Row> rows_;
};

/// Every node sends all its packets to one fixed node; the destinations are distinct.
class Permutation : public Pattern {
 public:
  explicit Permutation(DestinationTable destinations, std::string note = {})
      : destinations_(std::move(destinations)), note_(std::move(note)) {}

  NodeId destination(NodeId source, Random&) const override { return destinations_[index(source)]; }
  std::string note() const override { return note_; }

 private:
  const DestinationTable destinations_;
  const std::string note_;
};

}  // namespace flitcast
