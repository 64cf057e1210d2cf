// SPDX-License-Identifier: Apache-2.0
#include "clos/multistage.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace flitcast::clos {
namespace {

void add(std::string& problems, const std::string& problem) {
  if (problem.empty()) return;
  if (!problems.empty()) problems += "; ";
  problems += problem;
}

std::string problems_of(std::size_t level, const Structure& structure) {
  try {
    require_buildable(structure);
  } catch (const std::invalid_argument& error) {
    return fmt::format("level {}: {}", level, error.what());
  }
  return "";
}

// Products in 64 bits: the sizes may be out of range.
std::string misfit(std::size_t level, const Structure& outer, const Structure& inner) {
  std::string problems;
  const auto compare = [&](const char* side, std::uint64_t switches, std::uint64_t ports) {
    if (switches == ports) return;
    add(problems,
        fmt::format("level {} has {} {}s, but level {} has {} {} switches; make them equal",
                    level + 1, ports, side, level, switches, side));
  };
  compare("input", outer.r1, std::uint64_t{inner.n1} * inner.r1);
  compare("output", outer.r2, std::uint64_t{inner.n2} * inner.r2);
  return problems;
}

}  // namespace

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

void require_buildable(const MultistageStructure& structure) {
  const std::vector<Structure>& levels = structure.levels;
  std::string problems;
  if (levels.empty()) add(problems, "the network has no level; name at least one");
  std::uint64_t middles = 1;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    add(problems, problems_of(level, levels[level]));
    if (level + 1 < levels.size()) add(problems, misfit(level, levels[level], levels[level + 1]));
    if (middles > kMostMiddles) continue;
    middles *= levels[level].m;
    if (middles > kMostMiddles) {
      add(problems,
          fmt::format("level {} has {} middle switches in all its networks; take at most {}", level,
                      middles, kMostMiddles));
    }
  }
  if (!problems.empty()) throw std::invalid_argument(problems);
}

}  // namespace flitcast::clos
