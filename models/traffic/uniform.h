// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "traffic/pattern.h"

namespace flitcast {

/// Every node is equally likely, anew for every packet.
class Uniform : public Pattern {
 public:
  /// @param node_count    At least 1; at least 2 without the source, else std::invalid_argument.
  /// @param include_self  Whether a node may send to itself, as in the usual definition.
  explicit Uniform(std::size_t node_count, bool include_self = true);

  NodeId destination(NodeId source, Random& random) const override;

 private:
  const std::uint64_t node_count_;
  const bool include_self_;
};

}  // namespace flitcast
