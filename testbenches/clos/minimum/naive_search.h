// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "clos/catalog.h"
#include "clos/network_state.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// Events of a naive search in addition to connects and disconnects.
struct NaiveFreedom {
  bool leave = false;      ///< Every member may leave, also the last one of an output switch.
  bool open_ties = false;  ///< Middle switches are renamed for every request.
};

/// The search in its simplest form: all states with all names of ports and switches, and requests
/// for every set of idle output ports, without reductions. Suits networks of up to some six ports.
class NaiveSearch {
 public:
  NaiveSearch(const Structure& structure, const std::string& strategy, NaiveFreedom freedom = {})
      : strategy_(find(strategies(), strategy)->make({structure})),
        freedom_(freedom),
        selection_(structure.r2) {
    meet(NetworkState(structure));
  }

  bool blocks() {
    while (!waiting_.empty()) {
      const NetworkState state = waiting_.back();
      waiting_.pop_back();
      for (std::uint32_t p = 0; p < state.structure().inputs(); ++p) {
        if (!state.idle_inputs().test(p)) {
          NetworkState next = state;
          next.disconnect(InputId{p});
          meet(next);
          if (freedom_.leave) leave_all(state, InputId{p});
        } else if (!connect_all(state, InputId{p})) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  void leave_all(const NetworkState& state, InputId input) {
    for (const OutputId output : state.connection(input).outputs) {
      NetworkState next = state;
      next.leave(input, output);
      meet(next);
    }
  }

  bool connect_all(const NetworkState& state, InputId input) {
    for (std::uint32_t set = 1; set < 1U << state.structure().outputs(); ++set) {
      std::vector<OutputId> outputs;
      bool idle = true;
      for (std::uint32_t o = 0; o < state.structure().outputs(); ++o) {
        if ((set >> o & 1) == 0) continue;
        outputs.push_back(OutputId{o});
        idle = idle && state.idle_outputs().test(o);
      }
      if (idle && !connect(state, input, outputs)) return false;
    }
    return true;
  }

  bool connect(const NetworkState& state, InputId input, const std::vector<OutputId>& outputs) {
    BitSet wanted(state.structure().r2);
    output_switches_of(state.structure(), outputs, wanted);
    const BitSet available = state.available(state.structure().input_switch(input));
    std::vector<std::uint32_t> names(state.structure().m);
    std::iota(names.begin(), names.end(), 0U);
    do {
      if (!select(state, wanted, available, names)) return false;
      NetworkState next = state;
      next.connect(input, outputs, selection_);
      meet(next);
    } while (freedom_.open_ties && std::next_permutation(names.begin(), names.end()));
    return true;
  }

  // The strategy sees middle switch names[j] as number j.
  bool select(const NetworkState& state, const BitSet& wanted, const BitSet& available,
              const std::vector<std::uint32_t>& names) {
    BitSet candidates(names.size());
    BitMatrix busy(names.size(), state.structure().r2);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (available.test(names[j])) candidates.set(j);
      busy.assign(j, state.destination_sets().set_of(names[j]));
    }
    Selection named(state.structure().r2);
    strategy_->select({wanted, candidates, busy}, named);
    selection_.clear();
    for (std::size_t leg = 0; leg < named.size(); ++leg) {
      selection_.add(MiddleId{names[index(named.middle(leg))]}, named.served(leg));
    }
    return !named.blocked();
  }

  void meet(const NetworkState& state) {
    std::string text;
    for (std::uint32_t p = 0; p < state.structure().inputs(); ++p) {
      const Connection& connection = state.connection(InputId{p});
      if (connection.route.empty()) continue;
      text += to_line(ConnectEvent{InputId{p}, connection.outputs, connection.route}) + ";";
    }
    if (met_.insert(text).second) waiting_.push_back(state);
  }

  std::unique_ptr<Strategy> strategy_;
  NaiveFreedom freedom_;
  Selection selection_;
  std::set<std::string> met_;
  std::vector<NetworkState> waiting_;
};

}  // namespace flitcast::clos
