// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace flitcast {

/// A bug in the program rather than a mistake of the user: a lost flit, a credit too many. It stops
/// the run at once, in release builds, too.
class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws an InvariantError; not inlined into the hot path.
[[noreturn, gnu::cold, gnu::noinline]] inline void broken_invariant(const char* what, unsigned port,
                                                                    unsigned vc) {
  throw InvariantError(std::string(what) + " (port " + std::to_string(port) + ", VC " +
                       std::to_string(vc) + ")");
}

}  // namespace flitcast
