// SPDX-License-Identifier: Apache-2.0
#include "stats/checksum_probe.h"

#include <fmt/format.h>

#include "base/random.h"

namespace flitcast {

// Each step mixes all bits of the previous state, so the hash changes if two of the three numbers
// are exchanged, or if one grows by as much as another shrinks.
void ChecksumProbe::delivered(const Delivery& delivery) {
  std::uint64_t hash = Random(index(delivery.packet.id)).next();
  hash = Random(hash ^ index(delivery.arrival)).next();
  sum_ += Random(hash ^ index(delivery.node)).next();
}

std::string ChecksumProbe::text() const { return fmt::format("{:016x}", sum_); }

}  // namespace flitcast
