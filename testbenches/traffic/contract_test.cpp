// SPDX-License-Identifier: Apache-2.0
// The contract of every pattern, injection process and trace format of the catalogs.
#include <algorithm>
#include <cmath>
#include <random>

#include "../sim/folder.h"
#include "routing/shortest_path.h"
#include "support/examples_of.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "topology/examples.h"
#include "topology/grid.h"
#include "traffic/random_traffic.h"
#include "traffic/trace_source.h"
#include "workload.h"

using namespace flitcast;

namespace {

Section traffic(const std::string& keys) {
  return read_section("workload", traffic_params(), "{" + keys + "}", "contract.yaml");
}

bool stays_inside(const Pattern& pattern, std::size_t nodes) {
  Random random(1);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (int i = 0; i < 50; ++i) {
      if (index(pattern.destination(NodeId{node}, random)) >= nodes) return false;
    }
  }
  return true;
}

// The largest difference between a node's number of draws and its expected number, in standard
// deviations.
double largest_excess(const Pattern& pattern, NodeId source, std::size_t nodes) {
  constexpr int kDraws = 2000;
  Random random(11);
  std::vector<int> drawn(nodes, 0);
  for (int i = 0; i < kDraws; ++i) ++drawn[index(pattern.destination(source, random))];
  double excess = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const double share = pattern.share(source, NodeId{node}).value();
    const double deviation = std::sqrt(kDraws * share * (1 - share)) + 1e-6;
    excess = std::max(excess, std::abs(drawn[node] - kDraws * share) / deviation);
  }
  return excess;
}

bool tells_its_shares(const Pattern& pattern, std::size_t nodes) {
  for (std::uint32_t source = 0; source < nodes; ++source) {
    double sum = 0;
    for (std::uint32_t to = 0; to < nodes; ++to) sum += *pattern.share(NodeId{source}, NodeId{to});
    if (std::abs(sum - 1) > 1e-9) return false;
  }
  return largest_excess(pattern, NodeId{0}, nodes) < 6 &&
         largest_excess(pattern, NodeId{static_cast<std::uint32_t>(nodes - 1)}, nodes) < 6;
}

// The rate in flits per cycle, averaged over many packets of four flits.
double rate(const Injection& injection) {
  constexpr int kPackets = 400'000;
  Random random(5);
  Injection::State state = injection.start(random);
  double cycles = 0;
  for (int i = 0; i < kPackets; ++i) {
    const std::uint64_t gap = injection.gap(state, random);
    if (gap == Injection::kNoMore) return 0;
    REQUIRE(gap >= 1);
    cycles += static_cast<double>(gap);
  }
  return 4 * kPackets / cycles;
}

}  // namespace

// A pattern of a topology with all-shortest paths; examples may read the files of the folder.
std::unique_ptr<Pattern> made(const PatternEntry& entry, const std::string& example,
                              const Topology& topology, const program::Folder& folder) {
  const Section section =
      example_of(entry, "workload.pattern", example, (folder.path() / "example.yaml").string());
  std::unique_ptr<Routing> routing;
  try {
    routing = std::make_unique<ShortestPath>(topology, 1);
  } catch (const std::invalid_argument&) {
    // Some nodes cannot reach others, so their paths are not known.
  }
  return make_pattern(section, topology, routing.get());
}

TEST_CASE("every pattern sends to existing nodes, by its declared shares, on every topology",
          "[traffic][contract]") {
  const program::Folder folder;
  folder.write("matrix.csv", "source,destination,rate\n0,1,0.5\n1,0,0.25\n");
  for (const PatternEntry& entry : patterns()) {
    int accepted = 0;
    for (const std::string& example : examples_of(entry)) {
      for (const auto& topology : example_topologies()) {
        INFO(entry.name << " {" << example << "} on " << topology->name());
        try {
          const auto pattern = made(entry, example, *topology, folder);
          CHECK(stays_inside(*pattern, topology->node_count()));
          CHECK(tells_its_shares(*pattern, topology->node_count()));
          ++accepted;
        } catch (const ConfigError& error) {
          // The message ends with a hint.
          CHECK(std::string(error.what()).find("; ") != std::string::npos);
        }
      }
    }
    CHECK(accepted > 0);
  }
}

TEST_CASE("every injection process offers the load that its examples ask for",
          "[traffic][contract]") {
  for (const InjectionEntry& entry : injections()) {
    for (const std::string& example : examples_of(entry)) {
      INFO(entry.name << " {" << example << "}");
      const Section section = traffic("injection: " + entry.name + ", " + example);
      const double load = section.number("load");
      CHECK(std::abs(rate(*entry.make(section, 4)) - load) <= 0.03 * load);
    }
  }
}

TEST_CASE("every trace format refuses what is no trace by the name of the file",
          "[traffic][contract]") {
  std::mt19937 random(3);
  std::string noise;
  for (int i = 0; i < 4096; ++i) noise += static_cast<char>(random());
  for (const TraceFormatEntry& entry : trace_formats()) {
    for (const std::string& example : examples_of(entry)) {
      const Section section =
          read_section("workload", trace_params(), "{format: " + entry.name + ", " + example + "}",
                       "contract.yaml");
      for (const std::string& text : {std::string(), std::string("\n"), noise}) {
        INFO(entry.name << " {" << example << "}, " << text.size() << " bytes");
        const TemporaryFile file(text);
        CHECK_THAT(complaint([&] { entry.make(file.path(), section); }),
                   Catch::Contains(file.path()));
      }
    }
  }
}
