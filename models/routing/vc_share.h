// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "routing/routing.h"

namespace flitcast {

/// The VCs of a class, numbered from 0, where C classes divide V virtual channels: class c has the
/// VCs from c V / C up to the first VC of class c + 1. With fewer VCs than classes, which can
/// deadlock, the highest classes share a VC.
inline VcSet vc_share(std::size_t of_class, std::size_t classes, std::size_t virtual_channels) {
  const std::size_t shares = std::min(classes, virtual_channels);
  const std::size_t share = std::min(of_class, shares - 1);
  const std::size_t first = share * virtual_channels / shares;
  return vc_range(first, (share + 1) * virtual_channels / shares - first);
}

}  // namespace flitcast
