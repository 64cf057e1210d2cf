// SPDX-License-Identifier: Apache-2.0
#include <Vmesh_bench.h>

#include <cstdint>
#include <stdexcept>

#include "rtl/bench/rtl_bench.h"
#include "rtl/mesh_traffic.h"

namespace flitcast {
namespace {

constexpr std::uint64_t kCycles = 50'000;

/// @param load  Flits that each node offers in a cycle.
std::uint64_t run(double load) {
  MeshTraffic<Vmesh_bench> traffic(MeshShape{}, {load, 4, 1});
  traffic.run(kCycles);
  if (!traffic.drain(10'000)) throw std::runtime_error("the mesh has lost packets");
  return kCycles;
}

}  // namespace

RtlBench light_mesh_bench() {
  return {"mesh_5", "4x4 mesh of routers, 34-bit flits, 2 VCs of 4 flits, 0.05 flits/node/cycle",
          "cycles", [] { return run(0.05); }};
}

RtlBench heavy_mesh_bench() {
  return {"mesh_30", "the same with 0.30 flits/node/cycle", "cycles", [] { return run(0.3); }};
}

}  // namespace flitcast
