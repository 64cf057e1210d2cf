// SPDX-License-Identifier: Apache-2.0
// Multicasts on a mesh, by software and by hardware: the example and the table of the manual.
#include <fstream>
#include <map>
#include <sstream>

#include "collective.h"
#include "support/test_catch.h"

using namespace flitcast::program;

namespace {

const std::string kExample = FLITCAST_SOURCE "/sim/examples/multicast_mesh.yaml";

/// Returns the cycles of the manual's table, by length and algorithm.
std::map<std::uint64_t, std::map<std::string, std::uint64_t>> cycles_of_manual() {
  std::ifstream page(FLITCAST_SOURCE "/scripts/site/text/guide/collectives.md");
  std::map<std::uint64_t, std::map<std::string, std::uint64_t>> table;
  std::vector<std::string> algorithms;
  for (std::string line; std::getline(page, line);) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(" `"));
      cell.erase(cell.find_last_not_of(" `") + 1);
      cells.push_back(cell);
    }
    const bool heads = cells.size() > 2 && cells[1] == "flits" && cells[2] == "separate_unicasts";
    if (heads) {
      algorithms.assign(cells.begin() + 2, cells.end());
    } else if (line.empty() || line[0] != '|') {
      if (!table.empty()) break;
      algorithms.clear();
    } else if (!algorithms.empty() && cells[1].find_first_not_of("0123456789") > 0 &&
               cells[1].find('-') == std::string::npos) {
      for (std::size_t a = 0; a < algorithms.size(); ++a) {
        table[std::stoull(cells[1])][algorithms[a]] = std::stoull(cells.at(a + 2));
      }
    }
  }
  return table;
}

}  // namespace

TEST_CASE("multicasts on a mesh take the analytic time, which is that of the manual's table",
          "[program]") {
  const Folder folder;
  const auto table = cycles_of_manual();
  REQUIRE(table.size() == 4);
  const Json points = Json::parse(run(folder.path(), {"points", kExample, "--json"}).out);
  CHECK(points.size() == 24);
  for (const Json& point : points) {
    const Json result = result_of(folder.path(), kExample, {"--point", point["point"].dump()});
    const Json& workload = result.at("config").at("workload");
    INFO(workload.dump());
    CHECK(measured(result) == analytic(result));
    CHECK(measured(result) == table.at(workload.at("length").get<std::uint64_t>())
                                  .at(workload.at("algorithm").get<std::string>()));
  }
}

TEST_CASE("trees and worms take their analytic time whatever the routers", "[program]") {
  const Folder folder;
  for (const char* router : {"wormhole", "virtual_cut_through", "store_and_forward"}) {
    for (const char* algorithm : {"dual_path", "multi_path", "column_path", "xy_tree"}) {
      INFO(algorithm << " by " << router);
      Collective collective{"kind: mesh, sizes: [5, 4]", "dimension_order", algorithm, "multicast"};
      collective.router = router;
      folder.write("x.yaml", collective.text());
      const Json result = result_of(folder.path(), "x.yaml",
                                    {"--set", "workload.source=7", "--set",
                                     "workload.destinations=[0, 3, 9, 12, 16, 18, 5]"});
      CHECK(measured(result) == analytic(result));
      CHECK(result.at("packets").at("delivered") == 7);
    }
  }
}

TEST_CASE("a multicast without receivers, and one on a single node, send nothing", "[program]") {
  const Folder folder;
  for (const char* algorithm : {"umesh", "separate_unicasts", "dual_path", "xy_tree"}) {
    for (const char* sizes : {"[1]", "[4, 4]"}) {
      Experiment experiment;
      experiment.topology = std::string("{kind: mesh, sizes: ") + sizes + "}";
      experiment.routing = "{kind: dimension_order}";
      experiment.workload = std::string("{kind: collective, operation: multicast, algorithm: ") +
                            algorithm + ", destinations: []}";
      folder.write("x.yaml", experiment.text());
      INFO(algorithm << " on " << sizes);
      const Json result = result_of(folder.path(), "x.yaml");
      CHECK(result.at("packets").at("created") == 0);
      CHECK(result.at("collective").at("rounds") == 0);
    }
  }
}
