// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "clos/minimum/configuration.h"
#include "clos/structure.h"

namespace flitcast::clos {

/// The output switches that each input wants to reach, all at once. An output switch is wanted by
/// as many inputs as it has ports at most; which port is whose does not matter.
using Assignment = std::array<SwitchMask, kMostSearchInputs>;

/// Whether an idle network can carry the whole assignment. Tries the links in turn and goes back
/// where it does not get on: exponential at worst. Middle switches that carry nothing yet are all
/// alike; only one of them is tried.
bool has_routing(const Assignment& wanted, const Structure& structure);

/// What all connections of a network together may ask for.
enum class AssignmentKind {
  kPermutations,  ///< Every input one output at most.
  kMulticast,     ///< Every input any set of outputs.
};

/// What is known of a network whose connections may all be moved.
struct RearrangeableVerdict {
  std::uint32_t m = 0;
  SearchOutcome outcome = SearchOutcome::kNoVerdict;  ///< kBlocks: some assignment has no routing.
  std::uint64_t assignments = 0;                      ///< Tried, up to the names of inputs.
  std::optional<Assignment> blocked{};                ///< One without a routing.
};

/// Does every assignment have some routing? Tries all of them, each with a search for a routing.
///
/// An assignment is no easier than a part of it, so that multicast tries only those that use all
/// outputs (of each output switch as many as there are inputs, if these are fewer). All
/// permutations have a routing if and only if m >= n (Slepian and Duguid). Cost: exponential; v(3,
/// 3, 3) has 592704 multicast assignments, few up to the names of inputs. Throws
/// std::invalid_argument for what require_searchable() refuses.
RearrangeableVerdict judge_rearrangeable(const Structure& structure, AssignmentKind kind,
                                         const SearchLimits& limits = {});

}  // namespace flitcast::clos
