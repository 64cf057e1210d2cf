// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "network/pins/place.h"

namespace flitcast {

class Fabric;

/// A router's place in a fabric, for a module with pins that stands there. `fabric` must outlive
/// it, because packet numbers are looked up there. Time: one visit to every channel and node.
pins::Place place_of(const Fabric& fabric, RouterId router);

}  // namespace flitcast
