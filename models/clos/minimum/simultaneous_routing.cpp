// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/simultaneous_routing.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace flitcast::clos {
namespace {

/// One output switch that one input wants.
struct Demand {
  std::uint32_t input;
  std::uint32_t k;
};

class RoutingSearch {
 public:
  RoutingSearch(const Assignment& wanted, const Structure& structure) : structure_(structure) {
    for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
      for_each_member(wanted[p], [&](std::uint32_t k) { demands_.push_back({p, k}); });
    }
  }

  /// Routes the demands from this one on; `touched` middle switches, the first ones, carry some.
  bool route_from(std::size_t next, std::uint32_t touched) {
    if (next == demands_.size()) return true;
    const std::uint32_t end = std::min(structure_.m, touched + 1);
    for (std::uint32_t j = 0; j < end; ++j) {
      if (!fits(demands_[next], j)) continue;
      put(demands_[next], j);
      if (route_from(next + 1, std::max(touched, j + 1))) return true;
      take_back(demands_[next], j);
    }
    return false;
  }

 private:
  // Link A(i, j) must not carry another input of the switch, link B(j, k) nothing at all.
  bool fits(const Demand& demand, std::uint32_t j) const {
    if ((busy_[j] >> demand.k & 1) != 0) return false;
    const std::uint32_t first = demand.input / structure_.n1 * structure_.n1;
    for (std::uint32_t p = first; p < first + structure_.n1; ++p) {
      if (p != demand.input && links_[p][j] > 0) return false;
    }
    return true;
  }
  void put(const Demand& demand, std::uint32_t j) {
    busy_[j] |= SwitchMask{1} << demand.k;
    ++links_[demand.input][j];
  }
  void take_back(const Demand& demand, std::uint32_t j) {
    busy_[j] &= ~(SwitchMask{1} << demand.k);
    --links_[demand.input][j];
  }

  Structure structure_;
  std::vector<Demand> demands_;
  std::array<SwitchMask, kMostSearchMiddles> busy_{};  // M_j.
  // Output switches that an input reaches through a middle switch.
  std::array<std::array<std::uint8_t, kMostSearchMiddles>, kMostSearchInputs> links_{};
};

}  // namespace

bool has_routing(const Assignment& wanted, const Structure& structure) {
  return RoutingSearch(wanted, structure).route_from(0, 0);
}

}  // namespace flitcast::clos
