// SPDX-License-Identifier: Apache-2.0
// Energies do not depend on what runs the network.
#include <string>

#include "experiment.h"
#include "observed.h"
#include "support/test_catch.h"

using namespace flitcast::program;

TEST_CASE("energies are the same with several threads and of modules with pins", "[sim]") {
  const std::string router = GENERATE(as<std::string>{}, "{virtual_channels: 2, buffer_depth: 4}",
                                      "{kind: store_and_forward, virtual_channels: 2, "
                                      "buffer_depth: 2}");
  Experiment experiment = with("router: " + router + "\nenergy: {cells: osu018}");
  experiment.workload = "{kind: traffic, load: 0.05, packet_length: [1, 2, 4]}";
  const auto energy = [&](const std::string& given) {
    return observe(configuration_of(experiment.text(), {given})).result.at("energy");
  };
  const auto alone = energy("run.threads=1");
  CHECK(alone.at("dynamic_pj") > 0);
  CHECK(energy("run.threads=3") == alone);
  CHECK(energy("run.realisation=pins") == alone);
}
