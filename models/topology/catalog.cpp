// SPDX-License-Identifier: Apache-2.0
#include "topology/catalog.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "topology/butterfly.h"
#include "topology/clos.h"
#include "topology/complete.h"
#include "topology/graph_file.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/limits.h"

namespace flitcast {
namespace {

std::size_t count(const Section& section, const std::string& key) {
  return static_cast<std::size_t>(section.integer(key));
}

std::vector<std::size_t> grid_sizes(const Section& section, std::size_t most_dimensions) {
  std::vector<std::size_t> sizes;
  for (const std::int64_t size : section.integers("sizes")) {
    sizes.push_back(static_cast<std::size_t>(size));
  }
  if (sizes.empty() || sizes.size() > most_dimensions) {
    section.fail("sizes", std::to_string(sizes.size()) + " dimensions",
                 "write 1 to " + std::to_string(most_dimensions) + " sizes");
  }
  if (bounded_product(sizes) > kMaxRouters) {
    section.fail("sizes", "more than 2^24 routers", "make their product at most 16777216");
  }
  return sizes;
}

std::unique_ptr<Topology> make_mesh(const Section& section) {
  return std::unique_ptr<Topology>(new Grid(mesh(grid_sizes(section, Grid::kMaxDimensions))));
}

std::unique_ptr<Topology> make_torus(const Section& section) {
  const auto sizes = grid_sizes(section, Grid::kMaxWrappedDimensions);
  return std::unique_ptr<Topology>(new Grid(torus(sizes)));
}

std::unique_ptr<Topology> make_ring(const Section& section) {
  return std::unique_ptr<Topology>(new Grid(ring(count(section, "nodes"))));
}

std::unique_ptr<Topology> make_hypercube(const Section& section) {
  return std::make_unique<Hypercube>(count(section, "dimension"));
}

std::unique_ptr<Topology> make_complete(const Section& section) {
  return std::make_unique<Complete>(count(section, "nodes"));
}

std::unique_ptr<Topology> make_butterfly(const Section& section) {
  const std::size_t arity = count(section, "arity");
  const std::size_t stages = count(section, "stages");
  if (!Butterfly::buildable(arity, stages)) {
    section.fail("stages", "more than 2^24 nodes or routers",
                 "make arity^stages and stages * arity^(stages-1) at most 16777216");
  }
  return std::make_unique<Butterfly>(arity, stages);
}

std::unique_ptr<Topology> make_clos(const Section& section) {
  const auto ports = section.integers("ports");
  const auto middle_switches = section.integers("middle_switches");
  if (ports.empty() || ports.size() != middle_switches.size()) {
    section.fail("middle_switches",
                 std::to_string(middle_switches.size()) + " levels, but ports has " +
                     std::to_string(ports.size()),
                 "write a number for each level in both, outermost first");
  }
  std::vector<Clos::Level> levels;
  for (std::size_t depth = 0; depth < ports.size(); ++depth) {
    levels.push_back(
        {static_cast<std::size_t>(ports[depth]), static_cast<std::size_t>(middle_switches[depth])});
  }
  const std::size_t switches = count(section, "switches");
  if (!Clos::buildable(levels, switches)) {
    section.fail("middle_switches",
                 "more than 2^24 switches or nodes, 2^26 links, or 2^16 ports of a switch",
                 "make the network smaller");
  }
  return std::make_unique<Clos>(std::move(levels), switches);
}

std::unique_ptr<Topology> make_custom(const Section& section) {
  const std::string path = section.path("file");
  std::ifstream input(path);
  if (!input || std::filesystem::is_directory(path)) {
    section.fail("file", "cannot read \"" + path + "\"",
                 "give the path of a graph file, relative to the configuration file");
  }
  return std::unique_ptr<Topology>(new Graph(read_graph(input, path)));
}

Param integer(std::string key, std::string unit, std::string help, std::size_t least,
              std::size_t most) {
  Param param;
  param.key = std::move(key);
  param.unit = std::move(unit);
  param.help = std::move(help);
  param.least = static_cast<double>(least);
  param.most = static_cast<double>(most);
  return param;
}

Param sizes(const std::string& limit) {
  Param param =
      integer("sizes", "routers", "Routers along each dimension, dimension 0 first; " + limit + ".",
              1, kMaxRouters);
  param.type = Param::Type::kIntegers;
  return param;
}

std::vector<Param> clos_params() {
  Param ports = integer("ports", "ports",
                        "n: nodes of an input switch, and of an output switch. For 5 or more "
                        "stages a list, outermost level first.",
                        1, kMaxRouters);
  ports.type = Param::Type::kIntegers;
  Param middle_switches = integer("middle_switches", "switches",
                                  "m; `flitcast clos bound` says how many make the network "
                                  "nonblocking. A list of as many numbers as ports.",
                                  1, kMaxRouters);
  middle_switches.type = Param::Type::kIntegers;
  return {
      ports, middle_switches,
      integer("switches", "switches",
              "r: input switches, and output switches, of the innermost level.", 1, kMaxRouters)};
}

Param file() {
  Param param;
  param.key = "file";
  param.type = Param::Type::kText;
  param.help =
      "Graph file with lines `router NAME`, `terminal NAME ROUTER` and `link ROUTER ROUTER "
      "[latency "
      "CYCLES] [oneway]`; relative to the configuration file.";
  return param;
}

}  // namespace

const Catalog<CatalogEntry<TopologyMaker>>& topologies() {
  static const Catalog<CatalogEntry<TopologyMaker>> catalog{
      {"mesh", "Grid without wrap-around links.", {sizes("1 to 16 dimensions")}, make_mesh},
      {"torus",
       "Grid that wraps in every dimension (k-ary n-cube).",
       {sizes("1 to 8 dimensions")},
       make_torus},
      {"ring",
       "Torus of one dimension.",
       {integer("nodes", "nodes", "Routers round the ring.", 1, kMaxRouters)},
       make_ring},
      {"hypercube",
       "Binary n-cube: neighbours differ in one bit of their numbers.",
       {integer("dimension", "", "n; there are 2^n nodes.", 0, Hypercube::kMaxDimension)},
       make_hypercube},
      {"complete",
       "Every router is linked to every other.",
       {integer("nodes", "nodes", "Routers, each with a node.", 1, Complete::kMaxNodes)},
       make_complete},
      {"butterfly",
       "k-ary n-fly: unidirectional, with one path for each pair of nodes.",
       {integer("arity", "ports", "k: inputs, and as many outputs, of a router.", 2, kMaxPorts),
        integer("stages", "", "n; there are k^n nodes.", 1, 24)},
       make_butterfly},
      {"clos",
       "v(m, n, r): n r nodes, r input, m middle and r output switches, unidirectional; nested for "
       "more than three stages.",
       clos_params(), make_clos},
      {"custom", "Any graph, read from a text file.", {file()}, make_custom},
  };
  return catalog;
}

}  // namespace flitcast
