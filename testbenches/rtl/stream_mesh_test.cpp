// SPDX-License-Identifier: Apache-2.0
#include <Vstream_link.h>
#include <Vstream_mesh_2.h>
#include <Vstream_mesh_4.h>

#include "rtl/stream_traffic.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// The values equal the parameters of the models in CMakeLists.txt.
constexpr StreamShape kMesh4{4, 4, 1, 16, false};
constexpr StreamShape kMesh2{2, 2, 1, 5, true};
constexpr StreamShape kLink{1, 1, 2, 5, false};

template <class Model>
void check_delivery(const StreamShape& shape, const StreamLoad& load, std::uint64_t packets) {
  StreamTraffic<Model> traffic(shape, load);
  CHECK(traffic.deliver(packets, packets * 100));
  CHECK(traffic.packets_delivered == packets);
  CHECK_FALSE(traffic.mesh()->contextp()->gotError());
}

/// True if an assertion of the RTL fails when the source of stream 0 breaks a rule, and none
/// before.
bool is_refused(StreamFault fault) {
  StreamTraffic<Vstream_mesh_2> traffic(kMesh2, {0.1, 0.5});
  const VerilatedContext& context = *traffic.mesh()->contextp();
  traffic.mesh()->contextp()->fatalOnError(false);  // A failed assertion does not abort.
  CHECK(traffic.deliver(500, 50'000));
  CHECK_FALSE(context.gotError());
  traffic.break_rule(fault);
  traffic.deliver(500, 1);
  for (int c = 0; c < 5'000 && !context.gotError(); ++c) traffic.deliver(0, 1);
  CHECK(traffic.rule_is_broken());
  return context.gotError();
}

}  // namespace

TEST_CASE("a mesh of streams in RTL delivers every packet once, whole and at its tdest", "[rtl]") {
  check_delivery<Vstream_mesh_4>(kMesh4, {}, FLITCAST_PACKETS);
}

#if FLITCAST_PACKETS <= 100'000
TEST_CASE("a mesh of streams in RTL delivers all with hasty, slow and never pausing nodes",
          "[rtl]") {
  check_delivery<Vstream_mesh_4>(kMesh4, {0, 0}, 5'000);
  check_delivery<Vstream_mesh_4>(kMesh4, {0, 0.9}, 2'000);
  check_delivery<Vstream_mesh_4>(kMesh4, {0.95, 0}, 2'000);
}

TEST_CASE("packets between two nodes of a mesh with one VC arrive in their order", "[rtl]") {
  check_delivery<Vstream_mesh_2>(kMesh2, {}, 20'000);
  check_delivery<Vstream_mesh_2>(kMesh2, {0, 0.5}, 20'000);
}

TEST_CASE("a source and a sink in RTL joined by wires deliver the packets of two classes",
          "[rtl]") {
  check_delivery<Vstream_link>(kLink, {}, 50'000);
  check_delivery<Vstream_link>(kLink, {0, 0}, 50'000);
  check_delivery<Vstream_link>(kLink, {0, 0.9}, 10'000);
}

TEST_CASE("a message class whose sink is never ready holds up no other class", "[rtl]") {
  for (const unsigned blocked : {0U, 1U}) {
    StreamTraffic<Vstream_link> traffic(kLink, {0.2, 0.2, blocked});
    CHECK(traffic.deliver(5'000, 500'000));
    CHECK(traffic.packets_delivered >= 4'900);
  }
}

TEST_CASE("assertions of a source in RTL find a stream that breaks a rule", "[rtl]") {
  CHECK(is_refused(StreamFault::kValidDrops));
  CHECK(is_refused(StreamFault::kDataChanges));
  CHECK(is_refused(StreamFault::kLastChanges));
  CHECK(is_refused(StreamFault::kDestinationChanges));
  CHECK(is_refused(StreamFault::kLastIsLost));
}
#endif
