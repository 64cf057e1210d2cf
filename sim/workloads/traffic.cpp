// SPDX-License-Identifier: Apache-2.0
// Random traffic: who sends to whom is a pattern, when is an injection process.
#include <fmt/format.h>

#include "sim/workloads/random_packets.h"
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

}  // namespace

std::string RandomPackets::load_text() const {
  return fmt::format("at {:g} flits per node and cycle, packets of {}",
                     context_.section().number("load"),
                     lengths_text(context_.section().integers("packet_length")));
}

WorkloadEntry traffic_workload() {
  return {{"traffic",
           "Packets at random: a pattern says where to, an injection process when.",
           traffic_params(),
           makes<Traffic>(),
           {"", "pattern: tornado, load: 0.2, packet_length: [1, 5]"}}};
}

}  // namespace flitcast
