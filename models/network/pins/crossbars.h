// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "network/pins/process.h"
#include "network/pins/signals.h"
#include "router/crossbar_core.h"
#include "router/replicating_crossbar_core.h"

namespace flitcast::pins {

/// The multicast crossbar behind pins. It uses the same core as the circuit-switched network, so
/// every copy leaves in the same cycle.
///
///   in_valid_i, in_flit_i -->|   driver of every output   |--> out_valid_o, out_flit_o
///   config_valid_i, config_driver_i, one for each output ^
///
/// Flits are sampled at rising clk_i edges and are on the outputs stage_cycles edges later (with 1:
/// after the edge that samples them). There is no back-pressure: a flit moves in every cycle in
/// which valid is high. All outputs are registers.
///
/// Every output has its own write port, so a whole connection is written in one cycle:
/// config_driver_i is the input that drives the output afterwards, or `inputs` to make the output
/// idle. A write at an edge applies to flits that are sampled at later edges. A driver for an
/// output that has one, a write of idle to an idle output and a flit at an input that drives no
/// output are errors (report_error(), with the port and the cycle).
/// Reset makes all outputs idle.
class MulticastCrossbar : public Clocked {
 public:
  Inputs<bool> in_valid_i;
  Inputs<Flit> in_flit_i;
  Inputs<bool> config_valid_i;
  Inputs<unsigned> config_driver_i;
  Outputs<bool> out_valid_o;
  Outputs<Flit> out_flit_o;

  /// Zero inputs or outputs, and a stage of zero cycles, are reported as an SC_ERROR.
  /// @param stage_cycles  At least 1.
  MulticastCrossbar(const sc_core::sc_module_name& name, std::uint32_t inputs,
                    std::uint32_t outputs, std::uint32_t stage_cycles = 1);

  /// The input that drives an output; CrossbarCore::kNone if it is idle.
  std::uint32_t driver(std::uint32_t output) const { return core_.driver(output); }

 private:
  struct Host;

  void tick() override;
  void reset() override;
  void copy_flits();
  void write_drivers();
  void drive_outputs() override;

  const std::uint32_t stage_cycles_;
  CrossbarCore core_;
  BitSet valid_;
  std::deque<std::vector<Token>> registers_;  ///< The front drives the wires.
};

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
/// disappears after a copy of it has left are errors (report_error(), with the port and the
/// cycle). Reset clears all outputs and the record of copies that have left.
class ReplicatingCrossbar : public Following {
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
  void follow_inputs() override;
  void tick() override;
  void reset() override;
  void check_sets() const;
  void load(std::uint32_t output);

  ReplicatingCrossbarCore core_;
  std::vector<BitSet> wanted_;
  BitSet full_;   ///< Outputs whose register holds a copy.
  BitSet empty_;  ///< Outputs whose register can accept a copy at the next edge.
};

}  // namespace flitcast::pins
