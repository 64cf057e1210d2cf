// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/section.h"

namespace flitcast {

/// The extension of Chakra's files; every rank has one file.
inline constexpr const char* kChakraEnding = ".et";

/// The files of a parallel program's execution trace, NAME.RANK.et for every rank from 0 up, by
/// rank.
///
/// @param path  Their folder, which may hold other files but no other trace; or folder/NAME.
///
/// Throws ConfigError, at the key `file`, if there are none, if the folder holds traces of several
/// names, and for missing or duplicate ranks.
std::vector<std::string> chakra_files(const std::string& path, const Section& workload);

}  // namespace flitcast
