// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace.h"

#include <fmt/format.h>

#include <utility>

namespace flitcast {

Problem trace_problem(const std::string& file, Trace::Unit unit, std::uint64_t origin,
                      std::string key, std::string what, std::string remedy) {
  Place place{file, 0, 0};
  if (unit == Trace::Unit::kLine) {
    place.line = static_cast<int>(origin);
  } else {
    what = fmt::format("at byte {}: {}", origin, what);
  }
  return {place, std::move(key), std::move(what), std::move(remedy)};
}

}  // namespace flitcast
