// SPDX-License-Identifier: Apache-2.0
// Energies do not depend on the implementation that runs the network; rows and sums.
#include "sim/energy/energy.h"

#include <string>

#include "energy_tables.h"
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
  CHECK(energy("run.implementation=pins") == alone);
}

TEST_CASE(
    "crossbars of circuits are priced by the rows of their sizes, and counting changes nothing",
    "[sim]") {
  Experiment experiment;
  experiment.topology = "{kind: clos, ports: [4], middle_switches: 13, switches: 4}";
  experiment.routing = "{kind: central_control, strategy: S1}";
  experiment.workload = "{kind: clos_requests, load: 0.1, packet_length: 20}";
  experiment.more = "router: {kind: circuit}";
  const auto free = observe(configuration_of(experiment.text(), {})).result;
  const auto priced = observe(configuration_of(experiment.text(), {"energy.cells=osu018"})).result;
  CHECK(priced.at("checksum") == free.at("checksum"));
  const auto& energy = priced.at("energy");
  CHECK(energy.at("row") ==
        "multicast crossbar, 4x13, 34 bits; multicast crossbar, 4x4, 34 bits; multicast crossbar, "
        "13x4, 34 bits");
  CHECK(energy.at("caveat").get<std::string>().find("without the controller") != std::string::npos);
  CHECK(energy.at("parts").size() == 1);
  CHECK(energy.at("dynamic_pj") > 0);
  // Rows of several sizes have parts of the same name, which is listed once, with their sum.
  CHECK(energy.at("parts")[0].at("dynamic_pj").get<double>() ==
        Approx(energy.at("dynamic_pj").get<double>()));
  // Clock energies are those of four input and four output switches, 107.4 and 33.92 pJ a cycle,
  // and of thirteen middle switches, 33.05 pJ.
  const double cycles = priced.at("window_cycles");
  CHECK(energy.at("clock_pj").get<double>() ==
        Approx(cycles * (4 * 107.4 + 4 * 33.92 + 13 * 33.05)));
  for (const auto& router : energy.at("routers")) {
    CHECK((router.at("flits") == 0) == (router.at("dynamic_pj") == 0));
  }
}

TEST_CASE("a router is priced by the smallest row that has its ports, wherever it stands",
          "[sim]") {
  std::string table = round_energies();
  const std::size_t begin = table.find("  - {");
  std::string larger = table.substr(begin, table.find('\n', begin) + 1 - begin);
  larger.replace(larger.find("ports: 5"), 8, "ports: 8");
  larger.replace(larger.find("clock_pj: 19"), 12, "clock_pj: 77");
  table.insert(begin, larger);
  Folder folder;
  folder.write("two_sizes.yaml", table);
  const Experiment experiment =
      with(folder.placed("energy: {cells: table, table: FOLDER/two_sizes.yaml}"));
  const auto result = observe(configuration_of(experiment.text(), {})).result;
  const double cycles = result.at("window_cycles");
  CHECK(result.at("energy").at("clock_pj").get<double>() == Approx(16 * 19 * cycles));
}

TEST_CASE("the line of energies has the sums of clock, cells and wires over all routers", "[sim]") {
  flitcast::EnergyAccount account{{}, 10};
  account.routers = {{0, 1, 4e6, 1e6, 2e6}, {1, 3, 5e6, 1e6, 6e6}};
  CHECK(flitcast::energy_line(account).find("clock 9, dynamic 2, links 8 uJ in 10 cycles; 2.5e+06 "
                                            "pJ per flit-hop without the clock") == 0);
}
