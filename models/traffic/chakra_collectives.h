// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/catalog.h"
#include "config/param.h"
#include "config/problem.h"
#include "config/section.h"
#include "traffic/chakra_file.h"
#include "traffic/message_packing.h"
#include "traffic/trace_builder.h"

namespace flitcast {

/// The collective nodes of a Chakra execution trace, as messages between the ranks.
///
/// Ranks of one group take part in their collectives one after another: the first that a rank has
/// belongs to the first of every other, in the order of their files. The algorithm is that of the
/// key for the operation. A rank sends its messages of a round when its own messages of the rounds
/// before, sent and received, have arrived; combining takes no time. What comm_size is of:
///
///   all_reduce, reduce,   the vector that every rank contributes; a reduce-scatter is
///   reduce-scatter        a reduce and then a scatter unless an algorithm is named for it
///   all_gather, gather    what one rank contributes
///   all_to_all, scatter   what a rank has for all of them together
///   broadcast             what the root has
///
/// Messages of barriers carry a byte.
///
/// The root is the first rank of the group, since the schema does not name one.
class ChakraCollectives {
 public:
  /// A node of one rank.
  struct Part {
    std::size_t rank = 0;
    std::uint64_t id = 0;
    std::int64_t type = 0;  ///< comm_type
    std::uint64_t bytes = 0;
    std::uint32_t begin = 0;  ///< The task that ends when the node may begin,
    std::uint32_t end = 0;    ///< and the one by whose end it is done.
  };

  /// Throws ConfigError for groups of ranks that do not exist, or are in one twice.
  /// @param places  The node of every rank.
  ChakraCollectives(const Section& workload, std::vector<NodeId> places);

  /// Whether comm_type is one that can be replayed.
  static bool knows(std::int64_t type);

  /// Parts of one rank come in the order of its file.
  void add(const std::string& group, const Part& part);

  /// Adds the messages of all, or problems for parts that do not belong together and for
  /// algorithms that are not defined for so many ranks.
  void expand(TraceBuilder& builder, const MessagePacking& packing, ProblemList& problems);

 private:
  using Parts = std::vector<Part>;
  using PartsOfRanks = std::vector<Parts>;

  void read_groups();
  /// The ranks of a group; null where workload.groups does not name it.
  const std::vector<std::size_t>* members(const std::string& group) const;
  /// Whether the ranks have as many collectives each, and the same.
  bool belong_together(const std::string& group, const PartsOfRanks& parts,
                       const TraceBuilder& builder, ProblemList& problems) const;
  /// The first part that one of two ranks of a group has otherwise, and how.
  struct Difference {
    const Part* part;
    std::string what;
  };
  static std::optional<Difference> difference(std::size_t first, std::size_t rank,
                                              const PartsOfRanks& parts,
                                              const TraceBuilder& builder);
  const Collective& collective(std::int64_t type, std::size_t ranks);
  void replay(const Parts& parts, TraceBuilder& builder, const MessagePacking& packing);
  void add_messages(const Collective& collective, const Parts& parts, TraceBuilder& builder,
                    const MessagePacking& packing, std::vector<std::uint32_t>& done) const;

  const Section& workload_;
  const std::vector<NodeId> places_;
  std::map<std::string, std::vector<std::size_t>> members_;
  std::vector<std::size_t> everyone_;
  std::map<std::string, PartsOfRanks> parts_;                        ///< By group and rank.
  std::map<std::pair<std::int64_t, std::size_t>, Collective> made_;  ///< By type and ranks.
};

/// The keys `groups` and `collectives`.
std::vector<Param> collective_replay_params();

}  // namespace flitcast
