// SPDX-License-Identifier: Apache-2.0
#include "topology/clos_structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "config/wording.h"

namespace flitcast::clos {
namespace {

struct Size {
  const char* name;
  std::uint64_t value;
};

}  // namespace

void require_buildable(const Structure& structure) {
  std::vector<std::string> problems;
  for (const Size& size :
       {Size{"m", structure.m}, Size{"n1", structure.n1}, Size{"r1", structure.r1},
        Size{"n2", structure.n2}, Size{"r2", structure.r2}}) {
    if (size.value == 0) problems.push_back(fmt::format("{} is 0; take at least 1", size.name));
    if (size.value > kMostSwitches) {
      problems.push_back(
          fmt::format("{} is {}; take at most {}", size.name, size.value, kMostSwitches));
    }
  }
  for (const Size& ports : {Size{"inputs", std::uint64_t{structure.n1} * structure.r1},
                            Size{"outputs", std::uint64_t{structure.n2} * structure.r2}}) {
    if (ports.value > kMostPorts) {
      problems.push_back(
          fmt::format("{} {}; take at most {}", ports.value, ports.name, kMostPorts));
    }
  }
  if (!problems.empty()) throw std::invalid_argument(joined(problems, "; "));
}

std::string to_text(const Structure& s) {
  return s.is_symmetric() ? fmt::format("v({}, {}, {})", s.m, s.n1, s.r1)
                          : fmt::format("v({}, {}, {}, {}, {})", s.m, s.n1, s.r1, s.n2, s.r2);
}

std::uint64_t MultistageStructure::networks(std::size_t level) const {
  std::uint64_t product = 1;
  for (std::size_t outer = 0; outer < level; ++outer) product *= levels[outer].m;
  return product;
}

}  // namespace flitcast::clos
