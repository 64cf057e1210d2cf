// SPDX-License-Identifier: Apache-2.0
// The names in the catalogs that the installed headers open to a user's own entries: a line of JSON
// with the lists of `flitcast list`.
#include <flitcast/clos.h>
#include <flitcast/collective.h>
#include <flitcast/permutation.h>
#include <flitcast/router.h>
#include <flitcast/routing.h>
#include <flitcast/topology.h>
#include <flitcast/traffic.h>
#include <flitcast/workload.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

namespace {

template <class Entry>
nlohmann::json names_of(const flitcast::Catalog<Entry>& catalog) {
  std::set<std::string> names;
  for (const Entry& entry : catalog) names.insert(entry.name);
  return names;
}

}  // namespace

int main() {
  using namespace flitcast;
  const nlohmann::json lists{{"topologies", names_of(topologies())},
                             {"routings", names_of(routings())},
                             {"routers", names_of(routers())},
                             {"priorities", names_of(queue_priorities())},
                             {"workloads", names_of(workloads())},
                             {"collectives", names_of(collectives())},
                             {"permutations", names_of(permutation_instances())},
                             {"algorithms", names_of(permutation_algorithms())},
                             {"patterns", names_of(patterns())},
                             {"injections", names_of(injections())},
                             {"trace_formats", names_of(trace_formats())},
                             {"strategies", names_of(clos::strategies())},
                             {"controllers", names_of(clos::controllers())}};
  std::cout << lists << "\n";
}
