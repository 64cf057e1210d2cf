// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace flitcast::clos {

/// Input ports, output ports and middle switches of a Clos network, each numbered from 0. Input
/// and output switches are plain indices, because arithmetic on port numbers yields them.
enum class InputId : std::uint32_t {};
enum class OutputId : std::uint32_t {};
enum class MiddleId : std::uint32_t {};

}  // namespace flitcast::clos
