// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace flitcast {

/// Our own mistake, not the user's: a flit lost, a credit too many. It stops the run at once, in
/// release builds too.
class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Kept out of line of the hot path that detects the breach.
[[noreturn, gnu::cold, gnu::noinline]] inline void broken_invariant(const char* what, unsigned port,
                                                                    unsigned vc) {
  throw InvariantError(std::string(what) + " (port " + std::to_string(port) + ", VC " +
                       std::to_string(vc) + ")");
}

}  // namespace flitcast
