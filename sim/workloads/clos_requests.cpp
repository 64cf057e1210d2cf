// SPDX-License-Identifier: Apache-2.0
// Random multicasts for a Clos network under central control.
#include <fmt/format.h>

#include "sim/central_control.h"
#include "sim/workloads/random_packets.h"
#include "traffic/multicast_traffic.h"

namespace flitcast {
namespace {

class ClosRequests : public RandomPackets {
 public:
  using RandomPackets::RandomPackets;

  void join(const NetworkPlan& network) override {
    if (!is_centrally_controlled(context().configuration)) {
      context().section().fail("kind",
                               "clos_requests are multicasts, which this routing does not carry",
                               "set routing.kind: central_control, on a clos topology");
    }
    if (network.groups == nullptr) return;  // Its own problem is known.
    source_ =
        make_multicast_traffic(context().section(), dynamic_cast<const Clos&>(*network.topology),
                               *network.groups, context().configuration.seed());
  }
  PacketSource& source() override { return *source_; }
  std::string text() const override {
    const std::int64_t fan_out = context().section().integer("fan_out");
    const std::string limit =
        fan_out == 0 ? "" : fmt::format(" to up to {} output switches", fan_out);
    return fmt::format("random multicasts{} {}", limit, load_text());
  }

 private:
  std::unique_ptr<PacketSource> source_;
};

}  // namespace

WorkloadEntry clos_requests_workload() {
  return {{"clos_requests",
           "Random multicasts, for a Clos network under central control.",
           multicast_traffic_params(),
           makes<ClosRequests>(),
           {"", "fan_out: 2, load: 0.05"}},
          {},
          true};
}

}  // namespace flitcast
