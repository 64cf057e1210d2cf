// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/rising.h"

namespace flitcast::clos {
namespace {

bool can_verify(const Structure& structure, const MinimumParams& params) {
  return structure.m <= kMostSearchMiddles ||
         (params.counting && structure.m >= never_blocking_middles(structure));
}

}  // namespace

std::vector<MiddleVerdict> check_rising_middles(Structure structure, std::uint32_t first_m,
                                                const MinimumParams& params) {
  std::vector<MiddleVerdict> verdicts;
  structure.m = first_m;
  do {
    verdicts.push_back(check_middles(structure, params));
    ++structure.m;
  } while (verdicts.back().outcome == SearchOutcome::kBlocks && can_verify(structure, params));
  return verdicts;
}

std::vector<RearrangeableVerdict> check_rising_rearrangeable(Structure structure,
                                                             AssignmentKind kind,
                                                             const SearchLimits& limits) {
  std::vector<RearrangeableVerdict> verdicts;
  structure.m = 1;
  do {
    verdicts.push_back(check_rearrangeable(structure, kind, limits));
    ++structure.m;
  } while (verdicts.back().outcome == SearchOutcome::kBlocks && structure.m <= kMostSearchMiddles);
  return verdicts;
}

}  // namespace flitcast::clos
