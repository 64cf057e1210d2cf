// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "clos/controllers/control_unit.h"
#include "network/pins/process.h"
#include "network/pins/signals.h"

namespace flitcast::pins {

/// The streaming controller of a Clos network behind pins: a clos::Controller, whose header
/// describes the timing.
///
///   req_valid_i, req_set_i, req_avail_i -->  --> beat_valid_o, beat_middle_o, beat_set_o,
///   req_ready_o                         <--      beat_last_o, beat_fail_o
///   store_i                             -->  <-- beat_ready_i
///
/// A request and a beat move at a rising clk_i edge where their valid and ready are both high. All
/// outputs are registers. store_i[j] is M_j, and must not change from the edge that accepts a
/// request to the one that makes its last beat visible. Sets of the wrong size are reported as an
/// SC_ERROR when they are read.
class ClosController : public Clocked {
 public:
  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<BitSet> req_set_i{"req_set_i"};      ///< I: r output switches.
  sc_core::sc_in<BitSet> req_avail_i{"req_avail_i"};  ///< m bits: middle switches with a free link.
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};

  sc_core::sc_vector<sc_core::sc_in<BitSet>> store_i;  ///< M_j of m middle switches.

  sc_core::sc_out<bool> beat_valid_o{"beat_valid_o"};
  sc_core::sc_out<unsigned> beat_middle_o{"beat_middle_o"};  ///< Undefined when beat_fail_o.
  sc_core::sc_out<BitSet> beat_set_o{
      "beat_set_o"};  ///< The set served; undefined when beat_fail_o.
  sc_core::sc_out<bool> beat_last_o{"beat_last_o"};
  sc_core::sc_out<bool> beat_fail_o{"beat_fail_o"};
  sc_core::sc_in<bool> beat_ready_i{"beat_ready_i"};

  /// Exceptions of clos::Controller are reported as an SC_ERROR.
  ClosController(const sc_core::sc_module_name& name, const clos::ControllerDesign& design,
                 const clos::ControllerParams& params);

 private:
  void reset() override { controller_.reset(); }
  void tick() override;
  void sample_store();
  void drive_outputs() override;

  clos::Controller controller_;
  BitMatrix store_;
};

/// Controller, store and commit unit of a Clos network behind pins: a clos::ControlUnit, whose
/// header describes the timing.
///
///   req_valid_i, req_switch_i, req_set_i,      --> leg_valid_o, leg_middle_o, leg_set_o
///   req_held_i, req_link_i               -->   --> done_o, blocked_o
///   rel_valid_i, rel_switch_i, rel_middle_i,
///   rel_set_i, rel_link_i                -->
///   ready_o                              <--
///
/// A request or a release is accepted at a rising clk_i edge where ready_o and its valid are high.
/// Outputs depend on registers alone. The legs of the route are output one per clock; then done_o
/// or blocked_o is high for one clock. Unknown switches, and a held middle switch whose link is
/// free, are reported as an SC_ERROR. Reset frees all links.
class ClosControlUnit : public Clocked {
 public:
  sc_core::sc_out<bool> ready_o{"ready_o"};
  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<unsigned> req_switch_i{"req_switch_i"};  ///< The input switch.
  sc_core::sc_in<BitSet> req_set_i{"req_set_i"};          ///< I: r output switches.
  /// m bits: middle switches that the connection holds; empty: a new connection.
  sc_core::sc_in<BitSet> req_held_i{"req_held_i"};
  sc_core::sc_in<bool> req_link_i{"req_link_i"};  ///< Permits middle switches with a free link.

  sc_core::sc_in<bool> rel_valid_i{"rel_valid_i"};
  sc_core::sc_in<unsigned> rel_switch_i{"rel_switch_i"};  ///< The input switch.
  sc_core::sc_in<unsigned> rel_middle_i{"rel_middle_i"};
  sc_core::sc_in<BitSet> rel_set_i{"rel_set_i"};  ///< Output switches no longer served.
  sc_core::sc_in<bool> rel_link_i{"rel_link_i"};  ///< Frees the link to the middle switch as well.

  sc_core::sc_out<bool> leg_valid_o{"leg_valid_o"};
  sc_core::sc_out<unsigned> leg_middle_o{"leg_middle_o"};
  sc_core::sc_out<BitSet> leg_set_o{"leg_set_o"};
  sc_core::sc_out<bool> done_o{"done_o"};
  sc_core::sc_out<bool> blocked_o{"blocked_o"};

  /// Starts with all links free. Exceptions of clos::ControlUnit, and 0 input switches, are
  /// reported as an SC_ERROR.
  ClosControlUnit(const sc_core::sc_module_name& name, const clos::ControllerDesign& design,
                  const clos::ControllerParams& params, std::size_t input_switches);

  /// The store, for monitors.
  const clos::DestinationStore& store() const { return unit_.store(); }

 private:
  void reset() override { unit_.reset(); }
  void tick() override;
  void drive_outputs() override;

  clos::ControlUnit unit_;
};

}  // namespace flitcast::pins
