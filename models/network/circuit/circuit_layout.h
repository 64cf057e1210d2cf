// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/nested_control.h"
#include "clos/structure.h"

namespace flitcast {

/// The crossbars of a (2k + 1)-stage Clos network numbered in one row, and who is wired to whom.
///
/// A network's input switches come first, then its middle switches or networks one by one, then its
/// output switches: the numbering of the topology of the same name.
class CircuitLayout {
 public:
  struct Switch {
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t stage = 0;         ///< 0 to 2 k.
    std::uint32_t first_output = 0;  ///< Number of its output 0 among all outputs of switches.
  };
  /// A port of a switch; with switch kNode the node of that number.
  struct Port {
    std::uint32_t switch_number = 0;
    std::uint32_t port = 0;
  };
  static constexpr std::uint32_t kNode = 0xffffffff;
  /// Of a switch, on either side.
  static constexpr std::uint32_t kMostSwitchPorts = 1U << 16;
  static constexpr std::uint32_t kMostNodes = 1U << 16;
  static constexpr std::uint32_t kMostSwitches = 1U << 26;
  /// Of all switches together: their numbers, Switch::first_output, have 32 bits.
  static constexpr std::uint32_t kMostOutputs = 0xffffffff;

  /// One of the three-stage networks: the whole, or a middle one.
  struct Network {
    std::size_t level = 0;
    std::uint32_t first_switch = 0;
  };

  /// What the constructor refuses, without building anything.
  static void require_within_limits(const clos::MultistageStructure& structure);

  /// Throws std::invalid_argument for a structure that cannot be built, for one with more inputs
  /// than outputs or fewer, which has no nodes, and for one beyond the limits above.
  explicit CircuitLayout(clos::MultistageStructure structure);

  const clos::MultistageStructure& structure() const { return structure_; }
  const clos::Structure& shape(const Network& network) const {
    return structure_.levels[network.level];
  }
  std::uint32_t nodes() const { return structure_.levels.front().inputs(); }
  const std::vector<Switch>& switches() const { return switches_; }
  std::uint32_t inputs() const { return inputs_; }
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(targets_.size()); }

  bool nested(const Network& network) const { return network.level + 1 < structure_.levels.size(); }
  std::uint32_t input_switch(const Network& network, std::uint32_t i) const {
    return network.first_switch + i;
  }
  /// Unless nested(network).
  std::uint32_t middle_switch(const Network& network, std::uint32_t j) const {
    return network.first_switch + shape(network).r1 + j;
  }
  /// If nested(network).
  Network middle_network(const Network& network, std::uint32_t j) const;
  std::uint32_t output_switch(const Network& network, std::uint32_t k) const;

  /// Where an input of a network leads in, and where an output leads out.
  Port entry(const Network& network, std::uint32_t input) const;
  Port exit(const Network& network, std::uint32_t output) const;
  /// Input i and output k of middle switch or network j.
  Port middle_input(const Network& network, std::uint32_t j, std::uint32_t i) const;
  Port middle_output(const Network& network, std::uint32_t j, std::uint32_t k) const;
  /// What an output of a switch is wired to.
  Port target(std::uint32_t switch_number, std::uint32_t output) const {
    return targets_[switches_[switch_number].first_output + output];
  }
  /// The crossbar that a control's setting is for.
  std::uint32_t switch_of(const clos::SwitchSetting& setting) const;

 private:
  void add_switches(const Network& network);
  void add_switch(std::uint32_t inputs, std::uint32_t outputs, std::size_t stage);
  void wire(const Network& network);
  void wire(const Port& from, const Port& to);

  clos::MultistageStructure structure_;
  std::vector<std::uint32_t> sizes_;  // Switches in a network of each level.
  std::vector<Switch> switches_;
  std::uint32_t inputs_ = 0;
  std::vector<Port> targets_;  // Of all outputs of switches.
};

}  // namespace flitcast
