// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace flitcast {

/// A bench of Verilated RTL.
struct RtlBench {
  const char* name;        ///< What users call it.
  const char* what;        ///< What it runs and checks, with its sizes.
  const char* unit;        ///< What it counts.
  std::uint64_t (*run)();  ///< Returns how many; std::runtime_error for a wrong result.
};

RtlBench clos_data_path_bench();
std::vector<RtlBench> mesh_benches();
RtlBench seq_adder_bench();

}  // namespace flitcast
