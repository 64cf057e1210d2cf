// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/packing.h"

#include <algorithm>

namespace flitcast::clos {
namespace {

std::uint32_t bits_for(std::uint32_t largest) {
  std::uint32_t bits = 0;
  while (largest >> bits != 0) ++bits;
  return bits;
}

// Ports do not straddle words.
std::size_t words_for(std::uint32_t ports, std::uint32_t bits) {
  const std::uint32_t ports_per_word = 64 / bits;
  return (ports + ports_per_word - 1) / ports_per_word;
}

}  // namespace

Packing::Packing(const Structure& structure)
    : structure_(structure),
      bits_(bits_for(structure.inputs() * structure.m)),
      words_(words_for(structure.outputs(), bits_)) {}

void Packing::pack(const Configuration& routes, std::uint64_t* words) const {
  std::fill_n(words, words_, 0);
  const std::uint32_t ports_per_word = 64 / bits_;
  std::array<std::uint32_t, kMostSearchOutputSwitches> taken{};
  for (std::uint32_t p = 0; p < structure_.inputs(); ++p) {
    for_each_link(routes[p], [&](std::uint32_t middle, std::uint32_t k) {
      const std::uint32_t port = k * structure_.n2 + taken[k]++;
      const std::uint64_t code = 1 + p * structure_.m + middle;
      words[port / ports_per_word] |= code << port % ports_per_word * bits_;
    });
  }
}

Configuration Packing::unpack(const std::uint64_t* words) const {
  Configuration routes{};
  const std::uint32_t ports_per_word = 64 / bits_;
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  for (std::uint32_t port = 0; port < structure_.outputs(); ++port) {
    const std::uint64_t code = words[port / ports_per_word] >> port % ports_per_word * bits_ & mask;
    if (code == 0) continue;
    const auto link = static_cast<std::uint32_t>(code - 1);
    routes[link / structure_.m] |= leg_word(link % structure_.m, port / structure_.n2);
  }
  return routes;
}

}  // namespace flitcast::clos
