// SPDX-License-Identifier: Apache-2.0
#include "clos/structure.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace flitcast::clos {
namespace {

struct Size {
  const char* name;
  std::uint64_t value;
};

}  // namespace

void require_buildable(const Structure& structure) {
  std::string problems;
  const auto add = [&](const std::string& problem) {
    if (!problems.empty()) problems += "; ";
    problems += problem;
  };
  for (const Size& size :
       {Size{"m", structure.m}, Size{"n1", structure.n1}, Size{"r1", structure.r1},
        Size{"n2", structure.n2}, Size{"r2", structure.r2}}) {
    if (size.value == 0) add(fmt::format("{} is 0; take at least 1", size.name));
    if (size.value > kMostSwitches) {
      add(fmt::format("{} is {}; take at most {}", size.name, size.value, kMostSwitches));
    }
  }
  for (const Size& ports : {Size{"inputs", std::uint64_t{structure.n1} * structure.r1},
                            Size{"outputs", std::uint64_t{structure.n2} * structure.r2}}) {
    if (ports.value > kMostPorts) {
      add(fmt::format("{} {}; take at most {}", ports.value, ports.name, kMostPorts));
    }
  }
  if (!problems.empty()) throw std::invalid_argument(problems);
}

std::string to_text(const Structure& s) {
  return s.is_symmetric() ? fmt::format("v({}, {}, {})", s.m, s.n1, s.r1)
                          : fmt::format("v({}, {}, {}, {}, {})", s.m, s.n1, s.r1, s.n2, s.r2);
}

}  // namespace flitcast::clos
