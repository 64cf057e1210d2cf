// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/route.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Bandwidth in units of 1 / W of the capacity of a link or port.
using Weight = std::uint32_t;

/// The capacity of a link, and the least weight of a connection.
struct WeightRange {
  Weight capacity = 1;  ///< W, from 1 to kMostCapacity.
  Weight least = 1;     ///< b W, from 1 to the capacity.

  /// K: most connections that share a link.
  Weight connections_per_link() const { return capacity / least; }
};

inline constexpr Weight kMostCapacity = 1U << 30;

/// A request for a multicast that takes its weight from every port and link that carries it.
struct MultirateRequest {
  InputId input{};
  std::vector<OutputId> outputs{};
  Weight weight = 1;
};

/// The sums of the weights on every port and link of a Clos network.
///
/// A connection takes its weight once on its input port, on each output port, on link A(i, j) to
/// each of its middle switches and on each link B(j, k) by which one of them serves k.
class LoadTable {
 public:
  /// Throws std::invalid_argument for what require_buildable() refuses and for more than kMostLinks
  /// links.
  explicit LoadTable(const Structure& structure);
  static constexpr std::uint64_t kMostLinks = 1U
                                              << 28;  ///< A table of this many links takes 1 GiB.

  const Structure& structure() const { return structure_; }
  Weight load(InputId input) const { return inputs_[index(input)]; }
  Weight load(OutputId output) const { return outputs_[index(output)]; }
  /// The loads of the links A(i, 0) .. A(i, m - 1).
  const Weight* input_links(std::uint32_t input_switch) const {
    return input_links_.data() + std::size_t{input_switch} * structure_.m;
  }
  /// The loads of the links B(j, 0) .. B(j, r2 - 1).
  const Weight* output_links(MiddleId middle) const {
    return output_links_.data() + std::size_t{index(middle)} * structure_.r2;
  }
  /// The loads of the links B of all middle switches.
  std::uint64_t output_link_sum() const;

  /// Adds a connection; returns the largest of the loads that have grown.
  Weight add(const MultirateRequest& request, const Route& route);
  void remove(const MultirateRequest& request, const Route& route);

  friend bool operator==(const LoadTable& a, const LoadTable& b) {
    return a.inputs_ == b.inputs_ && a.outputs_ == b.outputs_ && a.input_links_ == b.input_links_ &&
           a.output_links_ == b.output_links_;
  }
  friend bool operator!=(const LoadTable& a, const LoadTable& b) { return !(a == b); }

 private:
  template <class Change>
  void for_each(const MultirateRequest& request, const Route& route, Change&& change);

  Structure structure_;
  std::vector<Weight> inputs_;
  std::vector<Weight> outputs_;
  std::vector<Weight> input_links_;   ///< r1 rows of m.
  std::vector<Weight> output_links_;  ///< m rows of r2.
};

/// The number of a connection, counted from 0. Inputs do not identify connections, because they
/// share ports.
enum class ConnectionId : std::uint64_t {};

struct MultirateConnection {
  ConnectionId id{};
  MultirateRequest request;
  Route route;
};

/// The connections of a Clos network whose ports and links carry several connections, as long as
/// their weights add up to at most the capacity. Weights are integers, so sums are exact.
/// Source: CS838 lecture notes (1999), "Generalization to multirate network".
class MultirateState {
 public:
  /// Throws std::invalid_argument for what LoadTable refuses and for weights out of range.
  MultirateState(const Structure& structure, const WeightRange& weights);

  const Structure& structure() const { return loads_.structure(); }
  const WeightRange& weights() const { return weights_; }
  const LoadTable& loads() const { return loads_; }
  /// The live connections in ascending order of ids.
  const std::vector<MultirateConnection>& connections() const { return connections_; }

  /// True if an input or output port has space for the weight.
  bool fits(InputId input, Weight weight) const { return fits(loads_.load(input), weight); }
  bool fits(OutputId output, Weight weight) const { return fits(loads_.load(output), weight); }
  /// avail(i, w): the middle switches with space on link A(i, j). O(m).
  void find_available(std::uint32_t input_switch, Weight weight, BitSet& middles) const;
  /// M_{j,w} in row j: the output switches without space on link B(j, k). O(m r2).
  void find_destination_sets(Weight weight, BitMatrix& sets) const;

  /// Throws InvalidRequest unless the weight is in range, the outputs are distinct and not empty,
  /// and all ports exist and have space; names every reason.
  void require_valid(const MultirateRequest& request) const;

  /// Enters the connection of a valid request by a matching route, under the next number.
  /// Throws std::logic_error if a link overflows or the served sets are no disjoint cover of the
  /// output switches; the state is unusable then.
  ConnectionId connect(const MultirateRequest& request, const Route& route);
  /// Ends a connection; InvalidRequest if none has that number. O(live connections).
  void disconnect(ConnectionId id);

  /// Throws std::logic_error unless every load is the sum of the weights there and at most the
  /// capacity, ids ascend, and every route is a disjoint cover.
  void verify() const;

 private:
  bool fits(Weight load, Weight weight) const { return weight <= weights_.capacity - load; }
  void enter(LoadTable& loads, const MultirateConnection& connection) const;

  WeightRange weights_;
  LoadTable loads_;
  std::vector<MultirateConnection> connections_;
  std::uint64_t next_id_ = 0;
};

}  // namespace flitcast::clos
