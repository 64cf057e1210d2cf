// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/configuration.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace flitcast::clos {
namespace {

std::string over(const char* what, std::uint32_t size, std::uint32_t most) {
  if (size <= most) return {};
  return std::string("; ") + what + " " + std::to_string(size) + " is more than " +
         std::to_string(most);
}

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

void require_searchable(const Structure& structure) {
  require_buildable(structure);
  const std::string problems = over("inputs", structure.inputs(), kMostSearchInputs) +
                               over("outputs", structure.outputs(), kMostSearchOutputs) +
                               over("output switches", structure.r2, kMostSearchOutputSwitches) +
                               over("middle switches", structure.m, kMostSearchMiddles);
  if (!problems.empty()) {
    throw std::invalid_argument(to_text(structure) + " is too large for an exhaustive search" +
                                problems + "; choose smaller switches");
  }
}

LinkUse::LinkUse(const Configuration& routes, const Structure& structure) {
  std::array<std::uint32_t, kMostSearchOutputSwitches> ports{};
  const SwitchMask all_middles = (SwitchMask{1} << structure.m) - 1;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    SwitchMask used = 0;
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      for_each_link(routes[i * structure.n1 + t], [&](std::uint32_t middle, std::uint32_t k) {
        used |= SwitchMask{1} << middle;
        busy[middle] |= SwitchMask{1} << k;
        ++ports[k];
      });
    }
    available[i] = all_middles & ~used;
  }
  for (std::uint32_t k = 0; k < structure.r2; ++k) {
    if (ports[k] < structure.n2) open_outputs |= SwitchMask{1} << k;
  }
}

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
