// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verify_controller/dut.h"

namespace flitcast::verify {

/// Loads the controller from a shared object made from plugin.cpp; it stays loaded to the end of
/// the program.
/// Throws std::runtime_error if it cannot be loaded.
MakeDut load_plugin(const std::string& file);

}  // namespace flitcast::verify
