// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "clos/minimum/configuration.h"

namespace flitcast::clos {

/// What can happen to a configuration. A request takes the first idle port of its input switch; two
/// input switches with equal routes ask for the same, and so do equal routes of a switch, so that
/// of neighbours that are equal only the first counts.

/// Calls visit(input, wanted) for the requests of every input switch with an idle port for every
/// set of output switches with an idle port, until one returns false. Returns whether none did.
template <class Visit>
bool for_each_request(const Configuration& routes, const LinkUse& links, const Structure& structure,
                      Visit&& visit) {
  const std::uint32_t n = structure.n1;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    const RouteWord* const ports = &routes[i * n];
    if (i > 0 && std::equal(ports, ports + n, ports - n)) continue;
    const auto idle = static_cast<std::uint32_t>(std::find(ports, ports + n, 0U) - ports);
    if (idle == n) continue;
    SwitchMask wanted = 0;
    while ((wanted = (wanted - links.open_outputs) & links.open_outputs) != 0) {
      if (!visit(i * n + idle, wanted)) return false;
    }
  }
  return true;
}

/// Calls visit(input) for the live connections.
template <class Visit>
bool for_each_disconnect(const Configuration& routes, const Structure& structure, Visit&& visit) {
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    if (routes[p] == 0 || (p % structure.n1 > 0 && routes[p] == routes[p - 1])) continue;
    if (!visit(p)) return false;
  }
  return true;
}

}  // namespace flitcast::clos
