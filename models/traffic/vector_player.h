// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/collective_player.h"
#include "traffic/vector_ledger.h"

namespace flitcast {

/// Plays a schedule in rounds whose messages carry sums of vectors, element by element.
///
/// A rank combines what it has received in a round in the order of the schedule, whichever arrived
/// first, so that the bits of a result depend on the schedule alone. It takes
/// ceil(elements * combine_cycles) cycles for a message with partial sums of so many elements, one
/// message after another as they arrive, and the next round begins when all have done so.
class VectorPlayer : public SchedulePlayer {
 public:
  /// @param combine_cycles  Of an element; not negative.
  VectorPlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
               const VectorData& data, double combine_cycles, DestinationGroups* groups = nullptr,
               Placement placement = {});

  /// Elements that are not, bit by bit, what the sequential program computes: the schedule, message
  /// by message (VectorLedger::carry_out()).
  std::uint64_t wrong() const override;
  const VectorLedger& sums() const { return sums_; }
  /// Elements that ranks have combined with theirs.
  std::uint64_t combined() const { return combined_; }

 protected:
  std::uint64_t load(std::size_t message) override;
  Cycle unload(std::size_t message, const Delivery& delivery) override;
  void end_round(std::size_t round) override;

 private:
  const VectorData data_;
  const double combine_cycles_;
  VectorLedger sums_;
  std::vector<std::vector<VectorSum>> loads_;  // Of the messages that are on their way.
  std::vector<Cycle> busy_until_;              // By rank.
  std::uint64_t combined_ = 0;
  std::uint64_t lost_ = 0;  // Packets with another payload than they were made with.
};

/// Cycles for the combination of so many elements.
std::uint64_t cycles_to_combine(std::size_t elements, double combine_cycles);

/// Cycles that rounds with such data spend on combining, if all messages of a round arrive
/// together: the most of a rank in every round.
std::uint64_t combining_time(const Schedule& schedule, const Demand& demand, const VectorData& data,
                             double combine_cycles);

}  // namespace flitcast
