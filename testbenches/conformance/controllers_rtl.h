// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"

namespace flitcast::conformance {

/// The answer of a design of the Clos controller in RTL to a request.
struct RtlAnswer {
  std::string design;  ///< seq_counter, ...; see clos_controllers_tb.sv.
  /// Clocks from LOAD on, including COMMIT after the last beat if not blocked.
  std::uint64_t clocks = 0;
  std::uint64_t passes = 0;
  std::string route;  ///< "1:25 7:18", or "BLOCKED".
};

/// Throws InputError, with the hint, if Verilator is not installed.
void require_rtl();

/// Serves a request in every design, with m and r as in `store`. The first request of a size takes
/// seconds for Verilator and the compiler; the result is kept in the build folder.
/// Throws std::runtime_error if the size cannot be built or a design does not end.
std::vector<RtlAnswer> serve_in_rtl(const BitSet& wanted, const BitSet& available,
                                    const BitMatrix& store);

}  // namespace flitcast::conformance
