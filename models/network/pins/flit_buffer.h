// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <systemc>

#include "network/pins/process.h"
#include "network/pins/signals.h"

namespace flitcast::pins {

/// A first-in first-out buffer for flits.
///
///   in_valid_i, in_flit_i --> [ slot | ... | slot ] --> out_valid_o, out_flit_o
///   in_ready_o            <--                       <-- out_ready_i
///
/// A flit moves across an interface at a rising clk_i edge where valid and ready are both high.
/// Latency: one cycle from acceptance to out_valid_o. Throughput: one flit per cycle for
/// depth >= 2; one per two cycles for depth 1, because ready is a register. Co-simulated with
/// rtl/common/flitcast_flit_fifo.sv.
/// Reset empties the storage.
class FlitBuffer : public Clocked {
 public:
  sc_core::sc_in<bool> in_valid_i{"in_valid_i"};
  sc_core::sc_in<Flit> in_flit_i{"in_flit_i"};
  sc_core::sc_out<bool> in_ready_o{"in_ready_o"};

  sc_core::sc_out<bool> out_valid_o{"out_valid_o"};
  sc_core::sc_out<Flit> out_flit_o{"out_flit_o"};  ///< Meaningful only when valid.
  sc_core::sc_in<bool> out_ready_i{"out_ready_i"};

  sc_core::sc_out<unsigned> count_o{"count_o"};  ///< The number of flits stored.

  /// @param depth  Capacity in flits, at least 1; 0 is reported as an SC_ERROR.
  FlitBuffer(const sc_core::sc_module_name& name, std::size_t depth)
      : Clocked(name), depth_(depth) {
    if (depth == 0)
      report_error("pins/parameters", this->name(), "a flit buffer has a depth of at least 1");
  }

 private:
  void reset() override { slots_.clear(); }
  // Flits move according to the outputs in the cycle that ends at this edge.
  void tick() override {
    if (out_valid_o.read() && out_ready_i.read()) slots_.pop_front();
    if (in_valid_i.read() && in_ready_o.read()) slots_.push_back(in_flit_i.read());
  }
  void drive_outputs() override {
    in_ready_o.write(slots_.size() < depth_);
    out_valid_o.write(!slots_.empty());
    if (!slots_.empty()) out_flit_o.write(slots_.front());
    count_o.write(static_cast<unsigned>(slots_.size()));
  }

  const std::size_t depth_;
  std::deque<Flit> slots_;
};

}  // namespace flitcast::pins
