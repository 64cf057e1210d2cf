// SPDX-License-Identifier: Apache-2.0
#include "collective/verification.h"

#include <set>
#include <stdexcept>

#include "support/test_catch.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

using Numbers = std::vector<std::size_t>;
using Faults = std::multiset<Fault>;

constexpr Discipline kPackets{Switching::kStoreAndForward, kAllPorts};
constexpr Discipline kMessages{Switching::kWormhole, kAllPorts};

/// A send as plain numbers: nodes, chunk, and the outputs of its path.
struct Hop {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t chunk;
  std::vector<unsigned> outputs;
};

Schedule schedule_of(const std::vector<std::vector<Hop>>& rounds) {
  Schedule schedule;
  for (const std::vector<Hop>& round : rounds) {
    schedule.begin_round();
    for (const Hop& hop : round) {
      std::vector<PortId> path;
      for (const unsigned output : hop.outputs) path.push_back(PortId(output));
      schedule.add(NodeId{hop.from}, NodeId{hop.to}, ChunkId{hop.chunk}, path);
    }
  }
  return schedule;
}

Demand broadcast(std::size_t nodes) { return {Operation::kBroadcast, nodes, NodeId{0}, 1}; }

Faults faults(const Verification& verification) {
  Faults faults;
  for (const Violation& violation : verification.violations) faults.insert(violation.fault);
  CHECK(faults.size() == verification.faults);
  return faults;
}

/// The broadcast on the line 0 - 1 - 2 - 3 in which each node forwards the chunk; output 0 leads
/// up, output 1 down.
const std::vector<std::vector<Hop>> kAlongTheLine{
    {{0, 1, 0, {0}}}, {{1, 2, 0, {0}}}, {{2, 3, 0, {0}}}};

Faults faults_on_line(const std::vector<std::vector<Hop>>& rounds,
                      const Discipline& discipline = kPackets) {
  return faults(verify(mesh({4}), schedule_of(rounds), broadcast(4), discipline));
}

}  // namespace

TEST_CASE("a legal schedule is measured: rounds, sends, news, paths", "[collective]") {
  const Verification packets =
      verify(mesh({4}), schedule_of(kAlongTheLine), broadcast(4), kPackets);
  CHECK(packets.legal());
  CHECK(packets.rounds == 3);
  CHECK(packets.transmissions == 3);
  CHECK(packets.duplicates == 0);
  CHECK(packets.new_per_round == Numbers{1, 1, 1});
  CHECK(packets.longest_path_per_round == Numbers{1, 1, 1});

  const Schedule halving = schedule_of({{{0, 2, 0, {0, 0}}}, {{0, 1, 0, {0}}, {2, 3, 0, {0}}}});
  const Verification messages = verify(mesh({4}), halving, broadcast(4), kMessages);
  CHECK(messages.legal());
  CHECK(messages.rounds == 2);
  CHECK(messages.new_per_round == Numbers{1, 2});
  CHECK(messages.longest_path_per_round == Numbers{2, 1});
}

TEST_CASE("rounds end with the last news, and idle rounds before it count", "[collective]") {
  const Verification verification = verify(
      mesh({2}), schedule_of({{}, {{0, 1, 0, {0}}}, {{1, 0, 0, {1}}}, {}}), broadcast(2), kPackets);
  CHECK(verification.legal());
  CHECK(verification.rounds == 2);
  CHECK(verification.duplicates == 1);
  CHECK(verification.new_per_round == Numbers{0, 1, 0, 0});
}

TEST_CASE("duplicates are receipts of what is held or comes twice in a round", "[collective]") {
  // A ring of 4 is flooded from node 0: node 2 receives from both sides, and node 0 then receives
  // its own chunk.
  const Schedule flood = schedule_of(
      {{{0, 1, 0, {0}}, {0, 3, 0, {1}}}, {{1, 2, 0, {0}}, {3, 2, 0, {1}}}, {{3, 0, 0, {0}}}});
  const Verification verification = verify(torus({4}), flood, broadcast(4), kPackets);
  CHECK(verification.legal());
  CHECK(verification.duplicates == 2);
  CHECK(verification.new_per_round == Numbers{2, 1, 0});
}

TEST_CASE("no node needs to send where there is one node", "[collective]") {
  const Verification verification =
      verify(mesh({1}), Schedule(), broadcast(1), kPackets, {0, false, 0, 0});
  CHECK(verification.legal());
  CHECK(verification.rounds == 0);
}

TEST_CASE("nodes, receivers and chunks that there are none of are faults", "[collective]") {
  auto rounds = kAlongTheLine;
  rounds[0].push_back({4, 1, 0, {0}});
  rounds[1].push_back({0, ~0U, 0, {0}});
  rounds[2].push_back({2, 1, 1, {1}});
  CHECK(faults_on_line(rounds) ==
        Faults{Fault::kNoSuchNode, Fault::kNoSuchNode, Fault::kNoSuchChunk});
}

