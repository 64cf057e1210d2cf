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

/// What contributions are: vectors of elements, and how two of them become one.
struct VectorData {
  Arithmetic arithmetic;
  std::size_t elements_per_flit = 1;
  std::uint32_t length = 1;  ///< Flits of the vector that every rank contributes.
  std::uint64_t seed = 1;

  /// Elements of the blocks before this one, and of the block that a sum is of; blocks as
  /// item_length() cuts them.
  std::size_t begin_of(const Demand& demand, std::size_t block) const {
    return block * length / demand.blocks() * elements_per_flit;
  }
  std::size_t elements_of(const Demand& demand, ChunkId sum) const {
    return begin_of(demand, block_of(sum) + 1) - begin_of(demand, block_of(sum));
  }
};

/// A sum of the elements of a block over some ranks.
struct VectorSum {
  /// The lowest of these ranks, counted from the root; of two sums the one with the lower is the
  /// left operand.
  std::uint32_t first_rank = 0;
  Elements elements{};
};

/// The sums that the ranks of an operation which adds up have of every block, element by element.
///
/// A rank starts with its own vector, cut into blocks. It combines what it receives with what it
/// has; a result takes the place of what it has. 8 bytes for every rank and element.
class VectorLedger {
 public:
  /// Most ranks times elements that there is space for: 512 MiB.
  static constexpr std::size_t kMostElements = std::size_t{1} << 26;
  static bool has_space_for(const Demand& demand, const VectorData& data);

  /// Throws std::invalid_argument for an operation that adds nothing up, and for a barrier;
  /// std::length_error where there is no room.
  VectorLedger(const Demand& demand, const VectorData& data);

  const Demand& demand() const { return demand_; }
  /// What `rank` sends in a message that carries the sum.
  VectorSum held(NodeId rank, ChunkId item) const;
  /// Enters what a message that carries the sum brought.
  void receive(NodeId rank, ChunkId item, VectorSum sum);

  /// Carries out a schedule, round by round and in a round message by message, all of which carry
  /// what was known before the round: the sequential program that says what ranks must hold.
  void carry_out(const Schedule& schedule);

  /// Of the blocks that ranks are to have a sum of: elements whose bits are not those of
  /// `expected`.
  std::uint64_t differences(const VectorLedger& expected) const;
  /// The same, beside sums in the order of the ranks, one after the other.
  std::uint64_t differences_from_rank_order() const;
  /// Of the bits of all these elements; 16 hexadecimal digits.
  std::string digest() const;

 private:
  std::size_t place(NodeId rank, std::size_t block) const {
    return index(rank) * demand_.blocks() + block;
  }
  std::uint32_t number(NodeId rank) const;
  VectorSum own(NodeId rank, std::size_t block) const;
  VectorSum combined(VectorSum a, VectorSum b) const;
  /// Calls with every rank and block that it is to have a sum of.
  template <class Visit>
  void for_wanted(Visit&& visit) const;

  Demand demand_;
  VectorData data_;
  std::vector<std::optional<VectorSum>> sums_;  // Of every rank and block; none before the first.
};

/// A digest of sums that a message carries.
std::uint64_t digest_of(const std::vector<VectorSum>& sums);

}  // namespace flitcast
