// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/table.h"

namespace flitcast::conformance {

/// The four tables of the specification and their categories. To add a category, add a file with
/// its check and its name here.
const std::vector<TableFormat>& table_formats();

}  // namespace flitcast::conformance
