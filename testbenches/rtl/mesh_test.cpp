// SPDX-License-Identifier: Apache-2.0
#include <Vmesh_2.h>
#include <Vmesh_3.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cosim/faults.h"
#include "rtl/mesh_traffic.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// The values equal the parameters of the models in CMakeLists.txt.
constexpr MeshShape kMesh3{3, 2, 1, 4, 20};
constexpr MeshShape kMesh2{2, 2, 4, 4, 34};
constexpr MeshLoad kSingle{0, 1, 1};  // Packets of one flit.
constexpr MeshLoad kFull{1.0, 9, 1};

template <class Model>
void check_delivery(const MeshShape& shape, const MeshLoad& load) {
  MeshTraffic<Model> traffic(shape, load);
  CHECK_NOTHROW(traffic.run(5000));
  CHECK(traffic.drain(100'000));
  CHECK(traffic.packets_delivered > 200);
  CHECK(traffic.flits_delivered == traffic.packets_delivered * load.length);
}

/// Mesh that receives packets for 5000 cycles and has 1000 more to deliver them. It is a bench as
/// cosim.h requires, but has no outputs to compare.
class DeliveringMesh {
 public:
  void drive() {
    try {
      if (cycle_++ < 5000) {
        traffic_.run(1);
      } else {
        keeps_promise_ = traffic_.drain(1) || cycle_ < 6000;
      }
    } catch (const std::logic_error&) {
      keeps_promise_ = false;
    }
  }
  void compare(Lockstep& lockstep) { lockstep.compare("promise", 0, true, keeps_promise_); }
  void edge() {}
  VerilatedBench<Vmesh_3>& rtl() { return traffic_.mesh(); }

 private:
  MeshTraffic<Vmesh_3> traffic_{kMesh3, kFull};
  std::uint64_t cycle_ = 0;
  bool keeps_promise_ = true;
};

/// True if packets to `node` enter a router of a mesh by this port, 0 to 3.
bool comes_by(unsigned port, unsigned router, unsigned node) {
  const unsigned x = node % 3, y = node / 3, at_x = router % 3, at_y = router / 3;
  if (port < 2) return port == 0 ? x <= at_x : x >= at_x;
  return x == at_x && (port == 2 ? y <= at_y : y >= at_y);
}

/// Appends rules for faults without effect: a destination bit that is equal in all packets on the
/// link is stuck at that value.
void append_rules(unsigned port, unsigned router, std::vector<std::string>& rules) {
  unsigned always_0 = 0xf, always_1 = 0xf;
  for (unsigned node = 0; node < 9; ++node) {
    if (!comes_by(port, router, node)) continue;
    const unsigned destination = node / 3 << 2 | node % 3;
    always_0 &= ~destination;
    always_1 &= destination;
  }
  for (unsigned bit = 0; bit < 4; ++bit) {
    if (((always_0 | always_1) >> bit & 1) == 0) continue;
    std::ostringstream rule;
    rule << "gen_router\\[" << router << "\\].gen_port\\[" << port << "\\].*rests_q\\[" << bit
         << "\\] stuck at " << (always_1 >> bit & 1);
    rules.push_back(rule.str());
  }
}

std::vector<std::string> rules_of_links() {
  std::vector<std::string> rules;
  for (unsigned router = 0; router < 9; ++router) {
    for (unsigned port = 0; port < 4; ++port) {
      const unsigned at = port < 2 ? router % 3 : router / 3;
      const bool at_border = at == (port % 2 == 0 ? 2 : 0);
      if (!at_border) append_rules(port, router, rules);
    }
  }
  return rules;
}

}  // namespace

TEST_CASE("a mesh in RTL delivers every packet once, whole and in order", "[rtl]") {
  check_delivery<Vmesh_2>(kMesh2, {0.05, 4, 1});
  check_delivery<Vmesh_2>(kMesh2, {0.3, 16, 1});
  check_delivery<Vmesh_3>(kMesh3, {0.2, 3, 1});
  check_delivery<Vmesh_3>(kMesh3, {0.2, 16, 1});
}

TEST_CASE("a mesh in RTL forgets what is in flight in reset and starts again", "[rtl]") {
  MeshTraffic<Vmesh_2> traffic(kMesh2, {0.5, 7, 2});
  for (int round = 0; round < 20; ++round) {
    CHECK_NOTHROW(traffic.run(100));
    traffic.reset();
  }
  CHECK_NOTHROW(traffic.run(1000));
  CHECK(traffic.drain(10'000));
}

TEST_CASE("a mesh in RTL with too much traffic and slow nodes loses nothing", "[rtl]") {
  check_delivery<Vmesh_2>(kMesh2, {1.0, 5, 3});
  check_delivery<Vmesh_3>(kMesh3, {1.0, 1, 5});
}

TEST_CASE("an idle mesh in RTL takes R + V + D cycles for a router and L for a link", "[rtl]") {
  // The path has three routers of 4 cycles from corner to corner; the last cycle ends as the flit
  // appears.
  CHECK(MeshTraffic<Vmesh_2>(kMesh2, kSingle).latency(0, 3) == 3 * 4 - 1);
  CHECK(MeshTraffic<Vmesh_2>(kMesh2, kSingle).latency(2, 2) == 4 - 1);
  // The path has 5 routers of 2 cycles and 4 links of 1.
  CHECK(MeshTraffic<Vmesh_3>(kMesh3, kSingle).latency(2, 6) == 5 * 2 + 4 - 1);
}

TEST_CASE("a fault in the register bits of a link shows in what a mesh delivers", "[faults]") {
  const auto make = [] { return DeliveringMesh(); };
  const std::vector<std::string> none;
  CHECK(unexplained(faults_not_found(make, 19, "u_channel", 6'001), rules_of_links(), 19) == none);
  CHECK(faults_not_found(make, 5, "gen_joined.u_credits", 6'001) == none);
}
