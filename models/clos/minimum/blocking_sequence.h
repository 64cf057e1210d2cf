// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "clos/experiments/trace.h"
#include "clos/minimum/canonical_form.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"

namespace flitcast::clos {

/// A path of canonical configurations as events on ports, from an empty network to a request that
/// is blocked. Canonical configurations have lost the names of ports and switches: what happens
/// next is found by trying which event leads to the next one, the first of several.
///
/// New connections take the lowest idle ports; legs are listed by rising middle switch.
/// @param path  From the empty configuration to one in which some request has no route, each in
///              reach of the one before; std::logic_error if not.
std::vector<Event> blocking_sequence(const std::vector<Configuration>& path,
                                     const Structure& structure, RoutingRule& rule,
                                     const CanonicalForm& canonical);

}  // namespace flitcast::clos
