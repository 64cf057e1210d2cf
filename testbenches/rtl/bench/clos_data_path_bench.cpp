// SPDX-License-Identifier: Apache-2.0
#include <Vclos_data_path_bench.h>

#include <array>
#include <stdexcept>

#include "rtl/bench/rtl_bench.h"
#include "rtl/clos_paths.h"
#include "rtl/verilated_bench.h"

namespace flitcast {
namespace {

constexpr std::uint32_t kPorts = 4;  // Ports of each outer switch, and switches of each stage.
constexpr std::uint32_t kNodes = kPorts * kPorts;
constexpr std::uint32_t kCycles = 2'000'000;
constexpr std::uint32_t kLatency = 3;

using Rtl = Vclos_data_path_bench;
using Sources = std::array<std::uint32_t, kNodes>;  ///< Input of each output.

constexpr std::uint32_t flit(std::uint32_t cycle, std::uint32_t input) {
  return cycle * 0x9e3779b9 + input * 0x01000193;
}

/// Connects input p of switch i through middle switch p to output p of switch i + p.
Sources connect_all(VerilatedBench<Rtl>& rtl) {
  using Stage = clos::SwitchSetting::Stage;
  ClosPaths<Rtl> paths(*rtl.operator->(), clos::Structure::symmetric(13, kPorts, kPorts));
  Sources sources{};
  paths.leave();
  rtl.reset();
  for (std::uint32_t i = 0; i < kPorts; ++i) {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      const std::uint32_t k = (i + p) % kPorts;
      paths.write({{{}, Stage::kInput, i, p, {p}},
                   {{}, Stage::kMiddle, p, i, {k}},
                   {{}, Stage::kOutput, k, p, {p}}},
                  true);
      sources[k * kPorts + p] = i * kPorts + p;
    }
  }
  rtl.edge();
  paths.leave();
  return sources;
}

void check(Rtl& rtl, const Sources& sources, std::uint32_t cycle) {
  bool right = rtl.out_valid_o == (1U << kNodes) - 1;
  for (std::uint32_t output = 0; output < kNodes; ++output) {
    right &= rtl.out_flit_o[output] == flit(cycle, sources[output]);
  }
  if (!right) throw std::runtime_error("clos_data_path: a wrong flit at an output");
}

std::uint64_t run() {
  VerilatedBench<Rtl> rtl;
  rtl->in_valid_i = 0;
  const Sources sources = connect_all(rtl);
  rtl->in_valid_i = (1U << kNodes) - 1;
  for (std::uint32_t cycle = 0; cycle < kCycles; ++cycle) {
    for (std::uint32_t input = 0; input < kNodes; ++input) {
      rtl->in_flit_i[input] = flit(cycle, input);
    }
    rtl.edge();
    if (cycle + 1 >= kLatency) check(*rtl.operator->(), sources, cycle + 1 - kLatency);
  }
  return kCycles;
}

}  // namespace

RtlBench clos_data_path_bench() {
  return {"clos_data_path", "v(13, 4, 4), 16 inputs of 32 bits busy, every output checked",
          "cycles", run};
}

}  // namespace flitcast
