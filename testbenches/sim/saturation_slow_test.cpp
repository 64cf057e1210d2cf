// SPDX-License-Identifier: Apache-2.0
// Saturation found by `search`, compared with the latency-load curves of an established simulator.
#include <cmath>
#include <string>
#include <vector>

#include "folder.h"
#include "result.h"

using namespace flitcast::program;

namespace {

/// A curve of the reference and the load, in flits per node and cycle, at which its mean latency is
/// three times that of an idle network.
struct Curve {
  const char* name;
  double saturation;
  const char* experiment;
};

constexpr double kTolerance = 0.05;

const std::vector<Curve> kCurves{
    {"C00: a 4x4 mesh, packets of one flit", 0.52621,
     "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
     "router: {virtual_channels: 2, buffer_depth: 4}\n"
     "workload: {kind: traffic, include_self: true, packet_length: 1}\n"
     "measure: {warmup: 10000, window: 10000, drain_limit: 40000}\n"},
    {"C17: an 8x8 mesh with 2 VCs", 0.35447,
     "topology: {kind: mesh, sizes: [8, 8]}\nrouting: {kind: dimension_order}\n"
     "router: {virtual_channels: 2, buffer_depth: 8}\n"
     "workload: {kind: traffic, include_self: true, packet_length: 5}\n"
     "measure: {warmup: 3000, window: 3000, drain_limit: 12000}\n"},
    {"C20: an 8x8 mesh with 4 VCs", 0.39917,
     "topology: {kind: mesh, sizes: [8, 8]}\nrouting: {kind: dimension_order}\n"
     "router: {virtual_channels: 4, buffer_depth: 8}\n"
     "workload: {kind: traffic, include_self: true, packet_length: 5}\n"
     "measure: {warmup: 3000, window: 3000, drain_limit: 12000}\n"},
    {"C22: an 8x8 torus", 0.34295,
     "topology: {kind: torus, sizes: [8, 8]}\n"
     "routing: {kind: dimension_order, vc_classes: dally_seitz_fixed}\n"
     "router: {virtual_channels: 2, buffer_depth: 8}\n"
     "workload: {kind: traffic, include_self: true, packet_length: 5}\n"
     "measure: {warmup: 3000, window: 3000, drain_limit: 12000}\n"},
    {"C25: a fat tree", 0.52191,
     "topology: {kind: fat_tree, arity: 4, levels: 3}\n"
     "routing: {kind: nearest_common_ancestor}\n"
     "router: {virtual_channels: 2, buffer_depth: 8}\n"
     "workload: {kind: traffic, include_self: true, packet_length: 1}\n"
     "measure: {warmup: 3000, window: 3000, drain_limit: 12000}\n"},
};

Json searched(const Curve& curve, const std::string& rule) {
  const Folder folder;
  folder.write("curve.yaml",
               curve.experiment + std::string("search: {find: saturation, rule: ") + rule + "}\n");
  return result_of(folder.path(), "curve.yaml", {"--point", "0"})["saturation"];
}

}  // namespace

TEST_CASE("a search by latency finds the saturation of the reference's curves within 5 %",
          "[program]") {
  for (const Curve& curve : kCurves) {
    const Json found = searched(curve, "latency");
    INFO(curve.name << " at " << curve.saturation << ": " << found);
    CHECK(std::abs(found["value"].get<double>() - curve.saturation) <=
          kTolerance * curve.saturation);
    CHECK(found["above"].get<double>() - found["below"].get<double>() <=
          0.01 * found["above"].get<double>());
  }
}

TEST_CASE("a search by accepted load agrees with one by latency within 5 %", "[program]") {
  for (const Curve& curve : {kCurves[1], kCurves[3]}) {
    const double latency = searched(curve, "latency")["value"];
    const double accepted = searched(curve, "accepted")["value"];
    INFO(curve.name << ": " << latency << ", " << accepted);
    CHECK(std::abs(accepted - latency) <= kTolerance * latency);
  }
}
