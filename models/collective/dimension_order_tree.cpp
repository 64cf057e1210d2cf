// SPDX-License-Identifier: Apache-2.0
#include "collective/dimension_order_tree.h"

#include <stdexcept>

namespace flitcast {

Plan dimension_order_broadcast(const Grid&, NodeId, const DimensionOrderTree&) {
  throw std::logic_error("to come");
}

}  // namespace flitcast
