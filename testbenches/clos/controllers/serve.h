// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "clos/controllers/control_unit.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// Clocks the unit until it has served a request; `selection` then has the route in the form of a
/// strategy's answer. Edges before the accepting one do not count.
/// @return the clocks of the request.
inline std::uint64_t serve(ControlUnit& unit, const ControlUnit::Request& request,
                           Selection& selection) {
  while (!unit.ready()) unit.edge(nullptr);
  selection.clear();
  std::size_t passes = 0;
  std::uint64_t clocks = 1;
  for (unit.edge(&request); !unit.done() && !unit.blocked(); unit.edge(nullptr)) {
    if (unit.leg_valid()) {
      ++passes;
      selection.add(unit.leg().middle, unit.leg().served.words());
    }
    ++clocks;
  }
  if (unit.blocked()) {
    ++passes;
    selection.block();
  }
  selection.set_passes(passes);
  return clocks;
}

}  // namespace flitcast::clos
