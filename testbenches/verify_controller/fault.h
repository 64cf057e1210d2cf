// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace flitcast::verify {

/// The first violation of its contract by a controller.
struct Fault {
  std::string kind;         ///< A few words that name the mistake: "wrong tie".
  std::string text;         ///< The observation and the correct behaviour.
  std::string wanted = {};  ///< The beat that was due; empty if the fault is not about a beat.
  std::string seen = {};    ///< The beat that was observed instead.
  std::size_t step = 0;     ///< The step of the scenario in which it showed.
  std::uint64_t round = 0;  ///< The round in which it showed, from 0.
  std::uint64_t clock = 0;  ///< Rising edges since power-up.
};

}  // namespace flitcast::verify
