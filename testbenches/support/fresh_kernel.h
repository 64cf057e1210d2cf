// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast::testing {

/// Replaces the present SystemC kernel by a new one, because building a module after sc_start
/// raises E529. Every test body starts in a new kernel without calling this function.
void install_fresh_kernel();

/// Unpoisons the stack frames that an exception has unwound. SystemC 2.3.4 reports every switch of
/// its threads to the address sanitizer, but not the bounds of the main stack to which it returns,
/// so the sanitizer leaves these frames poisoned. The test session calls this function before every
/// test body; a test calls it where it continues after an exception. Without the sanitizer it does
/// nothing.
void forget_unwound_frames();

}  // namespace flitcast::testing
