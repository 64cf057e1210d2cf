// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bit_set.h"
#include "router/invariant.h"

namespace flitcast {

/// A crossbar that copies flits: each flit names the outputs by which it leaves, and stays at its
/// input until the last copy has left.
///
///   wanted outputs per input, empty outputs --> plan() --> driver(output), leaves(input)
///                                              commit()     at the end of the cycle
///
///  - Asynchronous: a copy leaves by each output as soon as that output is empty and grants the
///    input. Every output serves the inputs by round robin.
///  - Synchronous: all copies of a flit leave in one cycle. Inputs take turns, starting behind the
///    input that was first in the last turn; each moves if its outputs are empty and not taken by
///    an earlier input. The first input reserves its outputs until it moves; only then another
///    input becomes first. This is the rule of MulticastCore.
///
/// Free of deadlock: only the first input holds outputs while it waits for other outputs, and no
/// other input delays the first. If all outputs are empty in every cycle, all copies of a flit have
/// left after at most inputs() cycles. Time of a plan: O(inputs * outputs).
class ReplicatingCrossbarCore {
 public:
  /// Stands for no input.
  static constexpr std::uint32_t kNone = 0xffffffff;

  ReplicatingCrossbarCore(std::uint32_t inputs, std::uint32_t outputs, bool synchronous)
      : synchronous_(synchronous),
        left_(inputs, BitSet(outputs)),
        leaving_(inputs, BitSet(outputs)),
        leaves_(inputs, false),
        drivers_(outputs, kNone),
        last_(outputs, inputs - 1),
        turn_(inputs - 1),
        next_turn_(turn_) {}

  /// Forgets all copies that have left; input 0 is first in turn again.
  void reset() { *this = ReplicatingCrossbarCore(inputs(), outputs(), synchronous_); }

  std::uint32_t inputs() const { return static_cast<std::uint32_t>(left_.size()); }
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(drivers_.size()); }

  /// Plans the moves of this cycle; a new plan may replace it until commit().
  /// @param wanted  Per input: all outputs of its flit, constant until the flit has left; empty: no
  ///                flit.
  /// @param empty   Outputs that can accept a copy in this cycle.
  void plan(const std::vector<BitSet>& wanted, const BitSet& empty) {
    changed_ = kNone;
    for (std::uint32_t input = 0; input < inputs(); ++input) {
      if (!wanted[input].contains(left_[input])) changed_ = input;
      leaving_[input].clear();
    }
    drivers_.assign(drivers_.size(), kNone);
    next_turn_ = turn_;
    synchronous_ ? plan_in_turn(wanted, empty) : plan_by_output(wanted, empty);
    for (std::uint32_t input = 0; input < inputs(); ++input) {
      BitSet rest = wanted[input];
      rest -= left_[input];
      rest -= leaving_[input];
      leaves_[input] = wanted[input].any() && rest.none();
    }
  }

  /// The input whose copy leaves by the output; kNone if no copy leaves.
  std::uint32_t driver(std::uint32_t output) const { return drivers_[output]; }
  /// True if the last copy of the flit at the input leaves.
  bool leaves(std::uint32_t input) const { return leaves_[input]; }

  /// Carries out the plan. A flit that no longer names an output by which it has left is an
  /// InvariantError.
  void commit() {
    if (changed_ != kNone) broken_invariant("flit changed before it has left", changed_, 0);
    turn_ = next_turn_;
    for (std::uint32_t output = 0; output < outputs(); ++output) {
      if (drivers_[output] != kNone) last_[output] = drivers_[output];
    }
    for (std::uint32_t input = 0; input < inputs(); ++input) {
      left_[input] |= leaving_[input];
      if (leaves_[input]) left_[input].clear();
    }
  }

 private:
  void plan_in_turn(const std::vector<BitSet>& wanted, const BitSet& empty) {
    BitSet free = empty;
    bool first = true;
    for (std::uint32_t step = 0; step < inputs(); ++step) {
      const std::uint32_t input = after(turn_, step);
      if (wanted[input].none()) continue;
      const bool moves = free.contains(wanted[input]);
      if (moves) wanted[input].for_each([&](std::size_t output) { send(input, output); });
      if (moves || first) free -= wanted[input];
      if (moves && first) next_turn_ = input;
      first = false;
    }
  }

  void plan_by_output(const std::vector<BitSet>& wanted, const BitSet& empty) {
    empty.for_each([&](std::size_t output) {
      for (std::uint32_t step = 0; step < inputs(); ++step) {
        const std::uint32_t input = after(last_[output], step);
        if (!wanted[input].test(output) || left_[input].test(output)) continue;
        return send(input, output);
      }
    });
  }

  void send(std::uint32_t input, std::size_t output) {
    drivers_[output] = input;
    leaving_[input].set(output);
  }

  std::uint32_t after(std::uint32_t input, std::uint32_t steps) const {
    return (input + 1 + steps) % inputs();
  }

  bool synchronous_;
  std::vector<BitSet> left_;       // Per input: outputs by which its flit has left.
  std::uint32_t changed_ = kNone;  // An input whose flit changed after copies of it had left.
  std::vector<BitSet> leaving_;    // Per input: outputs by which its flit leaves in this cycle.
  std::vector<bool> leaves_;
  std::vector<std::uint32_t> drivers_;
  std::vector<std::uint32_t> last_;  // Asynchronous: per output the input served last.
  std::uint32_t turn_;               // Synchronous: the input that was first in the last turn.
  std::uint32_t next_turn_;          // Synchronous: turn_ after the plan.
};

}  // namespace flitcast
