// SPDX-License-Identifier: Apache-2.0
// Published traces, which are not part of the project: FLITCAST_SAMPLES names the folder that holds
// netrace/*.tra.bz2 and chakra/*.et. Without it the tests say so and pass.
#include <cstdlib>
#include <string>
#include <vector>

#include "ideal_network.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/trace_source.h"
#include "workload.h"

using namespace flitcast;

TEST_CASE("the published Netrace samples replay to the last packet", "[traffic]") {
  const char* const samples = std::getenv("FLITCAST_SAMPLES");
  if (samples == nullptr) {
    WARN("skipped: FLITCAST_SAMPLES does not name the folder of the samples");
    return;
  }
  struct Sample {
    std::string name;
    std::size_t packets;
  };
  for (const Sample& sample :
       std::vector<Sample>{{"shrtex", 12}, {"example", 175}, {"multipartition", 22'968}}) {
    const std::string file = std::string(samples) + "/netrace/" + sample.name + ".tra.bz2";
    const auto source =
        make_trace(workload(trace_params(), {{"format", "netrace"}, {"file", file}}), mesh({8, 8}));
    CHECK(source->packet_count() == sample.packets);
    CHECK(source->wants_deliveries());
    const auto deliveries =
        play(*source, 64, [](const Packet& packet) { return std::uint64_t{20} + packet.length; });
    CHECK(deliveries.size() == sample.packets);
    CHECK(source->all_created());
  }
}

TEST_CASE("the published Chakra samples replay with each send before its receive", "[traffic]") {
  const char* const samples = std::getenv("FLITCAST_SAMPLES");
  if (samples == nullptr) {
    WARN("skipped: FLITCAST_SAMPLES does not name the folder of the samples");
    return;
  }
  const std::string folder = std::string(samples) + "/chakra";
  const std::int64_t whole_messages = 131072;
  const auto source = make_trace(
      workload(trace_params(), {{"format", "chakra"}, {"file", folder}, {"mtu", whole_messages}}),
      mesh({8}));
  CHECK(source->packet_count() == 8 * 14);
  const auto deliveries = play(*source, 8, [](const Packet&) { return 99; });
  CHECK(deliveries.size() == 8 * 14);
  // The ring all-reduce has 14 steps of sends, 7 of which precede a reduction of 7 microseconds.
  REQUIRE(source->longest_chain());
  CHECK(source->longest_chain()->cycles == 14 * 100 + 7 * 7000);
}
