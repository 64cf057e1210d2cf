// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/catalog.h"
#include "config/param.h"
#include "config/problem.h"
#include "config/section.h"
#include "traffic/chakra_file.h"
#include "traffic/trace_builder.h"

namespace flitcast {

/// Splits messages of a program into packets: of a header flit and at most `mtu` bytes each, in
/// flits of `flit_bytes` bytes. A message without bytes is a packet with only its header.
class MessagePacking {
 public:
  /// The most packets of a message; a longer message must have a wrong size.
  static constexpr std::uint64_t kMostPackets = 65536;

  /// Reads the keys of packing_params(). Throws ConfigError for packets of more than
  /// kMaxPacketLength flits.
  explicit MessagePacking(const Section& workload);

  /// The most bytes of a message: kMostPackets full packets.
  std::uint64_t most_bytes() const { return kMostPackets * mtu_; }
  bool is_one_packet(std::uint64_t bytes) const { return bytes <= mtu_; }

  /// Returns `base` with a packet of `bytes` bytes.
  TraceTask packet(TraceTask base, NodeId to, std::uint64_t bytes) const;

  /// Adds the packets of a message as parts of the operation with the id. They begin when the task
  /// `begin` has ended, and the tasks `ends` wait for all of them.
  /// @param base  A task that sends nothing, at the start of the message; a copy, because the tasks
  /// of the builder move when it grows.
  void add(TraceBuilder& builder, std::uint64_t id, TraceTask base, NodeId to, std::uint64_t bytes,
           std::uint32_t begin, const std::vector<std::uint32_t>& ends) const;

 private:
  std::uint64_t flit_bytes_;
  std::uint64_t mtu_;
};

/// The keys flit_bytes and mtu.
std::vector<Param> packing_params();

/// Replays the collective operations of a Chakra execution trace as messages between the ranks.
///
/// The ranks of a group take part in their collectives one after another: the first collective of a
/// rank matches the first of every other, in the order of their files. The key for the operation
/// names the algorithm. A rank sends its messages of a round when its own messages of the previous
/// rounds, sent and received, have arrived, and when it has added up the sums in them, each message
/// separately, at the rate of the key `combine`. The attribute comm_size is:
///
///   all_reduce, reduce,   the vector that every rank contributes; a reduce-scatter may also be a
///   reduce-scatter        reduce and then a scatter
///   all_gather, gather    the data that one rank contributes
///   all_to_all, scatter   the data of a rank for all ranks together
///   broadcast             the data of the root
///
/// Messages of barriers carry a byte.
///
/// The root is the first rank of the group, since the schema does not name one.
class ChakraCollectives {
 public:
  /// The part of one rank in a collective.
  struct Part {
    std::size_t rank = 0;
    std::uint64_t id = 0;
    std::int64_t type = 0;  ///< The comm_type of the schema.
    std::uint64_t bytes = 0;
    std::uint32_t begin = 0;  ///< The task that ends when the operation may begin.
    std::uint32_t end = 0;    ///< The task whose end completes the operation.
  };

  /// Throws ConfigError for groups with ranks that do not exist or that are listed twice.
  /// @param places  The node of every rank.
  /// @param builder  Gets the messages.
  ChakraCollectives(const Section& workload, std::vector<NodeId> places,
                    const MessagePacking& packing, TraceBuilder& builder);

  /// True if this comm_type can be replayed.
  static bool knows(std::int64_t type);

  /// Adds a part; the parts of one rank are added in the order of its file.
  void add(const std::string& group, const Part& part);

  /// Adds the messages of all collectives. Adds problems for parts that do not match and for
  /// algorithms that are not defined for the number of ranks.
  void expand(ProblemList& problems);

  /// The operations that expand() has replayed, and their algorithms.
  std::vector<ReplayedCollectives> replayed() const;
  /// Assumptions of the replay, for the user.
  std::vector<std::string> notes() const;

 private:
  using Parts = std::vector<Part>;
  using PartsOfRanks = std::vector<Parts>;

  /// The ranks of a group; null if workload.groups does not name it.
  const std::vector<std::size_t>* members(const std::string& group) const;
  /// True if the ranks have the same number of collectives, of the same types.
  bool belong_together(const std::string& group, const PartsOfRanks& parts,
                       ProblemList& problems) const;
  const Collective& collective(std::int64_t type, std::size_t ranks);
  void replay(const Parts& parts);
  void add_messages(const Collective& collective, const Parts& parts,
                    std::vector<std::uint32_t>& done);

  /// The task that ends when a rank has added up the sums of a message that arrives at the end of
  /// the task `end`; `end` itself if that takes no time.
  std::uint32_t combination(const Collective& collective, const Items& items, const Part& part,
                            std::uint32_t end);

  const Section& workload_;
  const std::vector<NodeId> places_;
  const MessagePacking& packing_;
  TraceBuilder& builder_;
  const double cycles_per_byte_;  ///< Cycles to add up a byte; 0: no time.
  bool combines_ = false;         ///< True if messages with sums have been added.
  std::map<std::string, std::vector<std::size_t>> members_;
  std::vector<std::size_t> everyone_;
  std::map<std::string, PartsOfRanks> parts_;  ///< By group and rank: its parts.
  /// By type and number of ranks: the schedule; in counts_, the number of operations.
  std::map<std::pair<std::int64_t, std::size_t>, Collective> made_;
  std::map<std::pair<std::int64_t, std::size_t>, std::size_t> counts_;
};

/// The keys `groups` and `collectives`.
std::vector<Param> collective_replay_params();

}  // namespace flitcast
