// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "base/random.h"
#include "clos/strategy.h"
#include "config/section.h"
#include "topology/clos_structure.h"

namespace flitcast::claims {

/// A request I, the middle switches that it may use, and their destination sets.
struct ControlInput {
  BitSet wanted;
  BitSet available;
  BitMatrix sets;

  clos::SelectionRequest request() const { return {wanted, available, sets}; }
};

/// The choice of a strategy.
clos::Selection selected_by(const std::string& strategy, const ControlInput& input);

/// The output switches of the request that no available middle switch can serve: Theorem 1.
BitSet unservable(const ControlInput& input);

/// The sets M and I of parameters; all middle switches are available.
/// @param r  Output switches; 0: up to the largest that is named.
ControlInput control_input_of(const Section& parameters, std::size_t r);

/// Random sets, so full that requests take several passes and some are blocked.
ControlInput drawn_input(std::size_t m, std::size_t r, Random& random);

/// v(m, n, r).
clos::Structure network_of(std::size_t m, std::size_t n, std::size_t r);

}  // namespace flitcast::claims
