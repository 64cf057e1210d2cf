// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "cosim/cosim.h"
#include "cosim/cosim_cycles.h"
#include "cosim/registers.h"

namespace flitcast {

enum class Fault { kStuckAt0, kStuckAt1, kFlipping };

inline constexpr std::array<Fault, 3> kFaults{Fault::kStuckAt0, Fault::kStuckAt1, Fault::kFlipping};

inline std::string text(Fault fault) {
  static const std::array<std::string, 3> kTexts{" stuck at 0", " stuck at 1", " flipping"};
  return kTexts[static_cast<std::size_t>(fault)];
}

/// True if the lock-step finds the fault in register bit `place` of the RTL within `cycles` cycles.
/// A stuck bit is forced after every edge; a flipping bit is inverted after one edge of 16 on
/// average.
template <class Bench>
bool fault_is_found(Bench& bench, std::size_t place, Fault fault, std::uint64_t cycles) {
  bench.rtl()->contextp()->assertOn(false);  // The outputs must reveal the fault.
  auto bits = register_bits(*bench.rtl()->contextp());
  RegisterBit& bit = bits.at(place);
  std::mt19937 random(static_cast<std::uint32_t>(place));
  Lockstep lockstep;
  while (!lockstep.first_difference() && lockstep.cycles() < cycles) {
    if (fault != Fault::kFlipping) {
      bit.set(fault == Fault::kStuckAt1);
    } else if (random() % 16 == 0) {
      bit.set(!bit.value());
    }
    step_cosim(bench, lockstep);
  }
  return lockstep.first_difference().has_value();
}

/// Stride of fault injection, one register bit of this many: `by_default`, or FLITCAST_FAULT_STRIDE
/// if the environment sets it; 1 is meant for a thorough manual run of a test program, outside of
/// ctest's time limit.
inline std::size_t fault_stride(std::size_t by_default) {
  return static_cast<std::size_t>(positive_of("FLITCAST_FAULT_STRIDE", by_default));
}

/// Injects every fault in turn, in each `stride`th of the register bits with `part` in their names,
/// each in a new bench; returns those that the lock-step does not find within `cycles` cycles, such
/// as "later_q[0] stuck at 0".
template <class MakeBench>
std::vector<std::string> faults_not_found(const MakeBench& make, std::size_t stride = 1,
                                          const std::string& part = "",
                                          std::uint64_t cycles = 10'000) {
  stride = fault_stride(stride);
  std::vector<std::pair<std::string, std::size_t>> seeds;
  {
    testing::install_fresh_kernel();
    auto bench = make();
    std::size_t place = 0;
    for (const auto& bit : register_bits(*bench.rtl()->contextp())) {
      if (bit.name().find(part) != std::string::npos) seeds.emplace_back(bit.name(), place);
      ++place;
    }
  }
  REQUIRE(!seeds.empty());
  std::vector<std::string> missed;
  for (std::size_t s = 0; s < seeds.size(); s += stride) {
    const auto& [name, place] = seeds[s];
    for (const Fault fault : kFaults) {
      testing::install_fresh_kernel();
      auto bench = make();
      if (!fault_is_found(bench, place, fault, cycles)) missed.push_back(name + text(fault));
    }
  }
  SUCCEED("faults in " << (seeds.size() + stride - 1) / stride << " register bits of "
                       << seeds.size() << ": " << missed.size() << " not found");
  return missed;
}

/// Returns the result of faults_not_found(make, stride, ...) without the faults that match one of
/// the rules, regular expressions for unobservable faults. If every bit has been tested, the result
/// also names each rule that matches no fault, because it is out of date.
inline std::vector<std::string> unexplained(std::vector<std::string> missed,
                                            const std::vector<std::string>& rules,
                                            std::size_t stride = 1) {
  const bool every_bit = fault_stride(stride) == 1;
  for (const std::string& rule : rules) {
    const auto explained = [pattern = std::regex(rule)](const std::string& fault) {
      return std::regex_search(fault, pattern);
    };
    const auto end = std::remove_if(missed.begin(), missed.end(), explained);
    if (end != missed.end()) {
      missed.erase(end, missed.end());
    } else if (every_bit) {
      missed.push_back("no miss for the rule " + rule);
    }
  }
  return missed;
}

/// Round-robin arbiters: no requester has a lower number than requester 0, so its bit is always 0.
inline const char* const kRequester0IsLater = "later_(outputs_|vcs_)?q\\[0\\] stuck at 0";

}  // namespace flitcast
