// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collective/arithmetic.h"
#include "collective/demand.h"
#include "collective/schedule.h"

namespace flitcast {

/// The vectors that ranks contribute, and the operator that combines two of them.
struct VectorData {
  Arithmetic arithmetic;
  std::size_t elements_per_flit = 1;
  std::uint32_t length = 1;  ///< Flits of the vector that every rank contributes.
  std::uint64_t seed = 1;

  /// The number of elements in the vector of a rank.
  std::size_t elements() const { return length * elements_per_flit; }
  /// The number of elements in all blocks before this one; blocks are cut as item_length() says.
  std::size_t begin_of(const Demand& demand, std::size_t block) const {
    return block * length / demand.blocks() * elements_per_flit;
  }
  /// The number of elements in the block of a sum.
  std::size_t elements_of(const Demand& demand, ChunkId sum) const {
    return begin_of(demand, block_of(sum) + 1) - begin_of(demand, block_of(sum));
  }
};

/// A sum of the elements of a block over some ranks.
struct VectorSum {
  /// The lowest of these ranks, counted from the root; in a combination the sum with the lower
  /// first rank is the left operand.
  std::uint32_t first_rank = 0;
  Elements elements{};
};

/// The sums of every block that the ranks of an operation have, element by element.
///
/// A rank starts with its own vector, cut into blocks. It combines a received partial sum with its
/// own sum; a received result replaces its own sum. So does a router that combines packets, which
/// starts with nothing. The ledger takes 8 bytes for every rank and element.
class VectorLedger {
 public:
  /// The largest product of ranks and elements: 512 MiB.
  static constexpr std::size_t kMostElements = std::size_t{1} << 26;
  static bool has_space_for(const Demand& demand, const VectorData& data) {
    return data.length * data.elements_per_flit <= kMostElements / demand.nodes &&
           demand.blocks() <= kMostElements / demand.nodes;
  }

  /// @param routers  The routers that take part in the schedule; see Switching::kThroughRouters.
  /// Throws std::invalid_argument for an operation without sums and for a barrier;
  /// std::length_error if there is no space.
  VectorLedger(const Demand& demand, const VectorData& data, std::size_t routers = 0);

  const Demand& demand() const { return demand_; }
  /// The sum that `rank` sends in a message with the item.
  VectorSum held(NodeId rank, ChunkId item) const;
  /// Enters a received sum.
  void receive(NodeId rank, ChunkId item, VectorSum sum);

  /// The sums that a message carries, by item.
  std::vector<VectorSum> load(const Schedule& schedule, std::size_t message) const;
  /// Enters the sums of all messages of a round at their receivers, in the order of the schedule.
  /// @param loads  By message: its sums. The sums of the round's messages are emptied.
  void receive(const Schedule& schedule, std::size_t round,
               std::vector<std::vector<VectorSum>>& loads);

  /// Carries out a schedule, round by round and message by message; all messages of a round carry
  /// the sums from before the round. This sequential program defines the sums that ranks must hold.
  void carry_out(const Schedule& schedule);

  /// The number of elements, in the sums that the operation demands, whose bits differ from those
  /// of `expected`.
  std::uint64_t differences(const VectorLedger& expected) const;
  /// The number of these elements whose bits differ from a sum in rank order, one contribution
  /// after the other.
  std::uint64_t differences_from_rank_order() const;
  /// A digest of the bits of all these elements: 16 hexadecimal digits.
  std::string digest() const;

 private:
  std::size_t place(NodeId rank, std::size_t block) const {
    return index(rank) * demand_.blocks() + block;
  }
  VectorSum own(NodeId rank, std::size_t block) const;
  VectorSum combined(VectorSum a, VectorSum b) const;
  /// Calls visit(rank, block) for every sum that the operation demands.
  template <class Visit>
  void for_wanted(Visit&& visit) const;

  Demand demand_;
  VectorData data_;
  // By rank and block: the sum; empty before the first sum.
  std::vector<std::optional<VectorSum>> sums_;
};

/// A digest of the sums that a message carries.
std::uint64_t digest_of(const std::vector<VectorSum>& sums);

}  // namespace flitcast
