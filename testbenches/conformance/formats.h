// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/table.h"

namespace flitcast::conformance {

/// The four tables of the specification and the listing of their categories. Building a category is
/// one new file with its check, and its name here.
const std::vector<TableFormat>& table_formats();

}  // namespace flitcast::conformance
