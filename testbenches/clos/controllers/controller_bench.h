// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/controllers/control_unit.h"
#include "support/test_catch.h"

namespace flitcast::clos {

/// Generates every design, one per test case.
inline const ControllerEntry& any_design() {
  return controllers()[GENERATE(range(std::size_t{0}, controllers().size()))];
}

/// The inputs of a controller: I, the available middle switches, and the destination sets.
struct Situation {
  BitSet wanted;
  BitSet available;
  BitMatrix sets;

  std::size_t m() const { return sets.rows(); }
  std::size_t r() const { return sets.columns(); }
  /// The situation as the state of a network with one input switch.
  DestinationStore store() const {
    BitMatrix links(1, m());
    links.assign(0, available);
    return {sets, links};
  }
};

inline Situation situation(std::size_t r, const std::string& wanted, const std::string& available,
                           const std::vector<std::string>& sets) {
  Situation result{from_hex(wanted, r), from_hex(available, sets.size()), {sets.size(), r}};
  for (std::size_t j = 0; j < sets.size(); ++j) result.sets.assign(j, from_hex(sets[j], r));
  return result;
}

inline BitSet random_set(std::size_t size, unsigned percent, std::mt19937& random) {
  BitSet set(size);
  for (std::size_t member = 0; member < size; ++member) {
    if (random() % 100 < percent) set.set(member);
  }
  return set;
}

/// Random sets that are dense enough for requests of several passes and for blocked ones.
inline Situation random_situation(std::size_t m, std::size_t r, std::mt19937& random) {
  const auto density = static_cast<unsigned>(60 + random() % 40);
  Situation result{random_set(r, 50, random), random_set(m, 60, random), {m, r}};
  result.wanted.set(random() % r);
  for (std::size_t j = 0; j < m; ++j) result.sets.assign(j, random_set(r, density, random));
  return result;
}

/// A beat as text, "2:1c", "2:1c last" or "fail".
inline std::string to_text(const Beat& beat) {
  if (beat.fail) return beat.last ? "fail" : "fail without last";
  return std::to_string(index(beat.middle)) + ":" + to_hex(beat.served) +
         (beat.last ? " last" : "");
}

/// A streaming controller between a requester and a sink. Edges count from the accepting one.
class ControllerBench {
 public:
  struct Taken {
    std::uint64_t edge;  ///< The edge after which the beat was first visible.
    std::string beat;
    bool operator==(const Taken& other) const { return edge == other.edge && beat == other.beat; }
  };

  ControllerBench(const ControllerDesign& design, const ControllerParams& params)
      : controller(design, params) {}

  /// Offers the situation until its last beat has been taken. `willing()` returns true if the sink
  /// is ready at the next edge.
  template <class Willing>
  std::vector<Taken> run(const Situation& situation, Willing&& willing) {
    const ControllerOffer offer{situation.wanted, situation.available};
    while (!controller.request_ready()) controller.edge(situation.sets, true);
    std::vector<Taken> beats;
    controller.edge(situation.sets, true, &offer);
    for (std::uint64_t edge = 1; edge < kTooLong; ++edge) {
      if (controller.beat_valid() && is_new_) beats.push_back({edge, to_text(controller.beat())});
      const bool ready = willing();
      const bool ends = controller.beat_valid() && ready && controller.beat().last;
      is_new_ = !controller.beat_valid() || ready;
      controller.edge(situation.sets, ready);
      if (ends) return beats;
    }
    throw std::logic_error("the last beat does not come");
  }
  std::vector<Taken> run(const Situation& situation) {
    return run(situation, [] { return true; });
  }

  Controller controller;

 private:
  static constexpr std::uint64_t kTooLong = 10'000'000;
  bool is_new_ = true;
};

inline std::vector<std::string> texts(const std::vector<ControllerBench::Taken>& taken) {
  std::vector<std::string> beats;
  for (const ControllerBench::Taken& each : taken) beats.push_back(each.beat);
  return beats;
}

}  // namespace flitcast::clos
