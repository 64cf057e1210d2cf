// SPDX-License-Identifier: Apache-2.0
// Packets as they are, from source queues to the nodes that they are for.
#include "routing/catalog.h"
#include "sim/central_control.h"
#include "sim/interface.h"
#include "sim/workload.h"

namespace flitcast {
namespace {

class Native : public Interface {
 public:
  explicit Native(const Section&) {}

  std::vector<Problem> problems(const Configuration&, const NetworkPlan&) const override {
    return {};
  }
  std::shared_ptr<Routing> routing(const Configuration& configuration, const NetworkPlan& network,
                                   bool unsafe) const override {
    return make_routing(configuration.section("routing"),
                        {*network.topology, network.params.router.virtual_channels, unsafe});
  }
  std::unique_ptr<Network> network(const NetworkPlan& plan,
                                   const NetworkParts& parts) const override {
    return plan.realisation->make(*plan.router, parts);
  }
};

}  // namespace

InterfaceEntry native_interface() {
  return {{"native", "Packets join the source queues of their nodes.", {}, makes<Native>()}};
}

}  // namespace flitcast
