// SPDX-License-Identifier: Apache-2.0
#include "base/sequences.h"
#include "sim/experiment/interface.h"
#include "sim/experiment/workload.h"

namespace flitcast {

InterfaceEntry native_interface();
InterfaceEntry tlm_interface();

Catalog<InterfaceEntry>& interfaces() {
  static Catalog<InterfaceEntry> catalog{native_interface(), tlm_interface()};
  return catalog;
}

const InterfaceEntry& interface_entry(const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (!workload.has("interface")) return interfaces()[0];
  return *interfaces().find(workload.text("interface"));
}

std::vector<Param> with_interfaces(const std::vector<Param>& keys) {
  const Param choice = Param::choice("interface", "How packets get into the network and out of it.")
                           .defaults_to(interfaces()[0].name)
                           .dumped_if_changed();
  return concatenated({keys, catalog_params(choice, interfaces())});
}

}  // namespace flitcast
