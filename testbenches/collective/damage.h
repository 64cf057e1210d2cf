// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collective/instances.h"

namespace flitcast {

/// A send of a schedule in a form that tests can change.
struct EditableSend {
  NodeId from{};
  NodeId to{};
  ChunkId chunk{};
  std::vector<PortId> path;
};
using EditableRounds = std::vector<std::vector<EditableSend>>;

EditableRounds unpack(const Schedule& schedule);
Schedule pack(const EditableRounds& rounds);

/// A send of a legal schedule, with the facts by which a damage decides that it makes the schedule
/// illegal.
struct SendFacts {
  Message send;
  std::size_t round = 0;
  std::size_t place = 0;  ///< The index of the send in its round.
  /// The round in which the chunk first reached the sender; none for the sender's own chunk.
  std::optional<std::size_t> arrived;
  bool alone = false;  ///< No other send ever brings the chunk to the receiver.
  /// The round in which the receiver first forwards the chunk, if it does.
  std::optional<std::size_t> needed;
};

std::vector<SendFacts> facts(const Instance& instance);

/// The most sends, and the most receipts, of any node in any round.
struct PortsInUse {
  std::size_t sends = 0;
  std::size_t receipts = 0;
};
PortsInUse ports_in_use(const Schedule& schedule);

/// The routers on a path that stays in the network, including the first and the last.
std::vector<RouterId> routers_passed(const Topology& topology, NodeId from,
                                     const std::vector<PortId>& path);

/// The output of a one-hop channel from one router to another, if there is one.
std::optional<PortId> output_between(const Topology& topology, RouterId from, RouterId to);

/// A channel between a node's router and a router other than `other`: one that leaves (enters) the
/// node's router.
std::optional<Channel> channel_leaving(const Topology& topology, NodeId node, NodeId other);
std::optional<Channel> channel_entering(const Topology& topology, NodeId node, NodeId other);

/// Changes a schedule at one of its sends; returns false and changes nothing where the result might
/// still be legal.
using Spoil = bool (*)(const Instance& instance, const SendFacts& at, EditableRounds& rounds);
using Filter = bool (*)(const Instance& instance);
using Algorithms = std::set<std::string>;

bool reports(const Verification& verification, Fault fault);

/// Damages every instance that passes the filter at some of its sends, one at a time, and fails the
/// test unless the step machine reports the fault each time. Every algorithm must have a send that
/// allows the damage, except the immune ones, which must have none.
void check_reported(Fault fault, Filter filter, Spoil spoil, const Algorithms& immune = {});

}  // namespace flitcast