TEST_CASE("paths that are empty or leave the network are broken and bring nothing",
          "[collective]") {
  const std::vector<unsigned> outputs =
      GENERATE(std::vector<unsigned>{}, std::vector<unsigned>{0, 0}, std::vector<unsigned>{1},
               std::vector<unsigned>{2}, std::vector<unsigned>{3}, std::vector<unsigned>{65535});
  const Faults seen =
      faults(verify(mesh({2}), schedule_of({{{0, 1, 0, outputs}}}), broadcast(2), kMessages));
  CHECK(seen == Faults{Fault::kBrokenPath, Fault::kUnserved});
}

TEST_CASE("a send to oneself brings nothing, and is no duplicate either", "[collective]") {
  const Schedule to_itself = schedule_of({{{0, 0, 0, {}}}});
  const Verification verification = verify(mesh({1}), to_itself, broadcast(1), kMessages);
  CHECK(faults(verification) == Faults{Fault::kBrokenPath});
  CHECK(verification.duplicates == 0);
}

TEST_CASE("a path that ends elsewhere brings nothing to either node", "[collective]") {
  const Schedule astray = schedule_of({{{0, 2, 0, {0}}}});
  CHECK(faults(verify(mesh({3}), astray, broadcast(3), kMessages)) ==
        Faults{Fault::kWrongReceiver, Fault::kUnserved, Fault::kUnserved});
}

TEST_CASE("store-and-forward packets go one hop, and messages may go on", "[collective]") {
  auto rounds = kAlongTheLine;
  rounds[2] = {{1, 3, 0, {0, 0}}};
  CHECK(faults_on_line(rounds) == Faults{Fault::kLongPath});
  CHECK(faults_on_line(rounds, kMessages).empty());
}

TEST_CASE("a sender must hold the chunk before the round begins", "[collective]") {
  CHECK(faults_on_line({{{0, 1, 0, {0}}, {1, 2, 0, {0}}}, {{1, 2, 0, {0}}}, {{2, 3, 0, {0}}}}) ==
        Faults{Fault::kSenderLacksChunk});
  // The message delivers no chunk: node 3 cannot forward what node 2 never held.
  CHECK(faults_on_line({{{0, 1, 0, {0}}}, {{2, 3, 0, {0}}}, {{1, 2, 0, {0}}}}) ==
        Faults{Fault::kSenderLacksChunk, Fault::kUnserved});
}

TEST_CASE("nodes along a wormhole path receive nothing", "[collective]") {
  CHECK(faults_on_line({{{0, 3, 0, {0, 0, 0}}}, {{3, 2, 0, {1}}}}, kMessages) ==
        Faults{Fault::kUnserved});
}

TEST_CASE("a channel carries one message in a round, and the next in the next", "[collective]") {
  CHECK(faults_on_line({{{0, 2, 0, {0, 0}}, {0, 1, 0, {0}}}, {{2, 3, 0, {0}}}}, kMessages) ==
        Faults{Fault::kLinkShared});
  // The path goes twice round the ring; a path must not use a channel twice.
  const Schedule twice = schedule_of({{{0, 2, 0, {0, 0, 0, 0, 0}}, {0, 1, 0, {1, 1}}}});
  CHECK(faults(verify(torus({3}), twice, broadcast(3), kMessages)) ==
        Faults{Fault::kLinkShared, Fault::kLinkShared});
  // The two directions of a link, and the two links of a ring of 2, are separate channels.
  const Schedule both =
      schedule_of({{{0, 1, 0, {0}}, {0, 1, 0, {1}}}, {{1, 0, 0, {0}}, {0, 1, 0, {1}}}});
  CHECK(faults(verify(torus({2}), both, broadcast(2), kPackets)).empty());
}

TEST_CASE("port limits count sends and receipts apart", "[collective]") {
  const Complete four(4);  // Output p of node v leads to v + p + 1.
  const Schedule fan_out = schedule_of({{{0, 1, 0, {0}}, {0, 2, 0, {1}}, {0, 3, 0, {2}}}});
  const auto seen = [&](const Schedule& schedule, unsigned ports) {
    return faults(verify(four, schedule, broadcast(4), {Switching::kStoreAndForward, ports}));
  };
  CHECK(seen(fan_out, 3).empty());
  CHECK(seen(fan_out, kAllPorts).empty());
  CHECK(seen(fan_out, 2) == Faults{Fault::kSendLimit});
  CHECK(seen(fan_out, 1) == Faults{Fault::kSendLimit, Fault::kSendLimit});

  const Schedule fan_in = schedule_of(
      {{{0, 1, 0, {0}}}, {{0, 2, 0, {1}}, {1, 2, 0, {0}}}, {{2, 3, 0, {0}}, {3, 2, 0, {2}}}});
  CHECK(seen(fan_in, 1) == Faults{Fault::kReceiveLimit, Fault::kSenderLacksChunk});
  // A node that sends and receives in one round does one of each, which a single port allows.
  const Schedule exchange =
      schedule_of({{{0, 1, 0, {0}}}, {{0, 2, 0, {1}}, {1, 0, 0, {2}}}, {{2, 3, 0, {0}}}});
  CHECK(seen(exchange, 1).empty());
}

