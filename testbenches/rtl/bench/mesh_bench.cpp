// SPDX-License-Identifier: Apache-2.0
#include <Vmesh_4x4_bench.h>
#include <Vmesh_8x8_bench.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rtl/bench/rtl_bench.h"
#include "rtl/mesh_traffic.h"

namespace flitcast {
namespace {

constexpr std::uint64_t kCycles = 50'000;

/// @param load  Flits that each node offers per cycle.
template <class Model>
std::uint64_t run(unsigned size, double load) {
  MeshShape shape;
  shape.size = size;
  MeshTraffic<Model> traffic(shape, {load, 4, 1});
  traffic.run(kCycles);
  if (!traffic.drain(10'000)) throw std::runtime_error("the mesh has lost packets");
  return kCycles;
}

}  // namespace

std::vector<RtlBench> mesh_benches() {
  return {
      {"mesh_4x4_5", "4x4 mesh of routers, 34-bit flits, 2 VCs of 4 flits, 0.05 flits/node/cycle",
       "cycles", [] { return run<Vmesh_4x4_bench>(4, 0.05); }},
      {"mesh_4x4_10", "the same with 0.10 flits/node/cycle", "cycles",
       [] { return run<Vmesh_4x4_bench>(4, 0.1); }},
      {"mesh_4x4_30", "the same with 0.30 flits/node/cycle", "cycles",
       [] { return run<Vmesh_4x4_bench>(4, 0.3); }},
      {"mesh_8x8_10", "8x8 mesh of the same, 0.10 flits/node/cycle", "cycles",
       [] { return run<Vmesh_8x8_bench>(8, 0.1); }},
  };
}

}  // namespace flitcast
