// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast::conformance {

/// Adds routings to the catalog that behave as the reference does where its routings differ from
/// their names: reference_min_adapt, reference_planar_adapt, reference_anca,
/// reference_dragonfly_min, reference_dragonfly_ugal, reference_flatfly_ugal,
/// reference_least_latency.
///
/// The reference stores the routing options of a packet in a set that is ordered by priority only
/// (src/outputset.hpp), so of several options of the same priority only the first that is added
/// remains: its min_adapt is dimension order on all VCs, with VC 0 last and never left again, and
/// its planar_adapt is dimension order on the third group of VCs. Neither adapts.
///
/// Its anca may draw the same output twice. Its dragonflies have one VC before the global channel
/// and one after it; all packets leave by the second. Its ugal there goes through a node drawn
/// among all and weighs the queues 1 to 2; on flattened butterflies it draws the intermediate
/// router among those that differ from the source only where the destination does. Its shortest
/// paths on graphs count cycles.
void add_reference_routings();

}  // namespace flitcast::conformance
