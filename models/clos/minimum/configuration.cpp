// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/configuration.h"

#include <stdexcept>
#include <string>

namespace flitcast::clos {
namespace {

std::string over(const char* what, std::uint32_t size, std::uint32_t most) {
  if (size <= most) return {};
  return std::string("; ") + what + " " + std::to_string(size) + " is more than " +
         std::to_string(most);
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

}  // namespace flitcast::clos
