// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/canonical_form.h"

#include <algorithm>

#include "clos/minimum/switch_colours.h"

namespace flitcast::clos {
namespace {

// 1 + the new number of a middle switch, by 1 + the old one.
using MiddleNames = std::array<RouteWord, kMostSearchMiddles + 1>;

MiddleNames names_of(const MiddleOrders& order, std::uint32_t m) {
  MiddleNames names{};
  for (std::uint32_t place = 0; place < m; ++place) names[order[place] + 1] = place + 1;
  return names;
}

Configuration renamed(const Configuration& routes, const Structure& structure,
                      const OutputOrders& outputs, const MiddleNames& middles) {
  Configuration result{};
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      result[p] |= middles[leg_to(routes[p], outputs[k])] << 4 * k;
    }
  }
  return result;
}

}  // namespace

void CanonicalForm::sort_inputs(Configuration& routes) const {
  const std::uint32_t n = structure_.n1;
  RouteWord* const begin = routes.data();
  RouteWord* const end = begin + structure_.inputs();
  // Insertion sorts: there are few ports and few switches, and they are often sorted already.
  for (RouteWord* ports = begin; ports != end; ports += n) {
    for (std::uint32_t t = 1; t < n; ++t) {
      for (std::uint32_t u = t; u > 0 && ports[u - 1] < ports[u]; --u) {
        std::swap(ports[u - 1], ports[u]);
      }
    }
  }
  for (RouteWord* ports = begin + n; ports < end; ports += n) {
    for (RouteWord* low = ports;
         low != begin && std::lexicographical_compare(low - n, low, low, low + n); low -= n) {
      std::swap_ranges(low - n, low, low);
    }
  }
}

Configuration CanonicalForm::of(const Configuration& routes) const {
  if (symmetry_ == Symmetry::kInputs) {
    Configuration result = routes;
    sort_inputs(result);
    return result;
  }
  const SwitchColours colours = symmetry_ == Symmetry::kOutputs
                                    ? colours_by_middles(routes, structure_)
                                    : colours_by_neighbours(routes, structure_);
  OutputOrders outputs(colours.outputs, structure_.r2);
  MiddleOrders middles(colours.middles, structure_.m);
  Configuration largest{};
  do {
    const MiddleNames names = names_of(middles, structure_.m);
    do {
      Configuration candidate = renamed(routes, structure_, outputs, names);
      sort_inputs(candidate);
      largest = std::max(largest, candidate);
    } while (outputs.next());
  } while (middles.next());
  return largest;
}

}  // namespace flitcast::clos
