// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/route.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// A request that no network could serve: ports out of range, taken, or named twice. An error of
/// the caller, not a property of the network.
class InvalidRequest : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// "input 9 does not exist; take 0 to 8": a reason of an invalid request.
std::string no_such_port(const char* side, std::uint32_t number, std::uint32_t ports);

/// A live multicast connection; I, its output switches, is the union of the served sets.
struct Connection {
  std::vector<OutputId> outputs;  ///< In ascending order; empty for an idle input.
  Route route;

  friend bool operator==(const Connection& a, const Connection& b) {
    return a.outputs == b.outputs && a.route == b.route;
  }
  friend bool operator!=(const Connection& a, const Connection& b) { return !(a == b); }
};

/// The effect of dropping a port.
enum class Leave {
  kKeptLink,   ///< Another port of the output switch stays: only the port is idle again.
  kLinkFreed,  ///< Link B(j, k) is free, and A(i, j) if j served nothing else.
  kClosed,     ///< It was the last port: the connection has ended.
};

/// "kept-link", "link-freed" or "closed".
const char* to_text(Leave leave);

/// The connections of a single-rate Clos network and their middle switches.
///
/// Invariants after every event (verify() checks all of them; I3 follows from I2 and I5):
///   I1  each link A(i, j) and B(j, k) carries at most one connection
///   I2  the served sets of a connection are disjoint and cover I
///   I3  each output switch k is in at most n2 of the M_j, in fewer while k has an idle port
///   I4  the sum of |M_j| is the sum of |I_p|
///   I5  the table of output owners is the union of the connections
/// A refused request leaves the state bit-identical.
class NetworkState {
 public:
  /// Throws std::invalid_argument for what require_buildable() refuses.
  explicit NetworkState(const Structure& structure);

  const Structure& structure() const { return structure_; }
  /// Row j is M_j: the output switches to which middle switch j carries a connection.
  const BitMatrix& destination_sets() const { return destination_sets_; }
  /// The middle switches whose link from this input switch is unused.
  const BitSet& available(std::uint32_t input_switch) const { return available_[input_switch]; }
  const BitSet& idle_inputs() const { return idle_inputs_; }
  const BitSet& idle_outputs() const { return idle_outputs_; }
  /// Output switches that have an idle port.
  const BitSet& open_output_switches() const { return open_output_switches_; }
  std::uint32_t idle_ports(std::uint32_t output_switch) const { return idle_ports_[output_switch]; }
  /// The lowest idle port of an open output switch; std::invalid_argument for a closed one.
  OutputId lowest_idle(std::uint32_t output_switch) const;
  /// The connection of an input; without outputs and legs if the input is idle.
  const Connection& connection(InputId input) const { return connections_[index(input)]; }
  /// The input connected to this output, if any.
  std::optional<InputId> owner(OutputId output) const;

  /// Adds the output switches of a request to `switches`, of size r2.
  /// Throws InvalidRequest unless the input is idle and the outputs are idle, distinct, in range
  /// and not empty; names every reason. Outputs that do not ascend cost a sorted copy.
  void require_valid(InputId input, const std::vector<OutputId>& outputs, BitSet& switches) const {
    // Nearly every request is valid: the reasons are looked up only on failure.
    if (is_plainly_valid(input, outputs, switches)) return;
    switches.clear();
    refuse_invalid(input, outputs);
    output_switches_of(structure_, outputs, switches);
  }

  /// Enters the connection of a valid request by a matching route: O(x r2 / 64 + ports).
  /// Throws std::logic_error if a port or a link is taken or the served sets are no disjoint cover
  /// of I; the state is unusable then.
  void connect(InputId input, const std::vector<OutputId>& outputs, const Route& route);
  /// As connect() above, for callers that already have I in `unserved`, which the route empties.
  void connect(InputId input, const std::vector<OutputId>& outputs, BitSet& unserved,
               const Route& route);
  /// Ends a connection; InvalidRequest if the input has none.
  void disconnect(InputId input);
  /// Drops one port of a connection; InvalidRequest if the input does not own it.
  Leave leave(InputId input, OutputId output);

  /// Throws InvalidRequest unless the input is connected and the output idle; names every reason.
  void require_joinable(InputId input, OutputId output) const;
  /// The next three functions add an idle output to a connection and throw std::logic_error if the
  /// output, or the link that it needs, is not free. add_port(): at an output switch that the
  /// connection already reaches.
  void add_port(InputId input, OutputId output);
  /// Adds the output by leg `leg` of the route.
  void add_link(InputId input, OutputId output, std::size_t leg);
  /// Adds the output by an additional middle switch.
  void add_leg(InputId input, OutputId output, MiddleId middle);

  /// Enters all connections into an empty network, which must then equal this state.
  /// Throws std::logic_error with the first port or link that two of them take, if a route is no
  /// disjoint cover of its I, and if a table differs.
  void verify() const;

  friend bool operator==(const NetworkState& a, const NetworkState& b);
  friend bool operator!=(const NetworkState& a, const NetworkState& b) { return !(a == b); }

 private:
  static constexpr InputId kNobody{~std::uint32_t{0}};

  bool has_input(InputId input) const { return index(input) < idle_inputs_.size(); }
  bool has_output(OutputId output) const { return index(output) < idle_outputs_.size(); }
  /// The reason why this output cannot be taken; empty if it is idle.
  std::string problem_of(OutputId output) const;
  /// True if the request is valid and its outputs ascend; adds to `switches` in any case.
  bool is_plainly_valid(InputId input, const std::vector<OutputId>& outputs,
                        BitSet& switches) const {
    if (!has_input(input) || !idle_inputs_.test(index(input))) return false;
    std::uint32_t least = 0;
    for (const OutputId output : outputs) {
      const bool rises = index(output) >= least && has_output(output);
      if (!rises || !idle_outputs_.test(index(output))) return false;
      switches.set(structure_.output_switch(output));
      least = index(output) + 1;
    }
    return !outputs.empty();
  }
  /// Throws InvalidRequest with every reason why a request is not valid.
  void refuse_invalid(InputId input, const std::vector<OutputId>& outputs) const;
  void take_port(InputId input, OutputId output);
  void free_port(OutputId output);
  void take_input_link(std::uint32_t input_switch, MiddleId middle);
  void take_output_link(MiddleId middle, std::uint32_t output_switch);
  void take_leg(std::uint32_t input_switch, MiddleId middle, const SetWord* served,
                BitSet& unserved, SetWord* entry);
  void insert_port(InputId input, OutputId output);

  Structure structure_;
  BitMatrix destination_sets_;
  std::vector<BitSet> available_;  ///< Indexed by input switch.
  BitSet idle_inputs_;
  BitSet idle_outputs_;
  BitSet open_output_switches_;
  std::vector<std::uint32_t> idle_ports_;  ///< Indexed by output switch.
  std::vector<InputId> owners_;            ///< Indexed by output; kNobody for an idle one.
  std::vector<Connection> connections_;    ///< Indexed by input.
};

}  // namespace flitcast::clos