TEST_CASE("who lacks at the end what is owed is unserved", "[collective]") {
  const Demand gossip{Operation::kGossip, 2, NodeId{0}, 2};
  const Schedule half = schedule_of({{{0, 1, 0, {0}}, {1, 0, 1, {1}}}, {{0, 1, 2, {0}}}});
  const Verification verification = verify(mesh({2}), half, gossip, kPackets);
  CHECK(faults(verification) == Faults{Fault::kUnserved});
  CHECK(verification.violations.front().text == "node 0 lacks chunk 3 at the end");
}

TEST_CASE("a scatter owes nothing to those it passes through", "[collective]") {
  const Demand scatter{Operation::kScatter, 3, NodeId{0}, 1};
  const Schedule legal = schedule_of({{{0, 1, 2, {0}}}, {{0, 1, 1, {0}}, {1, 2, 2, {0}}}});
  CHECK(verify(mesh({3}), legal, scatter, kPackets, {2, false, 3, 0}).legal());
  const Schedule stuck = schedule_of({{{0, 1, 2, {0}}}, {{0, 1, 1, {0}}}});
  CHECK(faults(verify(mesh({3}), stuck, scatter, kPackets)) == Faults{Fault::kUnserved});

  const Demand exchange{Operation::kAllToAllScatter, 2, NodeId{0}, 1};
  const Schedule swap = schedule_of({{{0, 1, 2, {0}}, {1, 0, 1, {1}}}});
  CHECK(verify(mesh({2}), swap, exchange, kPackets, {1, false, 2, 0}).legal());
}

TEST_CASE("what is promised is held against what is seen", "[collective]") {
  const auto seen = [](const Claim& claim) {
    return faults(verify(mesh({4}), schedule_of(kAlongTheLine), broadcast(4), kPackets, claim));
  };
  CHECK(seen({3, false, 3, 0}).empty());
  CHECK(seen({3, true, {}, {}}).empty());
  CHECK(seen({4, true, {}, {}}).empty());
  CHECK(seen({4, false, {}, {}}) == Faults{Fault::kRounds});
  CHECK(seen({2, false, {}, {}}) == Faults{Fault::kRounds});
  CHECK(seen({2, true, {}, {}}) == Faults{Fault::kRounds});
  CHECK(seen({3, false, 4, {}}) == Faults{Fault::kTransmissions});
  CHECK(seen({3, false, {}, 1}) == Faults{Fault::kDuplicates});
}

TEST_CASE("a violation tells round, nodes, chunk and channel", "[collective]") {
  const auto first = [](const std::vector<std::vector<Hop>>& rounds) {
    return verify(mesh({4}), schedule_of(rounds), broadcast(4), kMessages).violations.at(0).text;
  };
  CHECK(first({{}, {{2, 3, 0, {0}}}}) ==
        "round 2: node 2 sends chunk 0 to node 3 but does not hold it");
  CHECK(first({{{0, 2, 0, {0, 0}}, {0, 1, 0, {0}}}}) ==
        "round 1: node 0 sends chunk 0 to node 1 over the channel that leaves router 0 by output "
        "0, which is taken");
}

TEST_CASE("all faults are counted, the first are told", "[collective]") {
  const Verification verification =
      verify(mesh({10, 10}), Schedule(), broadcast(100), kPackets, {5});
  CHECK(verification.faults == 99 + 1);
  CHECK(verification.violations.size() == Verification::kMostViolations);
}

TEST_CASE("the machine refuses instances that it cannot verify", "[collective]") {
  const Grid line = mesh({4});
  CHECK_THROWS_AS(verify(line, Schedule(), broadcast(3), kPackets), std::invalid_argument);
  CHECK_THROWS_AS(verify(line, Schedule(), {Operation::kBroadcast, 4, NodeId{4}, 1}, kPackets),
                  std::invalid_argument);
  CHECK_THROWS_AS(verify(line, Schedule(), broadcast(4), {Switching::kWormhole, 0}),
                  std::invalid_argument);
  // The nodes enter at the first column of routers and leave at the last.
  const Butterfly butterfly(2, 2);
  CHECK_THROWS_AS(verify(butterfly, Schedule(), broadcast(4), kPackets), std::invalid_argument);
}
