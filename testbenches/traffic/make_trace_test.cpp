// SPDX-License-Identifier: Apache-2.0

#include <filesystem>

#include "ideal_network.h"
#include "netrace_writer.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/trace_source.h"
#include "workload.h"

using namespace flitcast;

namespace {

Section section(const std::string& format, const std::string& file,
                const std::string& dependencies = "honour") {
  return workload(trace_params(),
                  {{"format", format}, {"file", file}, {"dependencies", dependencies}});
}

const std::string kCsv = "cycle,src,dst,flits,id,deps\n0,1,2,4,1,\n3,2,15,5,2,1\n";

}  // namespace

TEST_CASE("every format replays what its file says, plain or compressed", "[traffic]") {
  const std::string netrace = netrace_bytes({{0, 1, 1, 1, 2, {2}}, {3, 2, 2, 2, 15, {}}});
  const auto [format, content] =
      GENERATE_COPY(table<std::string, std::string>({{"csv", kCsv},
                                                     {"csv", compressed(kCsv)},
                                                     {"netrace", netrace},
                                                     {"netrace", compressed(netrace)}}));
  const TemporaryFile file(content);
  const auto source = make_trace(section(format, file.path()), mesh({4, 4}));
  const auto deliveries = play(*source, 16, [](const Packet&) { return 10; });
  REQUIRE(deliveries.size() == 2);
  CHECK(deliveries[1].packet.created == Cycle{11});
  CHECK(deliveries[1].packet.length == 5);
  CHECK(deliveries[1].packet.destination == NodeId{15});
}

TEST_CASE("dependencies can be ignored", "[traffic]") {
  const TemporaryFile file(kCsv);
  const auto source = make_trace(section("csv", file.path(), "ignore"), mesh({4, 4}));
  CHECK(creation_cycles(play(*source, 16, [](const Packet&) { return 10; })) ==
        std::vector<std::uint64_t>{0, 3});
}

TEST_CASE("packets that leave the network are refused where they stand", "[traffic]") {
  const TemporaryFile file(kCsv);
  CHECK_THAT(complaint([&] {
               make_trace(section("csv", file.path()), mesh({3, 5}));
             }),
             Catch::Contains(":3:5: node 15 is not one of the 15 nodes") &&
                 Catch::Contains("(1 packets leave it)") &&
                 Catch::Contains("use a topology of at least 16 nodes"));
}

TEST_CASE("a file that cannot be read is reported at its key", "[traffic]") {
  CHECK_THAT(complaint([] { make_trace(section("csv", "no/such.csv"), mesh({4})); }),
             Catch::Contains("workload.file: cannot read \"no/such.csv\""));
}

TEST_CASE("a relative path starts in the configuration's folder", "[traffic]") {
  const TemporaryFile file(kCsv);
  const std::filesystem::path path = file.path();
  const Section near_by(
      "workload", {(path.parent_path() / "run.yaml").string(), 1, 1},
      {{"format", "csv"}, {"file", path.filename().string()}, {"dependencies", "honour"}});
  CHECK(make_trace(near_by, mesh({4, 4}))->packet_count() == 2);
}
