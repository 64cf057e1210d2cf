// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/switch_colours.h"

namespace flitcast::clos {
namespace {

constexpr int kRounds = 3;  // More told no further configurations apart on networks of 9 inputs.

// Different sums of different mixed numbers differ, as good as always. If not, two switches look
// alike that are not: this costs time, nothing else.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}

// Not 0 while the switches have no colours yet: used switches are to differ from unused ones.
std::uint64_t link_colour(std::uint64_t middle, std::uint64_t output) {
  return mix(middle + 3 * output + 1);
}

std::uint64_t connection_colour(RouteWord route, const SwitchColours& colours) {
  std::uint64_t sum = 0;
  for_each_link(route, [&](std::uint32_t middle, std::uint32_t k) {
    sum += link_colour(colours.middles[middle], colours.outputs[k]);
  });
  return mix(sum);
}

// Every used switch gets a colour from its own and those of the links and connections at it.
SwitchColours refined(const Configuration& routes, const Structure& structure,
                      const SwitchColours& colours) {
  SwitchColours result;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    const RouteWord* ports = &routes[i * structure.n1];
    std::uint64_t siblings = 0;
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      siblings += connection_colour(ports[t], colours);
    }
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      const std::uint64_t own = mix(connection_colour(ports[t], colours) + 5 * siblings);
      for_each_link(ports[t], [&](std::uint32_t middle, std::uint32_t k) {
        result.outputs[k] += mix(own + colours.middles[middle]);
        result.middles[middle] += mix(own + colours.outputs[k]);
      });
    }
  }
  return result;
}

}  // namespace

SwitchColours colours_by_middles(const Configuration& routes, const Structure& structure) {
  SwitchColours colours;
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    for_each_link(routes[p], [&](std::uint32_t middle, std::uint32_t k) {
      colours.outputs[k] |= std::uint64_t{1} << middle;
    });
  }
  return colours;
}

SwitchColours colours_by_neighbours(const Configuration& routes, const Structure& structure) {
  SwitchColours colours;
  for (int round = 0; round < kRounds; ++round) colours = refined(routes, structure, colours);
  return colours;
}

}  // namespace flitcast::clos
