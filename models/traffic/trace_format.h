// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "config/catalog.h"
#include "config/section.h"
#include "traffic/trace.h"

namespace flitcast {

/// Reads a trace from an open file; `file` is its name for messages. Throws ConfigError.
using TraceReader = Trace (*)(std::istream& in, const std::string& file, const Section& workload);

/// The formats that a user can name under workload.format.
const Catalog<CatalogEntry<TraceReader>>& trace_formats();

}  // namespace flitcast
