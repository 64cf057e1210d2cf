// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/minimum/configuration.h"
#include "clos/minimum/tie_orders.h"

namespace flitcast::clos {

using OutputOrders = TieOrders<kMostSearchOutputSwitches>;
using MiddleOrders = TieOrders<kMostSearchMiddles>;

/// Colours of the switches of a configuration; 0 for unused ones.
struct SwitchColours {
  OutputOrders::Colours outputs{};
  MiddleOrders::Colours middles{};
};

/// Output switches coloured by the middle switches that reach them. Independent of the names of
/// inputs and output switches.
SwitchColours colours_by_middles(const Configuration& routes, const Structure& structure);

/// Output and middle switches coloured by their neighbours' colours, these by their neighbours',
/// and so on for a few rounds. Independent of all names.
SwitchColours colours_by_neighbours(const Configuration& routes, const Structure& structure);

}  // namespace flitcast::clos
