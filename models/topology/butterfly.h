// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// The k-ary n-fly: n stages of k^(n-1) routers of k inputs and k outputs; channels lead from each
/// stage to the next only.
///
/// Router number = stage * k^(n-1) + place. Node i enters at input i mod k of place i / k of the
/// first stage and leaves by output i mod k of place i / k of the last. Output j of place r belongs
/// to channel row r * k + j; behind stage s the wiring exchanges digit 0 with digit n-1-s of the
/// row (base k, digit 0 the lowest). A router sets digit 0, so stage s sets digit n-1-s of the
/// destination.
/// Source: Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, chapter
/// 4.
class Butterfly : public Topology {
 public:
  /// @param arity   k, 2 to kMaxPorts.
  /// @param stages  n, at least 1; n * k^(n-1) and k^n at most kMaxRouters.
  /// Throws std::invalid_argument for other values.
  Butterfly(std::size_t arity, std::size_t stages);

  std::size_t arity() const { return arity_; }
  std::size_t stages() const { return stages_; }
  std::size_t routers_per_stage() const { return router_count() / stages_; }

  /// The digits of a node's number: n dimensions of size k.
  std::vector<std::size_t> node_grid() const override {
    return std::vector<std::size_t>(stages_, arity_);
  }
  /// "level_s" for the channels from stage s to the next.
  std::string channel_class(const Channel& channel) const override {
    return "level_" + std::to_string(index(channel.from.router) / routers_per_stage());
  }
  /// A column for each stage.
  Layout layout() const override;

  /// k^n / 2 for even k and n >= 2: divide the rows by their highest digit. No cut that halves the
  /// nodes is smaller, since uniform traffic loads all channels alike and half of it must cross.
  /// Absent for odd k and for n = 1, where no cut between routers halves the nodes.
  std::optional<std::size_t> bisection_channels() const override;

  /// True if k and n are within the constructor's limits.
  static bool buildable(std::size_t arity, std::size_t stages);

 private:
  std::size_t arity_;
  std::size_t stages_;
};

}  // namespace flitcast
