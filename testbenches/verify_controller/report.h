// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verify_controller/verify.h"

namespace flitcast::verify {

/// The verdict in words, for the designer.
std::string report(const Task& task, const Verdict& verdict);

/// "wrong tie" as part of a file name: "wrong_tie".
std::string file_stem(const std::string& kind);

}  // namespace flitcast::verify
