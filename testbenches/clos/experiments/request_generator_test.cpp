// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
#include "clos/experiments/controls.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "clos/traffic.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

TEST_CASE("draws are the upper halves of SplitMix64, scaled", "[clos]") {
  Random numbers(1);
  for (const std::uint64_t number :
       {0x910a2dec89025cc1U, 0xbeeb8da1658eec67U, 0xf893a2eefb32555eU}) {
    CHECK(numbers.next() == number);
  }
  Random draws(1);
  for (const std::uint32_t number : {56U, 74U, 97U, 44U, 44U, 76U, 87U, 52U}) {
    CHECK(draw(draws, 100) == number);
  }
}

TEST_CASE("the traffic of seed 1 on v(4, 2, 3) begins as it always has", "[clos]") {
  const TrafficRun run(Structure::symmetric(4, 2, 3), "S1", {1, 3, 75}, 10);
  const std::string lines[] = {
      "C 4 0,2,4 = 0:7", "D 4",         "C 4 0,2 = 0:3", "C 2 3 = 1:2", "D 4", "D 2", "C 2 0 = 0:1",
      "C 3 1,2,4 = 1:7", "C 1 3 = 0:2", "C 4 5 = 0:4"};
  REQUIRE(run.trace.size() == 10);
  for (std::size_t t = 0; t < 10; ++t) CHECK(to_line(run.trace[t]) == lines[t]);
}

TEST_CASE("the golden traffic of S1 comes out to the last bit", "[clos]") {
  const TrafficRun few(Structure::symmetric(4, 4, 4), "S1", {42, 4, 75}, 10'000);
  CHECK(few.counts.requests == 6541);
  CHECK(few.counts.blocked == 3072);
  CHECK(few.counts.most_passes == 3);
  CHECK(few.hash.value() == 0xfdeca6c9fa2c7781U);
  CHECK(few.destination_sets() == "f,7,c,f");

  const TrafficRun more(Structure::symmetric(9, 8, 8), "S1", {42, 8, 75}, 10'000);
  CHECK(more.counts.requests == 6281);
  CHECK(more.counts.blocked == 2525);
  CHECK(more.counts.most_passes == 4);
  CHECK(more.hash.value() == 0xceeb50fd40024af2U);
  CHECK(more.destination_sets() == "fe,ed,ff,eb,ff,3f,ff,df,f3");
}

TEST_CASE("every strategy gives its golden trace", "[clos]") {
  struct Golden {
    const char* strategy;
    std::uint64_t blocked;
    std::uint64_t hash;
  };
  const auto [strategy, blocked, hash] =
      GENERATE(values<Golden>({{"S1", 668, 0x2b90c617c6ed5aefU},
                               {"S2", 706, 0xcaced36957114c3bU},
                               {"S3", 643, 0x9f2e2bf43c3369ceU},
                               {"FF", 898, 0x47890dbdae6c0ba5U},
                               {"RND", 962, 0x8dcbbdae750e61b9U},
                               {"MU", 915, 0xfa7da9af6454bc09U}}));
  INFO(strategy);
  const TrafficRun run(Structure::symmetric(5, 4, 4), strategy, {42, 4, 75}, 10'000);
  CHECK(run.counts.blocked == blocked);
  CHECK(run.hash.value() == hash);
}

TEST_CASE("traffic is valid in networks of any shape, and its trace replays", "[clos]") {
  const Structure structure =
      GENERATE(Structure{1, 1, 1, 1, 1}, Structure{3, 1, 1, 2, 5}, Structure{2, 3, 2, 1, 1},
               Structure{70, 2, 65, 3, 67}, Structure{130, 65, 2, 2, 3});
  const std::uint32_t percent = GENERATE(0U, 50U, 100U);
  INFO(to_text(structure) << ", " << percent << " % connects");
  const TrafficRun run(structure, "S1", {3, 0, percent}, 500);
  run.control.state().verify();
  ConnectionAdmission again = control_of(structure, "S1");
  CHECK_FALSE(replay(run.trace, again).has_value());
  CHECK(again.state() == run.control.state());
}

TEST_CASE("no request reaches more output switches than allowed, and all fan-outs occur",
          "[clos]") {
  const TrafficRun run(Structure::symmetric(9, 3, 5), "S1", {1, 3, 60}, 2000);
  std::size_t seen[6] = {};
  for (const Event& event : run.trace) {
    if (const auto* connect = std::get_if<ConnectEvent>(&event)) ++seen[connect->outputs.size()];
  }
  CHECK(seen[0] + seen[4] + seen[5] == 0);
  for (const std::size_t fan_out : {1, 2, 3}) CHECK(seen[fan_out] > 100);
}

TEST_CASE("a trace taken along changes nothing", "[clos]") {
  const Structure structure = Structure::symmetric(5, 4, 4);
  const TrafficRun traced(structure, "S1", {7, 0, 75}, 2000);
  ConnectionAdmission control = control_of(structure, "S1");
  RequestGenerator generator(structure, {7, 0, 75});
  const TrafficCounts counts = run_traffic(control, generator, 2000);
  CHECK(counts.requests == traced.counts.requests);
  CHECK(control.state() == traced.control.state());
}

TEST_CASE("more than 100 percent is refused", "[clos]") {
  CHECK_THROWS_AS(RequestGenerator(Structure{}, {1, 0, 101}), std::invalid_argument);
}
