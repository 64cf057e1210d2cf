// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// The number of channels of every class that occurs; see Topology::channel_class().
std::map<std::string, std::size_t> channel_classes(const Topology& topology);

/// Declares link.classes and link.exceptions: every class and exception has the keys of the
/// latency, the cycles per flit and the buffers, whose value 0 leaves a channel as it is.
std::vector<Param> channel_params();

/// Gives the channels the values of link.classes, and then those of link.exceptions.
/// Throws ConfigError with all problems: classes that the topology does not have, exceptions
/// between routers that no channel joins.
void set_channels(Topology& topology, const Section& link);

}  // namespace flitcast
