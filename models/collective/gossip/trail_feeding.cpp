// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_feeding.h"

namespace flitcast {

namespace {

std::uint32_t half_rounded_up(std::uint32_t number) { return number - number / 2; }

std::uint32_t entries_between(const LoadedTrail& trail, Supplier x, Supplier y) {
  const std::uint32_t begin = trail.last_entry(x.position) + 1;
  const std::uint32_t end = trail.first_entry(y.position);
  return end >= begin ? end - begin : end + trail.entries() - begin;
}

}  // namespace

std::pair<Stream, Stream> feeding(const LoadedTrail& trail, NodeId fed, Supplier one,
                                  Supplier other, std::uint32_t wanted) {
  const bool in_order = entries_between(trail, one, other) <= entries_between(trail, other, one);
  const Supplier x = in_order ? one : other;
  const Supplier y = in_order ? other : one;
  const std::uint32_t between = entries_between(trail, x, y);
  const std::uint32_t outside = wanted - between;
  // X's half of all, not of those between: two roundings upwards could cost it a round more.
  const std::uint32_t inside_of_x = half_rounded_up(wanted) - half_rounded_up(outside);
  return {{trail.node(x.position), fed, x.output, Heading::kForward, trail.last_entry(x.position),
           half_rounded_up(outside), inside_of_x},
          {trail.node(y.position), fed, y.output, Heading::kBackward, trail.first_entry(y.position),
           outside / 2, between - inside_of_x}};
}

}  // namespace flitcast
