// SPDX-License-Identifier: Apache-2.0
#include "topology/generalised_hypercube.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace flitcast {
namespace {

std::string name_of_sizes(const std::vector<std::size_t>& sizes) {
  std::string name = "generalised hypercube";
  char separator = ' ';
  for (const std::size_t size : sizes) {
    name += separator + std::to_string(size);
    separator = 'x';
  }
  return name;
}

}  // namespace

GeneralisedHypercube::GeneralisedHypercube(std::vector<std::size_t> sizes)
    : Topology(name_of_sizes(sizes)), sizes_(std::move(sizes)), first_ports_{0} {
  std::size_t routers = 1;
  for (const std::size_t size : sizes_) {
    strides_.push_back(routers);
    routers = bounded_product({routers, size});
    first_ports_.push_back(first_ports_.back() + std::min(size, kMaxPorts + 1) - 1);
  }
  require_buildable(sizes_.empty() ? 0 : routers, first_ports_.back() + 1);
  for (std::size_t r = 0; r < routers; ++r) {
    const RouterId router = add_router(first_ports_.back() + 1, first_ports_.back() + 1);
    add_node({{router, local()}, {router, local()}});
    for (std::size_t d = 0; d < dimensions(); ++d) connect(r, d);
  }
}

void GeneralisedHypercube::connect(std::size_t router, std::size_t dimension) {
  const std::size_t size = sizes_[dimension];
  const std::size_t x = router / strides_[dimension] % size;
  const auto port = [&](std::size_t q) {
    return PortId{static_cast<std::uint16_t>(first_ports_[dimension] + q)};
  };
  for (std::size_t q = 0; q + 1 < size; ++q) {
    const std::size_t there = (x + q + 1) % size;
    const std::size_t neighbour = router + there * strides_[dimension] - x * strides_[dimension];
    // Counted from the neighbour, this router is size - q - 1 ahead.
    add_channel(
        {{to_id<RouterId>(router), port(q)}, {to_id<RouterId>(neighbour), port(size - q - 2)}});
  }
}

std::optional<std::size_t> GeneralisedHypercube::bisection_channels() const {
  std::vector<std::size_t> slowest_first = sizes_;
  std::sort(slowest_first.begin(), slowest_first.end());
  std::size_t block = node_count();  // Routers of the part to be divided.
  std::size_t here = block / 2;      // Routers of that part in the first half.
  std::size_t links = 0;
  for (const std::size_t size : slowest_first) {
    block /= size;
    const std::size_t whole = here / block;
    here %= block;
    links += here * (whole + 1) * (size - whole - 1) + (block - here) * whole * (size - whole);
  }
  return 2 * links;
}

}  // namespace flitcast
