// SPDX-License-Identifier: Apache-2.0
// Every schedule of the room, damaged in every way that we could think of: the step machine must
// notice, by the right name. A damage is done only where it must be an error, not where another
// send makes up for it; what makes it one stands before each that does not show it.
#include "collective/damage.h"

#include <algorithm>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

bool any(const Instance&) { return true; }
bool one_port(const Instance& instance) { return instance.discipline.ports == 1; }
bool packets(const Instance& instance) {
  return instance.discipline.switching == Switching::kStoreAndForward;
}
bool messages(const Instance& instance) { return !packets(instance); }
bool gossip(const Instance& instance) { return instance.demand.operation == Operation::kGossip; }

EditableSend& send_at(EditableRounds& rounds, const SendFacts& at) {
  return rounds[at.round][at.place];
}

void erase(EditableRounds& rounds, const SendFacts& at) {
  auto& round = rounds[at.round];
  round.erase(round.begin() + static_cast<std::ptrdiff_t>(at.place));
}

void move(EditableRounds& rounds, const SendFacts& at, std::size_t to_round) {
  if (rounds.size() <= to_round) rounds.resize(to_round + 1);
  rounds[to_round].push_back(send_at(rounds, at));
  erase(rounds, at);
}

/// Finds another send of the same round for which `wanted` returns true.
template <class Predicate>
EditableSend* partner(EditableRounds& rounds, const SendFacts& at, const Predicate& wanted) {
  auto& round = rounds[at.round];
  for (std::size_t place = 0; place < round.size(); ++place) {
    if (place != at.place && wanted(round[place])) return &round[place];
  }
  return nullptr;
}

/// True if the receipt is the only one of its chunk at the receiver, and the receiver does not
/// forward the chunk.
bool is_leaf(const Instance& instance, const SendFacts& at) {
  return at.alone && !at.needed && instance.demand.wants(at.send.to, at.send.chunk);
}

}  // namespace

TEST_CASE("all schedules are legal before they are damaged", "[collective][damage]") {
  for (const Instance& instance : collective_instances()) {
    INFO(instance.name());
    const Verification verification = instance.verified();
    INFO((verification.legal() ? "legal" : verification.violations.front().text));
    CHECK(verification.legal());
    CHECK(instance.verified(pack(unpack(instance.plan.schedule))).legal());
  }
}

// In a flooding every node forwards, and a node with two incoming links may receive two copies.
TEST_CASE("a leaf's receipt that is dropped leaves it unserved", "[collective][damage]") {
  check_reported(Fault::kUnserved, any,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   if (!is_leaf(instance, at)) return false;
                   erase(rounds, at);
                   return true;
                 },
                 {"flooding"});
}

// The receiver gets the chunk by no other send, so it cannot forward the chunk.
TEST_CASE("a dropped receipt whose chunk is sent on leaves that sender without it",
          "[collective][damage]") {
  check_reported(Fault::kSenderLacksChunk, any,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   if (!at.alone || !at.needed) return false;
                   erase(rounds, at);
                   return true;
                 });
}

TEST_CASE("a send doubled in its round shares all its channels", "[collective][damage]") {
  check_reported(Fault::kLinkShared, any,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   rounds[at.round].push_back(EditableSend(send_at(rounds, at)));
                   return true;
                 });
}

TEST_CASE("a send repeated after the end is one transmission and duplicate too many",
          "[collective][damage]") {
  const Fault fault = GENERATE(Fault::kTransmissions, Fault::kDuplicates);
  check_reported(fault, any, [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
    rounds.push_back({send_at(rounds, at)});
    return true;
  });
}

TEST_CASE("receivers that are exchanged are not where their messages arrive",
          "[collective][damage]") {
  check_reported(
      Fault::kWrongReceiver, any, [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
        EditableSend* other =
            partner(rounds, at, [&at](const EditableSend& send) { return send.to != at.send.to; });
        if (other == nullptr) return false;
        std::swap(other->to, send_at(rounds, at).to);
        return true;
      });
}

// A chunk that arrives in a round can be forwarded in the next round at the earliest.
TEST_CASE("a send in the round in which its chunk arrives is too early", "[collective][damage]") {
  check_reported(Fault::kSenderLacksChunk, any,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   if (!at.arrived) return false;
                   move(rounds, at, *at.arrived);
                   return true;
                 });
}

// The receiver gets the chunk by no other send, and does not hold it before that round.
TEST_CASE("a send in the round in which its receiver sends on is too late",
          "[collective][damage]") {
  check_reported(Fault::kSenderLacksChunk, any,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   if (!at.alone || !at.needed) return false;
                   move(rounds, at, *at.needed);
                   return true;
                 });
}

// No other send serves the leaf, so even a late receipt is new; no later send depends on it.
TEST_CASE("a leaf served after the last promised round breaks the promise",
          "[collective][damage]") {
  check_reported(Fault::kRounds, any,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   if (!is_leaf(instance, at)) return false;
                   move(rounds, at, instance.plan.claim.rounds);
                   return true;
                 },
                 {"flooding"});
}

TEST_CASE("one-port nodes that send in two rounds exceed their port in one",
          "[collective][damage]") {
  check_reported(Fault::kSendLimit, one_port,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   if (at.round + 1 == rounds.size()) return false;
                   auto& next = rounds[at.round + 1];
                   const bool sends_twice = std::any_of(
                       next.begin(), next.end(),
                       [&at](const EditableSend& send) { return send.from == at.send.from; });
                   if (!sends_twice) return false;
                   rounds[at.round].insert(rounds[at.round].end(), next.begin(), next.end());
                   rounds.erase(rounds.begin() + static_cast<std::ptrdiff_t>(at.round) + 1);
                   return true;
                 });
}

