// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail.h"

#include "collective/paths.h"

namespace flitcast {

Trail follow(const Grid& torus, TrailPosition start, const ForwardingRule& forward) {
  Trail trail;
  TrailPosition here = start;
  do {
    trail.push_back(here);
    const NodeId next = neighbour(torus, here.node, here.output);
    here = {next, forward(next, opposite(here.output))};
  } while (!(here == start));
  return trail;
}

}  // namespace flitcast
