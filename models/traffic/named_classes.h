// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/problem.h"
#include "config/section.h"
#include "router/router_params.h"
#include "routing/routing.h"

namespace flitcast {

/// A message class of a workload.
struct NamedClass : MessageClass {
  std::string name{};
  VcRange vcs{};  ///< Equal to the VCs of another class, or disjoint from them.
};

/// The keys of a message class: its name, virtual channels, and its share of nodes and routers.
std::vector<Param> named_class_params();

/// Reads the keys of named_class_params() in each section of a list; adds all problems. After a
/// problem the classes lack values.
/// @param virtual_channels  Virtual channels of the routers, per port.
std::vector<NamedClass> read_named_classes(const std::vector<Section>& sections,
                                           std::size_t virtual_channels, ProblemList& problems);

}  // namespace flitcast
