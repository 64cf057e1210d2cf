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

/// Whether lock-step finds the fault in register bit `place` of the RTL within `cycles` cycles. The
/// bit is held after every edge, or turned over after one edge of 16.
template <class Bench>
bool fault_is_found(Bench& bench, std::size_t place, Fault fault, std::uint64_t cycles) {
  bench.rtl()->contextp()->assertOn(false);  // The outputs are to show it.
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

/// One of so many register bits gets faults: `by_default`, unless FLITCAST_FAULT_STRIDE in the
/// environment says how many; 1 is meant for a thorough run of a test program by hand, outside of
/// ctest's time limit.
inline std::size_t fault_stride(std::size_t by_default) {
  return static_cast<std::size_t>(positive_of("FLITCAST_FAULT_STRIDE", by_default));
}

/// Seeds every fault in turn, in each `stride`th of the register bits with `part` in their names,
/// in a new bench each; returns those that the lock-step did not find within `cycles` cycles, such
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

/// What faults_not_found(make, stride, ...) returned, without the faults in which one of the rules,
/// regular expressions, is found: nobody can see those. If every bit had its faults, a rule for
/// none of them is in the result, too: it is out of date.
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

/// Of round-robin arbiters: requester 0 comes after nobody.
inline const char* const kRequester0IsLater = "later_q\\[0\\] stuck at 0";

}  // namespace flitcast
