// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "clos/catalog.h"
#include "clos/network_state.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// The search in its plainest form: all states with all names of ports and switches, requests for
/// every set of idle output ports, nothing left out. For networks of up to some six ports.
class NaiveSearch {
 public:
  NaiveSearch(const Structure& structure, const std::string& strategy)
      : strategy_(find(strategies(), strategy)->make({structure})), selection_(structure.r2) {
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
        } else if (!connect_all(state, InputId{p})) {
          return true;
        }
      }
    }
    return false;
  }

 private:
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
    state.output_switches_of(outputs, wanted);
    const BitSet available = state.available().set_of(state.structure().input_switch(input));
    strategy_->select({wanted, available, state.destination_sets()}, selection_);
    if (selection_.blocked()) return false;
    NetworkState next = state;
    next.connect(input, outputs, selection_);
    meet(next);
    return true;
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
  Selection selection_;
  std::set<std::string> met_;
  std::vector<NetworkState> waiting_;
};

}  // namespace flitcast::clos
