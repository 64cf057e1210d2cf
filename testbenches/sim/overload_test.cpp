// SPDX-License-Identifier: Apache-2.0
// VC classes of a ring when every node sends as much as it can.
#include <map>

#include "experiment.h"
#include "sim/experiment/model.h"
#include "sim/measure/measurement.h"
#include "sim/sweep/sweep.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::uint32_t kNodes = 16;

/// Loads of a ring of 16 under tornado traffic: node n sends to n + 7, always upwards.
struct LoadsOfLinks {
  std::map<std::uint32_t, double> up;  ///< Flits per cycle on the channel up from a router.
  double in_all = 0;                   ///< Flits per cycle that all nodes receive.
};

LoadsOfLinks carried(const std::string& router, const std::string& classes,
                     const std::string& load) {
  program::Experiment experiment;
  experiment.topology = "{kind: ring, nodes: " + std::to_string(kNodes) + "}";
  experiment.routing = "{kind: dimension_order, vc_classes: " + classes + "}";
  experiment.workload = "{kind: traffic, pattern: tornado, load: " + load + "}";
  experiment.more = "router: {kind: " + router + ", virtual_channels: 4, buffer_depth: 8}";
  const Configuration configuration =
      validate(parse_document(experiment.text(), "overload.yaml"), experiment_schema());
  const Model model = make_model(configuration, false);
  MeasurementPlan plan;
  plan.warmup = 6000;
  plan.window = 6000;
  plan.drain_limit = 0;
  const Measurement measured =
      measure(model, plan, [](const std::string&, std::uint64_t, std::uint64_t) {});
  LoadsOfLinks result;
  for (const LinkLoad& link : measured.links) {
    if (link.channel >= model.topology().channels().size()) continue;
    const Channel& channel = model.topology().channels()[link.channel];
    if (channel.from.port == PortId{0}) result.up[index(channel.from.router)] = link.load;
  }
  result.in_all = kNodes * measured.loads->accepted;
  return result;
}

}  // namespace

TEST_CASE("packets that change their class wait in one line, of which each node takes two thirds",
          "[sim]") {
  const auto router = GENERATE("wormhole", "virtual_cut_through");
  const auto [classes, last] =
      GENERATE(std::make_pair("dateline", 15U), std::make_pair("dally_seitz", 8U));
  const LoadsOfLinks ring = carried(router, classes, "1");
  INFO(router << ", " << classes);
  // The head of the queue is before the channel at which the class changes for all packets that
  // come this far.
  CHECK(ring.up.at(last) == Approx(1).epsilon(0.01));
  CHECK(ring.up.at(last - 1) == Approx(1 / 3.0).epsilon(0.03));
  CHECK(ring.up.at(last - 2) == Approx(1 / 9.0).epsilon(0.1));
  CHECK(ring.up.at(last - 3) == Approx(1 / 27.0).epsilon(0.2));
  CHECK(ring.in_all == Approx(1).epsilon(0.02));
}

TEST_CASE("packets that keep their class wait in two lines, and the ring carries more", "[sim]") {
  const auto router = GENERATE("wormhole", "virtual_cut_through");
  const LoadsOfLinks ring = carried(router, "dally_seitz_fixed", "1");
  CHECK(ring.in_all > 1.6);
  CHECK(ring.up.at(15) > 0.85);
  CHECK(ring.up.at(14) > 0.75);
}

TEST_CASE("below saturation a ring carries what it is offered, whatever the classes", "[sim]") {
  const auto classes = GENERATE("dally_seitz_fixed", "dally_seitz", "dateline");
  CHECK(carried("wormhole", classes, "0.09").in_all == Approx(kNodes * 0.09).epsilon(0.06));
}

namespace {

/// The verdict on requests of one flit beside packets of 60 in a window of 10000 cycles. A node has
/// a slot for one reply, which takes some 1000 cycles.
Verdict beside_long_packets(const std::string& load, std::uint64_t seed) {
  testing::install_fresh_kernel();
  program::Experiment experiment;
  experiment.workload =
      "{kind: traffic, classes: [{name: ask, virtual_channels: [0, 0], load: " + load +
      ", packet_length: 1, reply: answer, service: 1000}, {name: answer, virtual_channels: [1, 1], "
      "packet_length: 1}, {name: bulk, virtual_channels: [2, 3], load: 0.3, packet_length: 60}]}";
  experiment.more =
      "router: {virtual_channels: 4}\nnode: {reply_queue: 1}\nseed: " + std::to_string(seed);
  const Configuration configuration =
      validate(parse_document(experiment.text(), "overload.yaml"), experiment_schema());
  const Model model = make_model(configuration, false);
  MeasurementPlan plan;
  plan.warmup = 3000;
  plan.window = 10000;
  plan.drain_limit = 100000;
  return measure(model, plan, [](const std::string&, std::uint64_t, std::uint64_t) {}).verdict;
}

}  // namespace

TEST_CASE("a class of few flits that is offered too much is found beside long packets", "[sim]") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Verdict verdict = beside_long_packets("0.0015", seed);
    CHECK(verdict.status == Status::kSaturated);
    CHECK(verdict.reason.find("latencies of class ask rose by") == 0);
    CHECK(beside_long_packets("0.0008", seed).status == Status::kOk);
  }
}
