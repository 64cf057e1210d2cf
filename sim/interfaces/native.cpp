// SPDX-License-Identifier: Apache-2.0
// Packets go unchanged from the source queues of their nodes to their destinations.
#include <fmt/format.h>

#include <stdexcept>

#include "routing/catalog.h"
#include "routing/message_classes.h"
#include "sim/experiment/interface.h"
#include "sim/experiment/workload.h"

namespace flitcast {
namespace {

/// Makes the routing of a message class with the context's number of virtual channels; adds that
/// number to the text of problems.
std::unique_ptr<const Routing> routing_of_class(const Section& section,
                                                const RoutingContext& context) {
  try {
    return make_routing(section, context);
  } catch (const ConfigError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      problem.what += fmt::format(", for the packets of a class that has {}",
                                  counted(context.virtual_channels, "virtual channel"));
    }
    throw ConfigError(std::move(problems));
  }
}

std::shared_ptr<Routing> routing_of_classes(const Configuration& configuration,
                                            const NetworkPlan& network, bool unsafe) {
  const Section& section = configuration.section("routing");
  const Place vcs_place = configuration.section("workload").place("classes");
  try {
    return std::make_shared<MessageClasses>(network.class_vcs, [&](std::size_t virtual_channels) {
      return routing_of_class(section, {*network.topology, virtual_channels, unsafe, vcs_place});
    });
  } catch (const std::invalid_argument& error) {
    section.fail("kind", error.what(),
                 "give all classes as many virtual channels, or use another routing");
  }
}

class Native : public Interface {
 public:
  explicit Native(const Section&) {}

  std::shared_ptr<Routing> routing(const Configuration& configuration, const NetworkPlan& network,
                                   bool unsafe) const override {
    const Section& section = configuration.section("routing");
    if (network.class_vcs.empty()) {
      return make_routing(section,
                          {*network.topology, network.params.router.virtual_channels, unsafe,
                           configuration.section("router").place("virtual_channels")});
    }
    return routing_of_classes(configuration, network, unsafe);
  }
  std::unique_ptr<Network> network(const NetworkPlan& plan,
                                   const NetworkParts& parts) const override {
    return plan.implementation->make(*plan.router, parts);
  }
};

}  // namespace

InterfaceEntry native_interface() {
  return {{"native", "Packets join the source queues of their nodes.", {}, makes<Native>()}};
}

}  // namespace flitcast
