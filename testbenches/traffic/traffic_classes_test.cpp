// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic_classes.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "config/configuration.h"
#include "ideal_network.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "workload.h"

using namespace flitcast;

namespace {

constexpr std::uint64_t kLatency = 17;

std::vector<TrafficClass> classes_of(const std::string& list, std::size_t virtual_channels = 4) {
  static const Grid grid = mesh({4, 4});
  const Section section =
      read_section("workload", {traffic_classes_param()}, "{classes: " + list + "}", "x.yaml");
  return make_traffic_classes(section, grid, 7, virtual_channels);
}

std::vector<Delivery> played(const std::string& list, std::uint64_t cycles) {
  ClassTraffic source(16, 7, classes_of(list));
  return play(
      source, 16, [](const Packet&) { return kLatency; }, Cycle{cycles});
}

using Facts = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

/// Creation, source, destination and length of the packets of a class.
std::vector<Facts> packets_of(const std::vector<Delivery>& deliveries, std::uint8_t c) {
  std::vector<Facts> facts;
  for (const Delivery& delivery : deliveries) {
    const Packet& packet = delivery.packet;
    if (packet.message_class != c) continue;
    facts.emplace_back(index(packet.created), index(packet.source), index(packet.destination),
                       packet.length);
  }
  return facts;
}

std::string refused(const std::string& list, std::size_t virtual_channels = 4) {
  return complaint([&] { classes_of(list, virtual_channels); });
}

}  // namespace

TEST_CASE("one class is the plain workload, and another changes nothing of it", "[traffic]") {
  const auto plain = make_traffic(
      workload(traffic_params(), {{"load", 0.3}, {"packet_length", {1, 5}}}), mesh({4, 4}), 7);
  const auto expected =
      packets_of(play(
                     *plain, 16, [](const Packet&) { return kLatency; }, Cycle{3000}),
                 0);
  const std::string one = "{name: a, load: 0.3, packet_length: [1, 5]}";
  CHECK(packets_of(played("[" + one + "]", 3000), 0) == expected);
  const auto two = played("[" + one + ", {name: b, load: 0.2, pattern: transpose}]", 3000);
  CHECK(packets_of(two, 0) == expected);
  CHECK(packets_of(two, 1).size() > 1000);
  CHECK(packets_of(two, 1) !=
        packets_of(played("[{name: b, load: 0.2, pattern: transpose}]", 3000), 0));
}

TEST_CASE("every packet of a class with a reply is answered once, after its service", "[traffic]") {
  constexpr std::uint64_t kCycles = 2000;
  constexpr std::uint64_t kService = 9;
  const auto deliveries = played(
      "[{name: ask, load: 0.2, packet_length: 2, reply: answer, service: 9},"
      " {name: answer, packet_length: [3, 6]}, {name: other, load: 0.1}]",
      kCycles);
  std::map<std::uint64_t, const Delivery*> asked;
  for (const Delivery& delivery : deliveries) {
    if (delivery.packet.message_class == 0) asked[index(delivery.packet.id)] = &delivery;
  }
  std::size_t answers = 0;
  std::map<std::uint32_t, int> lengths;
  for (const Delivery& delivery : deliveries) {
    const Packet& packet = delivery.packet;
    if (packet.message_class != 1) continue;
    ++answers;
    ++lengths[packet.length];
    REQUIRE(asked.count(packet.tag) == 1);
    const Delivery& question = *asked[packet.tag];
    CHECK(packet.created == question.arrival + 1 + kService);
    CHECK(packet.source == question.packet.destination);
    CHECK(packet.destination == question.packet.source);
    asked.erase(packet.tag);
  }
  CHECK(answers > 1000);
  CHECK(lengths.size() == 2);
  CHECK(lengths[3] > 400);
  CHECK(lengths[6] > 400);
  // The unanswered requests arrived too late for their replies to arrive before the end.
  for (const auto& [id, question] : asked) {
    CHECK(index(question->arrival) + 1 + kService + kLatency >= kCycles);
  }
}

TEST_CASE("a reply may be answered in turn, and the loads follow", "[traffic]") {
  const std::string list =
      "[{name: c, packet_length: 1}, {name: b, packet_length: 4, reply: c},"
      " {name: a, load: 0.06, packet_length: 2, reply: b}, {name: d, load: 0.03, packet_length: 3,"
      " reply: b}]";
  const auto deliveries = played(list, 20000);
  std::vector<double> flits(4, 0);
  for (const Delivery& delivery : deliveries) {
    flits[delivery.packet.message_class] += delivery.packet.length;
  }
  const std::vector<double> loads = loads_of(classes_of(list), {0, 0, 0.06, 0.03});
  CHECK(loads[1] == Approx(4 * (0.06 / 2 + 0.03 / 3)));
  CHECK(loads[0] == Approx(0.04));
  for (std::size_t c = 0; c < 4; ++c)
    CHECK(flits[c] / 16 / 20000 == Approx(loads[c]).epsilon(0.05));
}

TEST_CASE("classes that cannot be are refused, with all problems and both places", "[traffic]") {
  CHECK(refused("[{name: a, virtual_channels: [0, 2]}, {name: b, virtual_channels: [2, 3]}]") ==
        "x.yaml:1:87: workload.classes[1].virtual_channels: 2 to 3 overlap with those of "
        "workload.classes[0] (line 1, column 29), 0 to 2; give both classes the same virtual "
        "channels, or none in common");
  CHECK(refused("[{name: a}, {name: b, virtual_channels: [2, 3]}]")
            .find("2 to 3 overlap with those of workload.classes[0]") != std::string::npos);
  CHECK(refused("[{name: a, virtual_channels: [0, 4]}]")
            .find("there is no virtual channel 4: router.virtual_channels is 4; use 0 to 3") !=
        std::string::npos);
  CHECK(refused("[{name: a, virtual_channels: [3, 1]}]").find("3 comes after 1") !=
        std::string::npos);
  CHECK(refused("[{name: a, virtual_channels: 2}]").find("not a first and a last one") !=
        std::string::npos);
  const std::string all = refused(
      "[{name: a, reply: b, service: 3}, {name: b, load: 0.1, reply: a}, {name: a, service: 2},"
      " {name: '', reply: zig}]");
  CHECK(all.find("workload.classes[0] (line 1, column 29) is called \"a\", too") !=
        std::string::npos);
  CHECK(all.find("workload.classes[3].name: is empty") != std::string::npos);
  CHECK(all.find("service: means nothing without a reply") != std::string::npos);
  CHECK(all.find("there is no class \"zig\"; name one of a, b, a, ") != std::string::npos);
  CHECK(all.find("\"b\" answers \"a\", so that its load and its destinations follow") !=
        std::string::npos);
  CHECK(refused("[{name: a, reply: b}, {name: b, reply: c}, {name: c, reply: a}]") ==
        "x.yaml:1:39: workload.classes[0].reply: replies in a cycle: a, b, c, a; add a class that "
        "answers no other");
  CHECK(refused("[{name: a, reply: a}]").find("replies in a cycle: a, a") != std::string::npos);
  std::string many;
  for (int c = 0; c < 33; ++c) many += "{name: n" + std::to_string(c) + "},";
  CHECK(refused("[" + many + "]").find("there are 33 classes; use 32 at most") !=
        std::string::npos);
}

TEST_CASE("there may be 32 classes", "[traffic]") {
  std::string list;
  for (int c = 0; c < 32; ++c) list += "{name: n" + std::to_string(c) + ", load: 0.01},";
  CHECK(classes_of("[" + list + "]").size() == 32);
}
