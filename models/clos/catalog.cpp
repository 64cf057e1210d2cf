// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"

namespace flitcast::clos {

// Each entry is defined in the file of its algorithm, in the folder strategies.
StrategyEntry fewest_unserved();
StrategyEntry fewest_middles();
std::vector<StrategyEntry> nonempty_first();
StrategyEntry empty_for_rest();
std::vector<StrategyEntry> ordered_fits();
StrategyEntry spread();

// Each entry is defined in the file of its design, in the folder controllers.
ControllerEntry seq_counter();
ControllerEntry seq_adder();
ControllerEntry par_counter();
std::vector<ControllerEntry> parallel_adders();

Catalog<StrategyEntry>& strategies() {
  static Catalog<StrategyEntry> catalog =
      catalog_of<StrategyEntry>({{fewest_unserved(), fewest_middles()},
                                 nonempty_first(),
                                 {empty_for_rest()},
                                 ordered_fits(),
                                 {spread()}});
  return catalog;
}

Catalog<ControllerEntry>& controllers() {
  static Catalog<ControllerEntry> catalog =
      catalog_of<ControllerEntry>({{seq_counter(), seq_adder(), par_counter()}, parallel_adders()});
  return catalog;
}

}  // namespace flitcast::clos
