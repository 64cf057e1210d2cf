// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "config/section.h"
#include "topology/topology.h"
#include "traffic/trace_source.h"

namespace flitcast {

/// Makes the replay that a workload of kind `trace` describes (trace_params.h). A relative path
/// starts in the folder of the configuration file if the trace is there, otherwise in the working
/// directory. Throws ConfigError for a file that cannot be read or whose packets leave the network.
std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology);

}  // namespace flitcast
