// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "config/problem.h"
#include "config/wording.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "tlm/bench.h"
#include "tlm/interconnect_plan.h"

using namespace flitcast::testing;
using Catch::Contains;
using flitcast::TemporaryFile;
using flitcast::tlm::InterconnectPlan;
using flitcast::tlm::read_interconnect;
using flitcast::tlm::read_windows;
using sc_core::SC_NS;

namespace {

std::string problems_in(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_interconnect(file.path());
  } catch (const flitcast::ConfigError& error) {
    return error.what();
  }
  return "";
}

const std::string kMesh =
    "topology: {kind: mesh, sizes: [3, 3]}\n"
    "routing: {kind: dimension_order}\n";

}  // namespace

TEST_CASE("windows are read in decimal, hexadecimal and binary thousands", "[tlm]") {
  const auto windows = read_windows("0 4096 0, 0x1000 4K 1 0x10,  0x80000000 2G 2");
  REQUIRE(windows.size() == 3);
  CHECK(windows[0].size == 4096);
  CHECK(windows[1].base == 0x1000);
  CHECK(windows[1].size == 4096);
  CHECK(windows[1].target == 1);
  CHECK(windows[1].offset == 0x10);
  CHECK(windows[2].last() == 0xffffffff);
}

TEST_CASE("every invalid window is reported", "[tlm]") {
  for (const char* wrong : {"0 4096", "x 1 0", "0 1 0 0 0", "-1 1 0", "0x 1 0", "1KK 1 0",
                            "0xffffffffffffffffG 1 0", "0 4k 0"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(read_windows(std::string("0 1 0,") + wrong + ",3"),
                      Contains(wrong) && Contains("\"3\" is no window"));
  }
}

TEST_CASE("an interconnect from a file carries what one in C++ does", "[tlm]") {
  const TemporaryFile file(
      kMesh +
      "tlm: {initiators: [0], targets: [8, 4], windows: '0 4K 0, 0x1000 4K 1',\n"
      "      flit_bytes: 8, header_bytes: 16, check_protocol: true}\n");
  flitcast::tlm::Interconnect net("net", file.path());
  Bytes back;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    self.write(0x1010, counting(32, 1));
    back = self.read(0x1010, 32);
  });
  Memory first("first", kWindow, PhaseStyle::kTwoPhases);
  Memory second("second", kWindow, PhaseStyle::kTwoPhases);
  initiator.socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(first.socket);
  net.initiator_socket[1].bind(second.socket);
  sc_core::sc_start(300, SC_NS);
  CHECK(back == counting(32, 1));
  CHECK(second.accesses.size() == 2);
  // A write has 2 flits of header and 4 of data in its request and 2 flits in its response; a read
  // has the reverse.
  CHECK(net.fabric().totals().flits_created == 16);
  net.audit();
}

TEST_CASE("all problems of a file are reported at once, with their positions", "[tlm]") {
  const std::string told = problems_in(kMesh +
                                       "router: {virtual_channels: 3}\n"
                                       "tlm: {initiators: [0, 9], targets: [8], windows: '0 4K 0, "
                                       "0x800 4K 0, 0 1', outstanding: 0,\n"
                                       "      burst: 3}\n");
  CHECK_THAT(told, Contains("tlm.outstanding") && Contains("burst"));
  const std::string meaning =
      problems_in(kMesh +
                  "router: {virtual_channels: 3}\n"
                  "tlm: {initiators: [0, 9], targets: [8], windows: '0 4K 0, 0x800 4K 0, 0 1'}\n");
  CHECK_THAT(meaning, Contains(":3:") &&
                          Contains("router.virtual_channels: requests and responses "
                                   "cannot share 3 evenly; make it an even number") &&
                          Contains(":4:") && Contains("\" 0 1\" is no window; write BASE SIZE"));
  const std::string network = problems_in(
      kMesh + "tlm: {initiators: [0, 9], targets: [8], windows: '0 4K 0, 0x800 4K 0'}\n");
  CHECK_THAT(network,
             Contains("3:19: tlm.initiators: initiator 1 is at node 9; nodes are 0 to 8") &&
                 Contains("3:50: tlm.windows: windows 0x0 to 0xfff") &&
                 Contains("overlap; move or shorten one"));
  CHECK_THAT(problems_in(kMesh + "router: {kind: circuit}\n"
                                 "tlm: {initiators: [0], targets: [1], windows: '0 1 0'}\n"),
             Contains("router.kind: circuit has no packets"));
}

TEST_CASE("a file gives the clock of an interconnect, in which its times may be", "[tlm]") {
  const std::string tlm = "tlm: {initiators: [0], targets: [8], windows: '0 4K 0', timeout: 100}\n";
  const auto read = [&](const std::string& text) {
    const TemporaryFile file(text + kMesh + tlm);
    return read_interconnect(file.path());
  };
  const InterconnectPlan plan = read("clock: 400 MHz\nlink: {latency: 10 ns}\n");
  CHECK(plan.params.period == sc_core::sc_time(2.5, SC_NS));
  CHECK(plan.params.timeout == sc_core::sc_time(250, SC_NS));
  CHECK(plan.network.link_latency == 4);
  CHECK(read("").params.period == sc_core::sc_time(1, SC_NS));
  // 1 ps is the time resolution: 1.2 GHz are 833 ps to 0.4 in 1000, 70 GHz 14 ps to 20 in 1000.
  CHECK(read("clock: 1.2 GHz\n").params.period == sc_core::sc_time(833, sc_core::SC_PS));
  CHECK_THAT(
      problems_in("clock: 70 GHz\n" + kMesh + tlm),
      Contains(":1:") && Contains("clock: a time resolution of 1 ps cannot express a period of "
                                  "0.01429 ns; call sc_set_time_resolution"));
}

TEST_CASE("a file gives the timing of b_transport", "[tlm]") {
  using flitcast::tlm::Timing;
  const auto read = [](const std::string& timing) {
    const TemporaryFile file(kMesh + "tlm: {initiators: [0], targets: [8], windows: '0 4K 0'" +
                             timing + "}\n");
    return read_interconnect(file.path()).params.timing;
  };
  CHECK(read("") == Timing::kCycle);
  CHECK(read(", timing: cycle") == Timing::kCycle);
  CHECK(read(", timing: analytic") == Timing::kAnalytic);
  CHECK(read(", timing: ideal") == Timing::kIdeal);
}

TEST_CASE("an interconnect whose cycles take no time is refused", "[tlm]") {
  flitcast::tlm::InterconnectParams params = params_for(1, 1, 2);
  params.period = sc_core::SC_ZERO_TIME;
  const flitcast::RoutedNetwork network = mesh_network({2});
  CHECK_THAT(
      problems_of(params, *network.topology, *network.routing, network_params()).front().text(),
      Contains("a cycle takes no time at a time resolution of 1 ps; call sc_set_time_resolution"));
}

TEST_CASE("a resolution coarser than 1 ns does for a clock whose period it expresses", "[tlm]") {
  sc_core::sc_set_time_resolution(1, sc_core::SC_US);
  const std::string tlm = "tlm: {initiators: [0], targets: [8], windows: '0 4K 0'}\n";
  CHECK_THAT(problems_in(kMesh + tlm), Contains("cannot express a period of 1 ns"));
  const TemporaryFile file("clock: 1 MHz\n" + kMesh + tlm);
  const flitcast::tlm::Interconnect<> net("net", file.path());
  CHECK(net.params().period == sc_core::sc_time(1, sc_core::SC_US));
  CHECK(net.initiator(0).period == sc_core::sc_time(1, sc_core::SC_US));
}
