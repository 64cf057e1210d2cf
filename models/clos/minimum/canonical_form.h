// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "clos/minimum/configuration.h"

namespace flitcast::clos {

/// What can be renamed without changing what will ever happen. Ports of a switch and input switches
/// always can, since no strategy sees them.
enum class Symmetry {
  kInputs,   ///< Nothing else.
  kOutputs,  ///< Output switches too: a strategy that goes by sizes of sets. Middle switches are
             ///< not alike where their index breaks ties.
  kMiddles,  ///< Middle switches too: whoever may choose any legal route.
};

/// One representative of all configurations that differ in names only.
///
/// Switches get colours that do not depend on names. The colours fix the order of switches except
/// where several have the same; all orders of these are tried, inputs sorted in each, and the
/// largest result is the representative. Unused switches need no order.
/// Time: O(n1 r1 r2) times the orders tried, mostly 1 or 2, at worst r2! (and m! for kMiddles).
class CanonicalForm {
 public:
  CanonicalForm(const Structure& structure, Symmetry symmetry)
      : structure_(structure), symmetry_(symmetry) {}

  Configuration of(const Configuration& routes) const;

 private:
  /// Descending within input switches, and these descending.
  void sort_inputs(Configuration& routes) const;

  Structure structure_;
  Symmetry symmetry_;
};

}  // namespace flitcast::clos
