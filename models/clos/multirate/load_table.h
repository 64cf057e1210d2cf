// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/multirate/weight.h"
#include "clos/route.h"
#include "clos/structure.h"

namespace flitcast::clos {

/// The sums of the weights on every port and link of a Clos network.
///
/// A connection takes its weight once on its input port, on each output port, on link A(i, j) to
/// each of its middle switches and on each link B(j, k) by which one of them serves k.
class LoadTable {
 public:
  /// Throws std::invalid_argument for what require_buildable() refuses and for more than kMostLinks
  /// links.
  explicit LoadTable(const Structure& structure);
  static constexpr std::uint64_t kMostLinks = 1U << 28;  ///< 1 GiB.

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
  /// Of the links B of all middle switches.
  std::uint64_t output_link_sum() const;

  /// Adds a connection; returns the heaviest of the loads that have grown.
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

}  // namespace flitcast::clos
