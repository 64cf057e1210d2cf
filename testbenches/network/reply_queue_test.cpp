// SPDX-License-Identifier: Apache-2.0
// Nodes that answer packets and have a limited number of slots for the answers.
#include <algorithm>
#include <map>
#include <set>

#include "network/fabric_run.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::uint8_t kRequests = 0;
constexpr std::uint8_t kReplies = 1;

/// Requests of a script, each answered by a packet of `length` flits `delay` cycles after its
/// arrival.
class AnsweredScript : public PacketSource {
 public:
  AnsweredScript(std::size_t nodes, std::uint32_t length, std::uint64_t delay = 1)
      : requests(nodes), answers_(nodes), length_(length), delay_(delay) {}

  Cycle first(NodeId node) override { return next(node); }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    if (requests.first(node) == now) requests.create(node, now, packets);
    auto& due = answers_[index(node)];
    while (!due.empty() && due.begin()->first == now) {
      PacketRequest reply{due.begin()->second, length_};
      reply.message_class = kReplies;
      packets.push_back(reply);
      due.erase(due.begin());
    }
    return next(node);
  }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    if (delivery.packet.message_class != kRequests) return;
    answers_[index(delivery.node)].emplace(delivery.arrival + delay_, delivery.packet.source);
    wake_ups.push_back({delivery.node, delivery.arrival + delay_});
  }

  ScriptSource requests;

 private:
  Cycle next(NodeId node) {
    const auto& due = answers_[index(node)];
    return std::min(requests.first(node), due.empty() ? kNever : due.begin()->first);
  }

  std::vector<std::multimap<Cycle, NodeId>> answers_;
  const std::uint32_t length_;
  const std::uint64_t delay_;
};

NetworkParams answering(std::uint32_t places, unsigned threads = 1) {
  NetworkParams params;
  params.router.virtual_channels = 4;
  params.router.buffer_depth = 2;
  params.threads = threads;
  params.message_classes = {{0, kReplies}, {}};
  params.reply_queue = places;
  return params;
}

/// A period of heavy load in which every node requests `length` flits from others.
std::unique_ptr<AnsweredScript> questions(std::size_t nodes, unsigned each, std::uint32_t length,
                                          std::uint64_t seed) {
  auto source = std::make_unique<AnsweredScript>(nodes, length);
  Random random = Random::stream(seed, 3);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    for (std::uint64_t p = 0; p < each; ++p) {
      const NodeId to{static_cast<std::uint32_t>(random.below(nodes))};
      const auto flits = static_cast<std::uint32_t>(1 + random.below(4));
      source->requests.add(Cycle{p * 4}, NodeId{n}, {to, flits});
    }
  }
  return source;
}

constexpr VcRange kLower{0, 2};
constexpr VcRange kUpper{2, 2};
constexpr VcRange kWhole{0, 4};

}  // namespace

TEST_CASE("with VCs of their own replies drain every network, however few places there are",
          "[network]") {
  const std::uint32_t places = GENERATE(1U, 3U);
  const unsigned kind = GENERATE(0U, 1U, 2U);
  NetworkParams params = answering(places);
  if (kind != 0) params.router.buffer_depth = 8;
  params.router.whole_packet_credit = kind == 1;
  if (kind == 2) params.cores = &packet_cores();
  const RoutedNetwork network = mesh_of_classes({3, 3}, {kLower, kUpper});
  FabricRun run("fabric", network, params, questions(9, 40, 8, 1), 9 * 40 * 2);
  while (!run.drained() && index(run.fabric->now()) < 60000) {
    run.fabric->run(20);
    REQUIRE(run.fabric->find_deadlock().empty());
    REQUIRE_NOTHROW(run.fabric->audit());
  }
  CHECK(run.drained());
}

TEST_CASE("reply queues give the same cycles for any number of threads, order and sleep",
          "[network]") {
  const RoutedNetwork network = mesh_of_classes({4, 3}, {{0, 1}, {1, 3}});
  NetworkParams other = answering(2, 3);
  other.sleep = false;
  other.shuffle_seed = 7;
  FabricRun one("one", network, answering(2), questions(12, 30, 5, 2), 12 * 30 * 2);
  FabricRun many("many", network, other, questions(12, 30, 5, 2), 12 * 30 * 2);
  one.drain();
  many.drain();
  REQUIRE(one.drained());
  CHECK(many.checksum() == one.checksum());
}

TEST_CASE(
    "what the search finds in a network of shared VCs never moves, and it finds all that "
    "stands still",
    "[network]") {
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{13}));
  const unsigned kind = static_cast<unsigned>(seed % 3);
  NetworkParams params = answering(1 + static_cast<std::uint32_t>(seed % 2));
  if (kind != 0) params.router.buffer_depth = 8;
  params.router.whole_packet_credit = kind == 1;
  if (kind == 2) {
    params.cores = &packet_cores();
    params.router.buffer_depth = 1;
  }
  const RoutedNetwork network = mesh_of_classes({3, 2}, {kWhole, kWhole});
  FabricRun run("fabric", network, params, questions(6, 60, 8, seed), 6 * 60 * 2);
  std::vector<BlockedVc> cycle;
  while (!run.drained() && cycle.empty() && index(run.fabric->now()) < 20000) {
    run.fabric->run(10);
    cycle = run.fabric->find_deadlock();
    REQUIRE_NOTHROW(run.fabric->audit());
  }
  CHECK(run.drained() == cycle.empty());
  run.fabric->run(5000);
  std::set<std::uint64_t> arrived;
  for (const Delivery& delivery : run.deliveries()) arrived.insert(index(delivery.packet.id));
  for (const BlockedVc& vc : cycle) CHECK(arrived.count(index(vc.packet)) == 0);
}

