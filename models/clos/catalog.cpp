// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"

namespace flitcast::clos {

// Each entry is defined in the file of its algorithm, in the folder strategies.
StrategyEntry fewest_unserved();
StrategyEntry fewest_middles();
StrategyEntry nonempty_first();
StrategyEntry nonempty_first_exact();
StrategyEntry empty_for_rest();
StrategyEntry first_fit();
StrategyEntry random_fit();
StrategyEntry most_used_fit();
StrategyEntry spread();

// Each entry is defined in the file of its design, in the folder controllers.
ControllerEntry seq_counter();
ControllerEntry seq_adder();
ControllerEntry par_counter();
ControllerEntry par_adder();
ControllerEntry par_thermo();

Catalog<StrategyEntry>& strategies() {
  static Catalog<StrategyEntry> catalog{fewest_unserved(),      fewest_middles(), nonempty_first(),
                                        nonempty_first_exact(), empty_for_rest(), first_fit(),
                                        random_fit(),           most_used_fit(),  spread()};
  return catalog;
}

Catalog<ControllerEntry>& controllers() {
  static Catalog<ControllerEntry> catalog{seq_counter(), seq_adder(), par_counter(), par_adder(),
                                          par_thermo()};
  return catalog;
}

}  // namespace flitcast::clos
