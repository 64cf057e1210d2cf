// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast::conformance {

/// Adds to the catalog of routings those of the reference curves that differ from what their names
/// promise: reference_min_adapt, reference_planar_adapt, reference_anca, reference_dragonfly_min.
///
/// The reference keeps the ways of a packet in a set that is ordered by priority alone
/// (src/outputset.hpp), so of several ways of the same priority only the first that is added stays:
/// its min_adapt is dimension order on all VCs, of which VC 0 comes last and is not left again, and
/// its planar_adapt dimension order on the third group of VCs. Neither adapts.
///
/// Its anca may draw the same output twice, and its dragonflies have one VC before the global
/// channel and one after it, of whose second all packets leave.
void add_reference_routings();

}  // namespace flitcast::conformance
