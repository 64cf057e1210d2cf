// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>

#include "base/bit_set.h"
#include "clos/controllers/control_unit.h"
#include "clos/controllers/controller.h"

namespace flitcast {

/// Inputs of a Clos control unit in a cycle.
struct ClosStimulus {
  bool rst_n = true;
  bool req_valid = false;
  unsigned req_switch = 0;
  BitSet req_set;
  BitSet req_held;
  bool req_link = false;
  bool rel_valid = false;
  unsigned rel_switch = 0;
  unsigned rel_middle = 0;
  BitSet rel_set;
  bool rel_link = false;
};

/// Generates random requests and releases, drawn anew in every cycle whether they are accepted or
/// not. They come in phases, in each of which releases keep a certain share of the network in use,
/// so that requests end in every possible way. The unit knows links but no connections, so a
/// release may name any links, even free ones.
class ClosTraffic {
 public:
  ClosTraffic(const clos::ControllerParams& params, std::size_t input_switches)
      : params_(params), input_switches_(input_switches) {}

  ClosStimulus next(const clos::DestinationStore& store) {
    if (one_in(200)) new_spell();
    ClosStimulus now;
    now.rst_n = !one_in(5000);
    now.req_valid = percent(requests_);
    now.req_switch = below(input_switches_);
    now.req_set = some_of(params_.r, members_);
    if (now.req_set.none()) now.req_set.set(below(params_.r));
    now.req_link = !one_in(4);
    now.rel_valid = percent(in_use(store) > fill_ ? 90 : 10);
    now.rel_switch = below(input_switches_);
    now.rel_middle = std::max(below(params_.m), below(params_.m));  // Favours late switches.
    now.rel_set = some_of(params_.r, 40);
    now.rel_link = one_in(2);
    now.req_held = BitSet(params_.m);
    if (one_in(2)) now.req_held = held(now, store);
    return now;
  }

 private:
  /// Returns taken links only, also those taken until the release is done.
  BitSet held(const ClosStimulus& now, const clos::DestinationStore& store) {
    BitSet held = some_of(params_.m, members_);
    held -= store.available().set_of(now.req_switch);
    held.reset(now.rel_middle);
    return held;
  }
  void new_spell() {
    requests_ = 20 + 20 * below(5);
    fill_ = 40 + 10 * below(6);
    members_ = 50 + 25 * below(3);
  }
  /// Percentage of the links to output switches that are in use.
  unsigned in_use(const clos::DestinationStore& store) const {
    std::size_t links = 0;
    for (std::size_t j = 0; j < params_.m; ++j) {
      links += store.destination_sets().set_of(j).count();
    }
    return static_cast<unsigned>(100 * links / (params_.m * params_.r));
  }
  BitSet some_of(std::size_t size, unsigned share) {
    BitSet set(size);
    for (std::size_t member = 0; member < size; ++member) {
      if (percent(share)) set.set(member);
    }
    return set;
  }
  unsigned below(std::size_t end) { return static_cast<unsigned>(random_() % end); }
  bool one_in(unsigned n) { return below(n) == 0; }
  bool percent(unsigned share) { return below(100) < share; }

  const clos::ControllerParams params_;
  const std::size_t input_switches_;
  std::mt19937 random_{17};
  unsigned requests_ = 50;
  unsigned fill_ = 50;
  unsigned members_ = 60;
};

}  // namespace flitcast
