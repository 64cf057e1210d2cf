// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/experiment/workload.h"
#include "traffic/pattern.h"

namespace flitcast {

/// Makes the workload `traffic` with several classes; throws ConfigError.
std::unique_ptr<Workload> make_classed_packets(const WorkloadContext& context);

/// Returns "5 flits", "1 or 5 flits" or "1, 3 or 5 flits".
std::string lengths_text(const std::vector<std::int64_t>& lengths);

/// Returns warnings about the pattern that the section names.
std::vector<std::string> pattern_notes(const Pattern& pattern, const Section& section,
                                       const Topology& topology);

}  // namespace flitcast
