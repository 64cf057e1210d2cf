// SPDX-License-Identifier: Apache-2.0
// usage: flitcast-rtl-bench [NAME...]     default: all benches
//
// Prints one line for each benchmark: the best of three runs, per second of CPU time of this
// process. Exits with 1 for a wrong result and with 2 for an unknown name.
#include "rtl/bench/rtl_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using flitcast::RtlBench;

std::vector<RtlBench> all_benches() {
  std::vector<RtlBench> all = flitcast::mesh_benches();
  all.push_back(flitcast::clos_data_path_bench());
  all.push_back(flitcast::seq_adder_bench());
  return all;
}

double best_rate(const RtlBench& bench) {
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();
    const auto count = static_cast<double>(bench.run());
    const auto seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, count / seconds);
  }
  return best;
}

/// Returns the named benchmarks, or all without names; throws std::invalid_argument for an unknown
/// name.
std::vector<RtlBench> chosen(const std::vector<std::string>& names) {
  const std::vector<RtlBench> all = all_benches();
  if (names.empty()) return all;
  std::vector<RtlBench> result;
  for (const std::string& name : names) {
    const auto bench =
        std::find_if(all.begin(), all.end(), [&](const RtlBench& b) { return b.name == name; });
    if (bench == all.end()) {
      std::string known;
      for (const RtlBench& b : all) known += std::string(" ") + b.name;
      throw std::invalid_argument(fmt::format("no bench \"{}\"; there are:{}", name, known));
    }
    result.push_back(*bench);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (const RtlBench& bench : chosen({argv + 1, argv + argc})) {
      fmt::print("{:<24} {:>10.0f} {}/s   {}\n", bench.name, best_rate(bench), bench.unit,
                 bench.what);
    }
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "flitcast-rtl-bench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "flitcast-rtl-bench: {}\n", error.what());
    return 1;
  }
}
