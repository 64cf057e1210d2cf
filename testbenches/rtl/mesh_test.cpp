// SPDX-License-Identifier: Apache-2.0
#include <Vmesh_2.h>
#include <Vmesh_3.h>

#include "rtl/mesh_traffic.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// As the parameters of the models in CMakeLists.txt.
constexpr MeshShape kMesh3{3, 2, 1, 4, 20};
constexpr MeshShape kMesh2{2, 2, 4, 4, 34};
constexpr MeshLoad kSingle{0, 1, 1};  // Packets of one flit.

template <class Model>
void check_delivery(const MeshShape& shape, const MeshLoad& load) {
  MeshTraffic<Model> traffic(shape, load);
  CHECK_NOTHROW(traffic.run(5000));
  CHECK(traffic.drain(100'000));
  CHECK(traffic.packets_delivered > 200);
  CHECK(traffic.flits_delivered == traffic.packets_delivered * load.length);
}

}  // namespace

TEST_CASE("a mesh in RTL delivers every packet once, whole and in order", "[rtl]") {
  check_delivery<Vmesh_2>(kMesh2, {0.05, 4, 1});
  check_delivery<Vmesh_2>(kMesh2, {0.3, 16, 1});
  check_delivery<Vmesh_3>(kMesh3, {0.2, 3, 1});
  check_delivery<Vmesh_3>(kMesh3, {0.2, 16, 1});
}

TEST_CASE("a mesh in RTL forgets what is under way in reset and starts again", "[rtl]") {
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
  // Three routers of 4 cycles from corner to corner; the last is over when the flit shows.
  CHECK(MeshTraffic<Vmesh_2>(kMesh2, kSingle).latency(0, 3) == 3 * 4 - 1);
  CHECK(MeshTraffic<Vmesh_2>(kMesh2, kSingle).latency(2, 2) == 4 - 1);
  // 5 routers of 3 cycles and 4 links of 1.
  CHECK(MeshTraffic<Vmesh_3>(kMesh3, kSingle).latency(2, 6) == 5 * 3 + 4 - 1);
}
