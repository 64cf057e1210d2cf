// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/rtl_router.h"
#include "network/fabric_run.h"
#include "support/test_catch.h"

namespace flitcast {

/// Makes Verilated routers of class Rtl for these routers of a fabric, which has to reset them.
template <class Rtl>
std::vector<ExternalSlot> in_rtl(const std::vector<std::uint32_t>& routers,
                                 const RtlRouterShape& shape) {
  const PinsRouterMaker make = [shape](const sc_core::sc_module_name& name,
                                       const pins::Site& place) {
    return std::make_unique<Rtl>(name, place, shape, false);
  };
  std::vector<ExternalSlot> slots;
  for (const std::uint32_t router : routers) slots.push_back({RouterId{router}, make});
  return slots;
}

/// Checks that both runs are drained and have made the same deliveries in the same cycles.
inline void check_same(const FabricRun& run, const FabricRun& reference) {
  CAPTURE(run.fabric->name());
  REQUIRE(run.drained());
  CHECK(run.checksum() == reference.checksum());
  CHECK(run.fabric->flit_hops() == reference.fabric->flit_hops());
}

}  // namespace flitcast
