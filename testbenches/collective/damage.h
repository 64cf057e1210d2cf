// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collective/instances.h"

namespace flitcast {

/// A schedule that can be changed.
struct EditableSend {
  NodeId from{};
  NodeId to{};
  ChunkId chunk{};
  std::vector<PortId> path;
};
using EditableRounds = std::vector<std::vector<EditableSend>>;

EditableRounds unpack(const Schedule& schedule);
Schedule pack(const EditableRounds& rounds);

/// A send of a legal schedule, and what a damage must know to be sure that it is one.
struct SendFacts {
  Message send;
  std::size_t round = 0;
  std::size_t place = 0;               ///< In its round.
  std::optional<std::size_t> arrived;  ///< When its chunk first reached the sender; none: its own.
  bool alone = false;                  ///< No other send ever brings the chunk to the receiver.
  std::optional<std::size_t> needed;   ///< When the receiver first sends the chunk on, if ever.
};

std::vector<SendFacts> facts(const Instance& instance);

/// The most sends, and the most receipts, of any node in any round.
struct PortsInUse {
  std::size_t sends = 0;
  std::size_t receipts = 0;
};
PortsInUse ports_in_use(const Schedule& schedule);

/// The routers on a path that stays in the network, the first and the last among them.
std::vector<RouterId> routers_passed(const Topology& topology, NodeId from,
                                     const std::vector<PortId>& path);

/// The output that leads from one router to another in one hop, if there is a channel.
std::optional<PortId> output_between(const Topology& topology, RouterId from, RouterId to);

/// A channel that leaves (enters) a node's router and leads to (comes from) another than `other`.
std::optional<Channel> channel_leaving(const Topology& topology, NodeId node, NodeId other);
std::optional<Channel> channel_entering(const Topology& topology, NodeId node, NodeId other);

/// Changes a schedule at one of its sends, or returns false and leaves it alone: here it might stay
/// legal.
using Spoil = bool (*)(const Instance& instance, const SendFacts& at, EditableRounds& rounds);
using Filter = bool (*)(const Instance& instance);
using Algorithms = std::set<std::string>;

bool reports(const Verification& verification, Fault fault);

/// Spoils every instance that passes the filter at some of its sends, one at a time, and fails the
/// test unless the step machine reports the fault each time. All algorithms must offer a place but
/// those that are immune, which must not.
void check_reported(Fault fault, Filter filter, Spoil spoil, const Algorithms& immune = {});

}  // namespace flitcast
