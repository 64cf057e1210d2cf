// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <tlm>
#include <utility>

#include "tlm/address_map.h"

namespace flitcast::tlm {

/// Converts a range of target addresses, ends included, to initiator addresses, cut to the window.
/// Returns false and changes nothing if the window does not overlap the range.
inline bool show_to_initiator(sc_dt::uint64& start, sc_dt::uint64& end, const Window& window) {
  const std::uint64_t first = std::max<std::uint64_t>(start, window.offset);
  const std::uint64_t last = std::min<std::uint64_t>(end, window.to_target(window.last()));
  if (first > last) return false;
  start = window.to_initiator(first);
  end = window.to_initiator(last);
  return true;
}

/// Converts a region of direct memory in the same way; its pointer moves with its first byte.
inline bool show_to_initiator(::tlm::tlm_dmi& region, const Window& window) {
  sc_dt::uint64 start = region.get_start_address();
  sc_dt::uint64 end = region.get_end_address();
  const sc_dt::uint64 before = start;
  if (!show_to_initiator(start, end, window)) return false;
  if (region.get_dmi_ptr() != nullptr) {
    region.set_dmi_ptr(region.get_dmi_ptr() + (window.to_target(start) - before));
  }
  region.set_start_address(start);
  region.set_end_address(end);
  return true;
}

}  // namespace flitcast::tlm
