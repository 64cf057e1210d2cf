// SPDX-License-Identifier: Apache-2.0
#include "network/realisation.h"

#include "network/pins/structural_network.h"

namespace flitcast {

namespace {

Realisation native() {
  return {{"native",
           "Few processes that tick the awake routers and nothing else; fast.",
           {},
           [](const RouterEntry& router, const NetworkParts& parts) { return router.make(parts); }},
          nullptr,
          false};
}

std::vector<std::string> problems_of_pins(const RouterEntry& router, const Topology& topology,
                                          const NetworkParams& params) {
  if (router.cores == nullptr) return {"circuits have no modules with pins"};
  return pins::StructuralNetwork::problems(topology, params);
}

Realisation with_pins() {
  return {{"pins",
           "A module with pins for every router, link, source and sink; slow, with waveforms.",
           {},
           [](const RouterEntry&, const NetworkParts& parts) -> std::unique_ptr<Network> {
             return std::make_unique<pins::StructuralNetwork>("network", parts);
           }},
          problems_of_pins,
          true};
}

}  // namespace

Catalog<Realisation>& realisations() {
  static Catalog<Realisation> catalog{native(), with_pins()};
  return catalog;
}

}  // namespace flitcast
