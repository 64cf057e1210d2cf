// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "clos/adversaries/opponent.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// An opponent on v(m, n, r), or any structure, under a strategy of that name; x: pass limit, 0 for
/// none.
inline Opponent opponent(const Structure& structure, const std::string& strategy,
                         std::size_t pass_limit = 0) {
  const auto* entry = find(strategies(), strategy);
  if (entry == nullptr) throw std::invalid_argument("no strategy " + strategy);
  AdmissionParams params;
  params.pass_limit = pass_limit;
  return {{structure, pass_limit}, entry->make, params};
}

inline std::string to_text(const std::vector<Event>& trace) {
  std::string text;
  for (const Event& event : trace) text += (text.empty() ? "" : "; ") + to_line(event);
  return text;
}

}  // namespace flitcast::clos
