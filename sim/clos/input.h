// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "clos/catalog.h"
#include "clos/control.h"
#include "clos/multirate/multirate_control.h"
#include "clos/structure.h"
#include "sim/clos/commands.h"

namespace flitcast {

/// Throws ConfigError: "clos route: what; remedy".
[[noreturn]] void fail(const std::string& command, const std::string& what,
                       const std::string& remedy);

/// Runs `action`; what the library calls an invalid argument or too large is the user's error, and
/// so is what does not fit in memory.
template <class Action>
auto as_user_error(const std::string& command, Action&& action) -> decltype(action()) {
  const std::string remedy = "see flitcast " + command + " --help";
  try {
    return action();
  } catch (const std::invalid_argument& error) {
    fail(command, error.what(), remedy);
  } catch (const std::overflow_error& error) {
    fail(command, error.what(), remedy);
  } catch (const std::length_error& error) {
    fail(command, error.what(), remedy);
  } catch (const std::bad_alloc&) {
    fail(command, "this takes more memory than there is", "use fewer middle switches or ports");
  }
}

/// The structure that the sizes describe; ConfigError with every problem: sizes of 0, too large
/// ones, a network whose state does not fit in the machine's memory.
clos::Structure structure_of(const ClosSizes& sizes, const std::string& command);

/// A control for that structure; ConfigError for names and limits that do not fit, and for a
/// strategy that needs more memory than there is.
clos::Control make_control(const clos::Structure& structure, const ClosControlOptions& options,
                           std::uint64_t seed, const std::string& command);

/// The same for requests with weights.
clos::MultirateControl make_multirate_control(const clos::Structure& structure,
                                              const clos::WeightRange& weights,
                                              const ClosControlOptions& options, std::uint64_t seed,
                                              const std::string& command);

/// The strategy of that name; ConfigError with all names if there is none.
clos::StrategyMaker strategy_named(const std::string& name, const std::string& command);

}  // namespace flitcast
