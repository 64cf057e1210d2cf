// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace flitcast::verify {

/// The first thing that a controller did against its contract.
struct Fault {
  std::string kind;         ///< A few words that name the mistake: "wrong tie".
  std::string text;         ///< What was seen, and what is right.
  std::string wanted = {};  ///< The beat that was due, and
  std::string seen = {};    ///< the one that came; both empty if it is not about a beat.
  std::size_t step = 0;     ///< Of the scenario, where it showed,
  std::uint64_t round = 0;  ///< in this round, from 0.
  std::uint64_t clock = 0;  ///< Rising edges since power-up.
};

}  // namespace flitcast::verify
