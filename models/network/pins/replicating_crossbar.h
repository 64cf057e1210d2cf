// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "network/pins/process.h"
#include "network/pins/signals.h"
#include "router/replicating_crossbar_core.h"

namespace flitcast::pins {

/// A crossbar that copies flits, behind pins: a ReplicatingCrossbarCore, whose header has the
/// rules, and a register at each output.
///
///   in_valid_i, in_outputs_i, in_flit_i -->  --> out_valid_o, out_flit_o
///   in_ready_o                          <--  <-- out_ready_i
///
/// A flit moves at a rising clk_i edge where valid and ready are both high. Until its last copy
/// leaves at that edge, it must stay at its input with the same outputs. A copy is on its output
/// after the edge at which it leaves; an output register that is read at an edge can accept the
/// next copy at that edge. in_ready_o follows in_valid_i, in_outputs_i and out_ready_i in the same
/// cycle. At an edge, a flit for no output, a set of outputs of another size, and a flit that
/// disappears after a copy of it has left are errors (SC_REPORT_ERROR, with the port and the
/// cycle). Reset clears all outputs and the record of copies that have left.
class ReplicatingCrossbar : public Clocked {
 public:
  Inputs<bool> in_valid_i;
  Inputs<BitSet> in_outputs_i;
  Inputs<Flit> in_flit_i;
  Outputs<bool> in_ready_o;
  Outputs<bool> out_valid_o;
  Outputs<Flit> out_flit_o;  ///< Meaningful only when valid.
  Inputs<bool> out_ready_i;

  /// Zero inputs or outputs are reported as an SC_ERROR.
  ReplicatingCrossbar(const sc_core::sc_module_name& name, std::uint32_t inputs,
                      std::uint32_t outputs, bool synchronous);

 private:
  void follow_inputs();
  void on_clock() override;
  void reset();
  void check_sets() const;
  void load(std::uint32_t output);

  ReplicatingCrossbarCore core_;
  std::uint64_t cycle_ = 0;
  std::vector<BitSet> wanted_;
  BitSet full_;   ///< Outputs whose register holds a copy.
  BitSet empty_;  ///< Outputs whose register can accept a copy at the next edge.
  sc_core::sc_event clocked_{"clocked"};
};

}  // namespace flitcast::pins
