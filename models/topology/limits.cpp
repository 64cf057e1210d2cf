// SPDX-License-Identifier: Apache-2.0
#include "topology/limits.h"

#include <stdexcept>

namespace flitcast {

std::size_t bounded_product(const std::vector<std::size_t>& sizes) {
  std::size_t product = 1;
  for (const std::size_t size : sizes) {
    if (size == 0) return 0;
    if (product > kMaxRouters / size) return kMaxRouters + 1;
    product *= size;
  }
  return product;
}

void require_buildable(std::size_t routers, std::size_t ports) {
  if (routers == 0) throw std::invalid_argument("a topology has at least one router");
  if (routers > kMaxRouters) throw std::invalid_argument("more routers than kMaxRouters");
  if (ports > kMaxPorts) throw std::invalid_argument("more ports per router than kMaxPorts");
}

}  // namespace flitcast
