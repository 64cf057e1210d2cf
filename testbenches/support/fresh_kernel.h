// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast::testing {

/// Puts a new SystemC kernel in the place of the present one, as a module built after sc_start
/// throws E529. Every test body starts in a kernel of its own without a call.
void install_fresh_kernel();

}  // namespace flitcast::testing