TEST_CASE("some network of shared VCs falls into deadlock by replies, and none with places enough",
          "[network]") {
  const RoutedNetwork network = mesh_of_classes({3, 2}, {kWhole, kWhole});
  const std::uint32_t places = GENERATE(1U, 0U);
  FabricRun run("fabric", network, answering(places), questions(6, 60, 8, 1), 6 * 60 * 2);
  run.drain(20000);
  CHECK(run.drained() == (places == 0));
  CHECK(run.fabric->find_deadlock().empty() == (places == 0));
}

TEST_CASE("the second request waits until the answer to the first has left", "[network]") {
  // Both neighbours send a request to node 1 of a line of three at once; an answer takes 20 cycles
  // to compute and 6 to leave.
  constexpr std::uint64_t kService = 20;
  constexpr std::uint32_t kLength = 6;
  const std::uint32_t places = GENERATE(0U, 1U);
  const RoutedNetwork network = mesh_of_classes({3}, {kLower, kUpper});
  auto source = std::make_unique<AnsweredScript>(3, kLength, kService);
  source->requests.add(Cycle{0}, NodeId{0}, {NodeId{1}, 1});
  source->requests.add(Cycle{0}, NodeId{2}, {NodeId{1}, 1});
  NetworkParams params = answering(places);
  params.router.buffer_depth = 8;  // Enough for a flit a cycle.
  FabricRun run("fabric", network, params, std::move(source), 4);
  run.drain();
  REQUIRE(run.drained());
  std::vector<Delivery> requests;
  for (const Delivery& delivery : run.deliveries()) {
    if (delivery.packet.message_class == kRequests) requests.push_back(delivery);
  }
  REQUIRE(requests.size() == 2);
  // An answer is created after the service time; its flits leave one per cycle from then on, and
  // its slot is free one cycle after its tail.
  const std::uint64_t bounded = kService + kLength;
  CHECK(requests[1].arrival - requests[0].arrival == (places == 0 ? 1 : bounded));
}

TEST_CASE("a request and its reply take the latency of an empty network each, and a cycle between",
          "[network]") {
  const std::uint32_t places = GENERATE(0U, 1U);
  const RoutedNetwork network = mesh_of_classes({4, 3}, {kLower, kUpper});
  NetworkParams params = answering(places);
  params.router.buffer_depth = 8;
  auto source = std::make_unique<AnsweredScript>(12, 7);
  source->requests.add(Cycle{5}, NodeId{1}, {NodeId{11}, 3});
  FabricRun run("fabric", network, params, std::move(source), 2);
  run.drain();
  REQUIRE(run.drained());
  const RoutedNetwork plain = mesh_network({4, 3}, 2);
  const std::uint64_t there = zero_load_latency(plain, params, NodeId{1}, NodeId{11}, 3);
  const std::uint64_t back = zero_load_latency(plain, params, NodeId{11}, NodeId{1}, 7);
  CHECK(run.deliveries().back().arrival == Cycle{5 + there + 1 + back});
}

TEST_CASE("an unbounded network and one with places enough run alike", "[network]") {
  const RoutedNetwork network = mesh_of_classes({4, 2}, {kLower, kUpper});
  FabricRun unbounded("unbounded", network, answering(0), questions(8, 30, 5, 4), 8 * 30 * 2);
  FabricRun wide("wide", network, answering(1000), questions(8, 30, 5, 4), 8 * 30 * 2);
  FabricRun tight("tight", network, answering(1), questions(8, 30, 5, 4), 8 * 30 * 2);
  unbounded.drain();
  wide.drain();
  tight.drain();
  CHECK(wide.checksum() == unbounded.checksum());
  CHECK(tight.checksum() != unbounded.checksum());
}

TEST_CASE("a fabric refuses reply queues without replies, and replies without requests",
          "[network]") {
  const RoutedNetwork network = mesh_of_classes({2}, {kLower, kUpper});
  SilentSource silent;
  NetworkParams params = answering(1);
  const auto make = [&] { Fabric("refused", *network.topology, *network.routing, silent, params); };
  params.message_classes[0].reply.reset();
  CHECK_THROWS_WITH(make(),
                    Catch::Contains("reply_queue is set, and no message class has replies"));
  params.message_classes[0].reply = 2;
  CHECK_THROWS_WITH(make(), Catch::Contains("the replies to a message class have no class"));
  params.message_classes = {{}};
  CHECK_THROWS_WITH(make(), Catch::Contains("there are 1 message classes, and the routing has 2"));
  params.message_classes = {{4, {}}, {}};
  CHECK_THROWS_WITH(make(), Catch::Contains("a message class has no such priority"));
  auto source = std::make_unique<ScriptSource>(2);
  PacketRequest reply{NodeId{1}, 1};
  reply.message_class = kReplies;
  source->add(Cycle{0}, NodeId{0}, reply);
  FabricRun run("fabric", network, answering(1), std::move(source), 1);
  CHECK_THROWS_AS(run.fabric->run(5), InvariantError);
}
