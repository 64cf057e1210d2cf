// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "clos/bounds/bounds.h"
#include "config/section.h"
#include "topology/clos_structure.h"

namespace flitcast::claims {

/// The rate of a parameter.
inline clos::Rate rate_of(const Section& parameters, const std::string& key) {
  try {
    return clos::parse_rate(parameters.text(key));
  } catch (const std::invalid_argument& error) {
    parameters.fail(key, error.what(), "take a rate such as 3/10, 0.3 or 1");
  }
}

/// v(m, n1, r1, n2, r2).
inline clos::Structure structure_of(std::size_t m, std::size_t n1, std::size_t r1, std::size_t n2,
                                    std::size_t r2) {
  const auto narrow = [](std::size_t size) { return static_cast<std::uint32_t>(size); };
  return {narrow(m), narrow(n1), narrow(r1), narrow(n2), narrow(r2)};
}

}  // namespace flitcast::claims
