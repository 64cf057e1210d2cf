// SPDX-License-Identifier: Apache-2.0
// Energies do not depend on the implementation that runs the network; rows and sums.
#include "sim/energy/energy.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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

TEST_CASE("a measurement to a precision has the energy of its whole window", "[sim]") {
  Experiment experiment = with("energy: {cells: osu018}");
  experiment.workload = "{kind: traffic, load: 0.2, packet_length: 4}";
  const auto observed = [&](const std::string& measure) {
    experiment.measure = measure;
    return observe(configuration_of(experiment.text())).result;
  };
  const auto precise = observed("{warmup: 500, window: 8192, precision: 0.02}");
  REQUIRE(precise.at("cycles") > 500 + 2048);  // More than one look.
  const auto whole = observed("{warmup: 500, window: 4096}");
  CHECK(precise.at("energy") == whole.at("energy"));
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

namespace {

/// Runs the mesh with a table, written as a file, and other routers; the member `energy`.
nlohmann::ordered_json priced(const Folder& folder, const std::string& table,
                              const std::string& router,
                              const std::string& routing = "{kind: dimension_order}",
                              const std::string& topology = "{kind: mesh, sizes: [4, 4]}") {
  folder.write("t.yaml", table);
  Experiment experiment =
      with("router: " + router + folder.placed("\nenergy: {cells: table, table: FOLDER/t.yaml}"));
  experiment.routing = routing;
  experiment.topology = topology;
  return observe(configuration_of(experiment.text(), {})).result.at("energy");
}

std::string fitted_rows(const std::vector<std::pair<int, int>>& sizes) {
  std::string text = kFittedHead;
  for (const auto& [vcs, depth] : sizes) text += fitted_row(vcs, depth);
  return text;
}

}  // namespace

TEST_CASE("a router between the rows of a table is estimated by the terms of its sizes", "[sim]") {
  const Folder folder;
  const std::string table = fitted_rows({{1, 4}, {2, 4}, {4, 8}, {2, 8}, {4, 2}});
  const auto energy = priced(folder, table, "{virtual_channels: 3, buffer_depth: 6}");
  CHECK(energy.at("row") == "wormhole, 5 ports, 3 VCs of 6, 34 bits, estimated");
  CHECK(energy.at("estimate") == "estimated from other rows of the table");
  const double cycles = 500;
  CHECK(energy.at("clock_pj").get<double>() == Approx(16 * cycles * 5 * (3 * 3 + 2 * 18)));
  CHECK(energy.at("leakage_uw").get<double>() == Approx(16 * 5 * 0.25 * 18));
  CHECK(energy.at("area_um2").get<double>() == Approx(16 * 5 * 7 * 18));
  for (const char* error : {"clock_error", "dynamic_error", "leakage_error", "area_error"}) {
    CHECK(energy.at(error).get<double>() < 1e-6);
  }
  // Each of the flits has a price of 1 + 2 V + V D when it comes in, and each head of 2.
  const auto smaller = priced(folder, table, "{virtual_channels: 2, buffer_depth: 4}");
  CHECK(energy.at("dynamic_pj").get<double>() > 1.8 * smaller.at("dynamic_pj").get<double>());
  CHECK(smaller.at("row") == "wormhole, 5 ports, 2 VCs of 4, 34 bits");
  CHECK(smaller.count("estimate") == 0);
  CHECK(smaller.count("clock_error") == 0);
  CHECK(smaller.at("clock_pj").get<double>() == Approx(16 * cycles * 5 * (3 * 2 + 2 * 8)));
}

TEST_CASE("a router with fewer ports than any row has is estimated with the ports of the smallest",
          "[sim]") {
  const Folder folder;
  const std::string table = fitted_rows({{1, 4}, {2, 4}, {4, 8}, {2, 8}, {4, 2}});
  const auto energy = priced(folder, table, "{virtual_channels: 3, buffer_depth: 6}",
                             "{kind: dimension_order}", "{kind: ring, nodes: 16}");
  CHECK(energy.at("row") == "wormhole, 5 ports, 3 VCs of 6, 34 bits, estimated");
  CHECK(energy.at("clock_pj").get<double>() == Approx(16 * 500.0 * 5 * (3 * 3 + 2 * 18)));
}

TEST_CASE("the error of an estimate is that of the rows, each estimated from the others", "[sim]") {
  const Folder folder;
  const std::vector<std::pair<int, int>> sizes{{1, 4}, {2, 4}, {4, 8}, {2, 8}, {4, 4}};
  // One row in three has a clock of another law.
  const auto table = [&](int without) {
    std::string text = kFittedHead;
    for (int r = 0; r < 5; ++r) {
      std::string row = fitted_row(sizes[r].first, sizes[r].second);
      if (r == 2) row.replace(row.find("clock_pj: "), 10, "clock_pj: 1");
      if (r != without) text += row;
    }
    return text;
  };
  const auto clock = [&](int without, int row) {
    return priced(folder, table(without),
                  fmt::format("{{virtual_channels: {}, buffer_depth: {}}}", sizes[row].first,
                              sizes[row].second))
        .at("clock_pj")
        .get<double>();
  };
  double largest = 0;
  for (int r = 0; r < 5; ++r) {
    largest = std::max(largest, 100 * std::abs(clock(r, r) / clock(-1, r) - 1));
  }
  const auto energy = priced(folder, table(-1), "{virtual_channels: 3, buffer_depth: 6}");
  CHECK(largest > 1);
  CHECK(energy.at("clock_error").get<double>() == Approx(largest));
  CHECK(energy.at("area_error").get<double>() < 1e-6);
}

TEST_CASE("no price of the built-in table falls with ports, virtual channels, depth or width",
          "[sim]") {
  using flitcast::EnergyRow;
  const auto table = flitcast::read_energy_table(flitcast::kBuiltInEnergyTable, "osu018");
  for (const char* kind : {"wormhole", "virtual_cut_through"}) {
    EnergyRow wanted;
    wanted.router = kind;
    wanted.departure = 2;
    const flitcast::EnergyFit fit(table, wanted);
    REQUIRE(fit.possible());
    const auto at = [&](std::size_t ports, std::size_t vcs, std::size_t depth, std::size_t width) {
      EnergyRow row = wanted;
      row.ports = ports;
      row.virtual_channels = vcs;
      row.buffer_depth = depth;
      row.width = width;
      const EnergyRow made = fit.estimate(row);
      flitcast::RouterEvents events;
      for (const auto& event : flitcast::event_names()) events.*event.count = 1;
      return std::vector<double>{made.clock_pj, made.leakage_uw.value(), made.area_um2.value(),
                                 made.input_pin_pf, made.dynamic(events)};
    };
    for (const std::size_t ports : {5, 7}) {
      for (const std::size_t vcs : {1, 2, 3}) {
        for (const std::size_t depth : {2, 5}) {
          for (const std::size_t width : {18, 34}) {
            INFO(ports << " ports, " << vcs << " VCs of " << depth << ", " << width << " bits");
            const auto less = at(ports, vcs, depth, width);
            for (const auto& more :
                 {at(ports + 1, vcs, depth, width), at(ports, vcs + 1, depth, width),
                  at(ports, vcs, depth + 1, width), at(ports, vcs, depth, width + 1)}) {
              for (std::size_t v = 0; v < less.size(); ++v) CHECK(more[v] >= less[v]);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("sizes beyond all rows, and routers that no RTL has, are said to be estimates", "[sim]") {
  const Folder folder;
  const std::string table = fitted_rows({{1, 4}, {2, 4}, {4, 8}, {2, 8}, {4, 4}});
  const auto estimate = [&](const std::string& router, const std::string& routing) {
    const auto energy = priced(folder, table, router, routing);
    CHECK(energy.at("dynamic_pj") > 0);
    return energy.at("estimate").get<std::string>();
  };
  CHECK(estimate("{virtual_channels: 8, buffer_depth: 4}", "{kind: dimension_order}") ==
        "extrapolated: 8 VCs beyond the measured 1 to 4; estimated from other rows of the table");
  CHECK(estimate("{virtual_channels: 2, buffer_depth: 4, speculation: true}",
                 "{kind: dimension_order}") ==
        "estimate: options of routers have no RTL and are priced as none");
  CHECK(estimate("{virtual_channels: 2, buffer_depth: 4}", "{kind: minimal_adaptive}") ==
        "estimate: adaptive routers have no RTL and are priced as those with one route");
  Experiment cube =
      with(folder.placed("router: {virtual_channels: 2, buffer_depth: 4}\n"
                         "energy: {cells: table, table: FOLDER/t.yaml}"));
  cube.topology = "{kind: mesh, sizes: [3, 3, 3]}";
  const auto energy = observe(configuration_of(cube.text(), {})).result.at("energy");
  CHECK(energy.at("estimate") ==
        "extrapolated: 7 ports beyond the measured 5 to 5; estimated from other rows of the table");
}
