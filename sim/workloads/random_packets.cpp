// SPDX-License-Identifier: Apache-2.0
// Packets at random: a pattern of destinations with an injection process, and multicasts for Clos
// networks under central control.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/central_control.h"
#include "sim/workload.h"
#include "traffic/random_traffic.h"

namespace flitcast {
namespace {

/// "5 flits", "1 or 5 flits" or "1, 3 or 5 flits".
std::string lengths_text(const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (std::size_t l = 0; l + 1 < lengths.size(); ++l) {
    text += fmt::format("{}{}", lengths[l], l + 2 < lengths.size() ? ", " : " or ");
  }
  return text + counted(lengths.back(), "flit");
}

/// Packets at random: endless, measured in a window.
class RandomPackets : public Workload {
 public:
  explicit RandomPackets(const WorkloadContext& context) : context_(context) {}

  std::uint32_t longest_packet() const final {
    const auto lengths = context_.section().integers("packet_length");
    return static_cast<std::uint32_t>(*std::max_element(lengths.begin(), lengths.end()));
  }
  bool ends() const final { return false; }

 protected:
  const WorkloadContext& context() const { return context_; }
  /// "at 0.1 flits per node and cycle, packets of 1 or 5 flits".
  std::string load_text() const {
    return fmt::format("at {:g} flits per node and cycle, packets of {}",
                       context_.section().number("load"),
                       lengths_text(context_.section().integers("packet_length")));
  }

 private:
  const WorkloadContext context_;
};

class Traffic : public RandomPackets {
 public:
  using RandomPackets::RandomPackets;

  void join(const NetworkPlan& network) override {
    source_ = make_traffic(context().section(), *network.topology, context().configuration.seed());
  }
  PacketSource& source() override { return *source_; }
  std::string text() const override {
    return fmt::format("{} traffic {}", context().section().text("pattern"), load_text());
  }

 private:
  std::unique_ptr<PacketSource> source_;
};

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

WorkloadEntry traffic_workload() {
  return {{"traffic",
           "Packets at random: a pattern says where to, an injection process when.",
           traffic_params,
           makes<Traffic>(),
           {"", "pattern: tornado, load: 0.2, packet_length: [1, 5]"}}};
}

WorkloadEntry clos_requests_workload() {
  return {{"clos_requests",
           "Random multicasts, for a Clos network under central control.",
           multicast_traffic_params,
           makes<ClosRequests>(),
           {"", "fan_out: 2, load: 0.05"}},
          {},
          true};
}

}  // namespace flitcast