// A gossip keeps its channels busy, so two of its rounds use some of them twice.
TEST_CASE("two rounds of a gossip in one share channels", "[collective][damage]") {
  check_reported(
      Fault::kLinkShared, gossip, [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
        if (at.round + 1 == rounds.size()) return false;
        auto& next = rounds[at.round + 1];
        const std::vector<PortId>& path = send_at(rounds, at).path;
        const bool shared = std::any_of(next.begin(), next.end(), [&](const EditableSend& send) {
          return send.from == at.send.from && send.path == path;
        });
        if (!shared) return false;
        rounds[at.round].insert(rounds[at.round].end(), next.begin(), next.end());
        rounds.erase(rounds.begin() + static_cast<std::ptrdiff_t>(at.round) + 1);
        return true;
      });
}

TEST_CASE("a second send exceeds a one-port node's sends", "[collective][damage]") {
  check_reported(
      Fault::kSendLimit, one_port,
      [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
        const auto other = channel_leaving(*instance.topology, at.send.from, at.send.to);
        if (!other) return false;
        rounds[at.round].push_back(
            {at.send.from, NodeId{index(other->to.router)}, at.send.chunk, {other->from.port}});
        return true;
      });
}

TEST_CASE("a second message exceeds a one-port node's receipts", "[collective][damage]") {
  check_reported(
      Fault::kReceiveLimit, one_port,
      [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
        const auto other = channel_entering(*instance.topology, at.send.to, at.send.from);
        if (!other) return false;
        rounds[at.round].push_back(
            {NodeId{index(other->from.router)}, at.send.to, at.send.chunk, {other->from.port}});
        return true;
      });
}

TEST_CASE("a port less than a schedule uses is too few", "[collective][damage]") {
  for (const Instance& instance : collective_instances()) {
    INFO(instance.name());
    const PortsInUse used = ports_in_use(instance.plan.schedule);
    const auto verified = [&instance](std::size_t ports) {
      return verify(*instance.topology, instance.plan.schedule, instance.demand,
                    {instance.discipline.switching, static_cast<unsigned>(ports)});
    };
    CHECK(verified(std::max(used.sends, used.receipts)).legal());
    if (used.sends > 1) CHECK(reports(verified(used.sends - 1), Fault::kSendLimit));
    if (used.receipts > 1) CHECK(reports(verified(used.receipts - 1), Fault::kReceiveLimit));
  }
}

TEST_CASE("a send over another's path shares its channels", "[collective][damage]") {
  check_reported(
      Fault::kLinkShared, any, [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
        const EditableSend& taken = send_at(rounds, at);
        EditableSend* other = partner(rounds, at, [](const EditableSend&) { return true; });
        if (other == nullptr) return false;
        const bool own = other->from == taken.from;
        *other = {taken.from, taken.to, own ? other->chunk : taken.chunk, taken.path};
        return true;
      });
}

// The path goes forth, back and forth again: it is legal and ends at the receiver, except that it
// uses the first channel twice.
TEST_CASE("a message that passes a channel twice shares it with itself", "[collective][damage]") {
  check_reported(Fault::kLinkShared, messages,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   std::vector<PortId>& path = send_at(rounds, at).path;
                   const Topology& topology = *instance.topology;
                   const std::vector<RouterId> passed =
                       routers_passed(topology, at.send.from, path);
                   const auto back = output_between(topology, passed[1], passed[0]);
                   path.insert(path.begin(), {path[0], back.value()});
                   return true;
                 });
}

TEST_CASE("a last hop in another direction ends at the wrong node", "[collective][damage]") {
  check_reported(Fault::kWrongReceiver, any,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   std::vector<PortId>& path = send_at(rounds, at).path;
                   const auto passed = routers_passed(*instance.topology, at.send.from, path);
                   const NodeId last{index(passed[passed.size() - 2])};
                   const auto astray = channel_leaving(*instance.topology, last, at.send.to);
                   if (!astray) return false;
                   path.back() = astray->from.port;
                   return true;
                 });
}

TEST_CASE("a hop into the node itself or into nowhere breaks the path", "[collective][damage]") {
  check_reported(Fault::kBrokenPath, any,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   const Topology& topology = *instance.topology;
                   send_at(rounds, at).path.back() = topology.attachment(at.send.to).ejection.port;
                   return true;
                 });
  check_reported(Fault::kBrokenPath, any,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   send_at(rounds, at).path.back() = PortId{1000};
                   return true;
                 });
  check_reported(Fault::kBrokenPath, any,
                 [](const Instance&, const SendFacts& at, EditableRounds& rounds) {
                   send_at(rounds, at).path.clear();
                   return true;
                 });
}

TEST_CASE("a packet that goes on is one hop too far", "[collective][damage]") {
  check_reported(Fault::kLongPath, packets,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   const auto onward = channel_leaving(*instance.topology, at.send.to, at.send.to);
                   EditableSend& send = send_at(rounds, at);
                   send.to = NodeId{index(onward.value().to.router)};
                   send.path.push_back(onward->from.port);
                   return true;
                 });
}

TEST_CASE("nodes and chunks beyond the last do not exist", "[collective][damage]") {
  check_reported(Fault::kNoSuchNode, any,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   send_at(rounds, at).to =
                       NodeId{static_cast<std::uint32_t>(instance.demand.nodes)};
                   return true;
                 });
  check_reported(Fault::kNoSuchChunk, any,
                 [](const Instance& instance, const SendFacts& at, EditableRounds& rounds) {
                   send_at(rounds, at).chunk =
                       ChunkId{static_cast<std::uint32_t>(instance.demand.chunks())};
                   return true;
                 });
}
