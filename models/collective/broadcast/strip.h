// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace flitcast {

/// Neighbouring places of a line that one of them, the owner, has to inform.
struct Strip {
  std::int64_t owner = 0;
  std::int64_t below = 0;  ///< Places before the owner
  std::int64_t above = 0;  ///< and after it.

  std::int64_t size() const { return below + 1 + above; }
};

/// A part of a strip that is handed over to an owner of its own.
struct HandedStrip {
  Strip strip;
  bool far = false;  ///< There is another part between this one and the old owner.
};

/// The strip of `size` places from `first` on; its owner sits in the middle, or just before it.
Strip centred_strip(std::int64_t first, std::int64_t size);

/// Cuts a strip into a middle part, which the owner keeps, and as many equally wide ones on either
/// side as asked for: 1 (three-way splitting) or 2 (five-way). Parts without a place are left out.
///
/// Cost: if the owner hands every part over in one round, a centred strip of n places is down to
/// single places after ceil(log3 n) or ceil(log5 n) rounds.
/// @return  The parts handed over; `strip` is left as the middle part.
std::vector<HandedStrip> split(Strip& strip, int parts_per_side);

}  // namespace flitcast
