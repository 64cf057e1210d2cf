// SPDX-License-Identifier: Apache-2.0
#include "clos/structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace flitcast::clos {
namespace {

using Problems = std::vector<std::string>;

void refuse_for(const Problems& problems) {
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "; ")));
}

struct Size {
  const char* name;
  std::uint64_t value;
};

Problems problems_of(const Structure& structure) {
  Problems problems;
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
  return problems;
}

// Products in 64 bits: the sizes may be out of range.
Problems misfits(std::size_t level, const Structure& outer, const Structure& inner) {
  Problems problems;
  const auto compare = [&](const char* side, std::uint64_t switches, std::uint64_t ports) {
    if (switches == ports) return;
    problems.push_back(
        fmt::format("level {} has {} {}s, but level {} has {} {} switches; make them equal",
                    level + 1, ports, side, level, switches, side));
  };
  compare("input", outer.r1, std::uint64_t{inner.n1} * inner.r1);
  compare("output", outer.r2, std::uint64_t{inner.n2} * inner.r2);
  return problems;
}

}  // namespace

void require_buildable(const Structure& structure) { refuse_for(problems_of(structure)); }

std::string to_text(const Structure& s) {
  return s.is_symmetric() ? fmt::format("v({}, {}, {})", s.m, s.n1, s.r1)
                          : fmt::format("v({}, {}, {}, {}, {})", s.m, s.n1, s.r1, s.n2, s.r2);
}

std::uint64_t MultistageStructure::networks(std::size_t level) const {
  std::uint64_t product = 1;
  for (std::size_t outer = 0; outer < level; ++outer) product *= levels[outer].m;
  return product;
}

std::uint64_t MultistageStructure::crosspoints() const {
  std::uint64_t sum = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const Structure& s = levels[level];
    // Input and output switches; middle switches count where they are crossbars.
    sum += networks(level) * s.m * (std::uint64_t{s.inputs()} + s.outputs());
  }
  const Structure& innermost = levels.back();
  return sum + networks(levels.size()) * innermost.r1 * innermost.r2;
}

MultistageStructure structure_of(const Clos& topology) {
  MultistageStructure structure;
  Clos::Network network = topology.network();
  for (std::size_t depth = 0; depth < topology.levels().size(); ++depth) {
    if (depth > 0) network = network.middle_network(0);
    const Clos::Level& level = network.level();
    const auto size = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
    structure.levels.push_back({size(level.middle_switches), size(level.ports),
                                size(network.switches()), size(level.output_ports),
                                size(network.output_switches())});
  }
  return structure;
}

void require_buildable(const MultistageStructure& structure) {
  const std::vector<Structure>& levels = structure.levels;
  Problems problems;
  if (levels.empty()) problems.emplace_back("the network has no level; name at least one");
  std::uint64_t middles = 1;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const Problems own = problems_of(levels[level]);
    if (!own.empty()) problems.push_back(fmt::format("level {}: {}", level, fmt::join(own, "; ")));
    if (level + 1 < levels.size()) {
      const Problems fit = misfits(level, levels[level], levels[level + 1]);
      problems.insert(problems.end(), fit.begin(), fit.end());
    }
    if (middles > kMostMiddles) continue;
    middles *= levels[level].m;
    if (middles > kMostMiddles) {
      problems.push_back(
          fmt::format("level {} has {} middle switches in all its networks; take at most {}", level,
                      middles, kMostMiddles));
    }
  }
  refuse_for(problems);
}

}  // namespace flitcast::clos
