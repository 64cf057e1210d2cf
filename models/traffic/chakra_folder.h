// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/section.h"

namespace flitcast {

/// Of the names of Chakra's files, of which every rank has one.
inline constexpr const char* kChakraEnding = ".et";

/// The files of a parallel program's execution trace, NAME.RANK.et for every rank from 0 up, by
/// rank.
///
/// @param path  Their folder, which may hold other files but no other trace; or folder/NAME.
///
/// Throws ConfigError, with the place of the key `file`, where there are none, where the folder
/// holds traces of several names, and for ranks that are missing or come twice.
std::vector<std::string> chakra_files(const std::string& path, const Section& workload);

}  // namespace flitcast
