// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "clos/connection_admission.h"
#include "topology/clos.h"

namespace flitcast::clos {

/// Makes the strategy of one network of a level; called level by level, network by network.
using StrategyFactory = std::function<std::unique_ptr<Strategy>(const Structure&, unsigned level)>;

/// The result of a request over all levels.
struct MultistageVerdict {
  bool blocked = false;
  /// The number of levels that ran, outermost first; a level that finds the request blocked is the
  /// last.
  std::size_t levels = 0;
  /// Per level the most passes of any control involved. The levels run one after another and the
  /// networks of a level in parallel, so the clocks of a level follow from this number. 0 for
  /// levels that did not run, and for strategies that count none for a blocked request.
  std::vector<std::size_t> passes;
  /// Clocks of the hardware, level by level; empty if all strategies are software.
  std::vector<std::uint64_t> clocks{};
};

/// The setting of one crossbar of the network for a connection.
struct SwitchSetting {
  enum class Stage { kInput, kMiddle, kOutput };

  /// The enclosing middle switches, outermost first; none for the outermost input and output
  /// switches. Their number is the level.
  std::vector<MiddleId> inside;
  Stage stage = Stage::kInput;  ///< kMiddle: innermost level only.
  std::uint32_t number = 0;     ///< Number of the switch in its stage of its network.
  std::uint32_t input = 0;      ///< Port of the switch.
  std::vector<std::uint32_t> outputs;

  /// The crossbar in a topology of that structure.
  RouterId router(const Clos& topology) const;
  /// The stage of the crossbar in a network of k levels, 0 .. 2k.
  std::size_t whole_stage(std::size_t levels) const;
};

/// Admits connections to a (2k + 1)-stage network with a ConnectionAdmission for each three-stage
/// network in it. The part of a connection in a middle switch, from input i to the output switches
/// that the middle switch serves, is a request to the ConnectionAdmission of that middle switch.
///
/// If every level has its m of Theorem 3 no request is ever blocked, because the middle switches
/// receive only valid requests. A request that some level blocks changes no state. Time and memory:
/// those of the controls; O(x) networks of a level take part, x the product of the route sizes
/// around it.
class MultistageAdmission {
 public:
  /// @param params  One for each level, or empty for defaults.
  /// Throws std::invalid_argument for no level, for levels that do not fit into each other, and for
  /// what ConnectionAdmission refuses.
  MultistageAdmission(const MultistageStructure& structure, const StrategyFactory& make_strategy,
                      const std::vector<AdmissionParams>& params = {});

  const MultistageStructure& structure() const { return structure_; }
  /// The state of a network of a level. The middle switch j of network q has the number m q + j in
  /// the next level.
  const NetworkState& state(std::size_t level, std::size_t network) const {
    return controls_[level][network].state();
  }
  /// The state of the whole network: its connections.
  const NetworkState& state() const { return state(0, 0); }

  /// Serves (input, outputs); InvalidRequest if it is not valid.
  MultistageVerdict connect(InputId input, const std::vector<OutputId>& outputs);
  /// Ends a connection; InvalidRequest if the input has none.
  void disconnect(InputId input) { disconnect(0, 0, input); }

  /// The crossbars on the path of a connection: input switches, then the middle switches that they
  /// feed, then the output switches. Empty for an idle input.
  std::vector<SwitchSetting> path(InputId input) const;

  /// Throws std::logic_error if an invariant of a state does not hold, or if the state of a middle
  /// switch does not match the enclosing state.
  void verify() const;

 private:
  /// A request to one network of a level.
  struct Call {
    std::size_t network;
    InputId input;
    std::vector<OutputId> outputs;

    friend bool operator==(const Call& a, const Call& b) {
      return a.network == b.network && a.input == b.input && a.outputs == b.outputs;
    }
    friend bool operator<(const Call& a, const Call& b) {
      return std::tie(a.network, a.input) < std::tie(b.network, b.input);
    }
  };

  bool innermost(std::size_t level) const { return level + 1 == controls_.size(); }
  std::size_t middle_network(std::size_t level, std::size_t network, MiddleId middle) const {
    return network * structure_.levels[level].m + index(middle);
  }
  bool connect_level(std::size_t level, const std::vector<Call>& calls, MultistageVerdict& verdict);
  std::vector<Call> calls_to_middles(std::size_t level, const std::vector<Call>& calls) const;
  void disconnect(std::size_t level, std::size_t network, InputId input);
  void add_path(std::size_t network, InputId input, std::vector<MiddleId>& inside,
                std::vector<SwitchSetting>& path) const;
  /// One call for each live connection of a level.
  std::vector<Call> live_calls(std::size_t level) const;

  MultistageStructure structure_;
  std::vector<std::vector<ConnectionAdmission>> controls_;  ///< Indexed by level, then network.
};

}  // namespace flitcast::clos
