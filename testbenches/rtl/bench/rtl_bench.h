// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace flitcast {

/// Benchmark of Verilated RTL.
struct RtlBench {
  const char* name;        ///< Name on the command line.
  const char* what;        ///< Description: the block, its sizes and checks.
  const char* unit;        ///< Unit of the count.
  std::uint64_t (*run)();  ///< Returns the count; std::runtime_error for a wrong result.
};

RtlBench clos_data_path_bench();
std::vector<RtlBench> mesh_benches();
RtlBench seq_adder_bench();

}  // namespace flitcast
