// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clos/connection_admission.h"

namespace flitcast::clos {

inline std::vector<OutputId> outputs(const std::vector<std::uint32_t>& numbers) {
  std::vector<OutputId> result;
  for (const std::uint32_t number : numbers) result.push_back(OutputId{number});
  return result;
}

/// Takes the middle switches in a random order, each of which serves all that it can or a part of
/// it: long routes, so that joins and leaves meet every case. May block a request that has a route.
class Scatter : public Strategy {
 public:
  explicit Scatter(std::uint64_t seed) : random_(seed) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    selection.clear();
    BitSet rest = request.wanted;
    BitSet untried = request.candidates;
    std::size_t passes = 0;
    for (; rest.any() && untried.any(); ++passes) {
      const std::size_t middle = untried.nth(random_.below(untried.count()));
      untried.reset(middle);
      BitSet served = rest;
      served -= request.busy.set_of(middle);
      if (served.none()) continue;
      // Half of the time it requests one output switch only, as if the others were not wanted.
      if (untried.any() && random_.below(2) == 0) served = only(served.first(), served.size());
      selection.add(MiddleId{static_cast<std::uint32_t>(middle)}, served.words());
      rest -= served;
    }
    selection.set_passes(passes + (rest.any() ? 1 : 0));
    if (rest.any()) selection.block();
  }

 private:
  static BitSet only(std::size_t member, std::size_t size) {
    BitSet set(size);
    set.set(member);
    return set;
  }

  Random random_;
};

/// Random ports for the next event of a history.
class Dice {
 public:
  Dice(const Structure& structure, std::uint64_t seed) : structure_(structure), random_(seed) {}

  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(random_.below(bound));
  }
  /// Any input or output, idle or not.
  InputId input() { return InputId{below(structure_.inputs())}; }
  OutputId output() { return OutputId{below(structure_.outputs())}; }
  /// A random member of a set that is not empty.
  template <class Id>
  Id member(const BitSet& set) {
    return Id{static_cast<std::uint32_t>(set.nth(random_.below(set.count())))};
  }
  /// Some idle outputs in random order; at least one if there is any.
  std::vector<OutputId> idle_outputs(const NetworkState& state) {
    BitSet idle = state.idle_outputs();
    std::vector<OutputId> chosen;
    for (std::uint32_t left = 1 + below(structure_.r2 + 2); left > 0 && idle.any(); --left) {
      chosen.push_back(member<OutputId>(idle));
      idle.reset(index(chosen.back()));
    }
    return chosen;
  }

 private:
  Structure structure_;
  Random random_;
};

/// Tiny, odd and asymmetric structures, and some with more than 64 middle switches, output switches
/// and ports.
inline std::vector<Structure> all_shapes() {
  return {{1, 1, 1, 1, 1},  {1, 2, 1, 3, 1},   {2, 1, 3, 2, 2},   {2, 3, 3, 3, 3}, {3, 2, 3, 2, 3},
          {4, 3, 3, 3, 3},  {5, 3, 2, 4, 3},   {6, 2, 5, 3, 4},   {3, 5, 1, 2, 7}, {9, 4, 4, 4, 4},
          {70, 9, 3, 9, 3}, {5, 3, 66, 2, 66}, {65, 6, 5, 2, 130}};
}

}  // namespace flitcast::clos
