// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast::testing {

/// Puts a new SystemC kernel in the place of the present one, as a module built after sc_start
/// throws E529. Every test body starts in a kernel of its own without a call.
void install_fresh_kernel();

/// Gives back the frames that an exception has unwound. SystemC 2.3.4 tells the address sanitizer
/// of every switch of its threads, but not where the main stack is that it comes back to, so that
/// the sanitizer leaves these frames marked as theirs. Called before every test body, and where a
/// test goes on after an exception; does nothing without the sanitizer.
void forget_unwound_frames();

}  // namespace flitcast::testing
