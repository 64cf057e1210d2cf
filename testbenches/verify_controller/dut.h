// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/bit_matrix.h"
#include "base/bit_set.h"

namespace flitcast::verify {

struct Pass;

/// The inputs of a controller in a clock: the input ports of flitcast_clos_controller.sv.
struct Inputs {
  bool reset = false;  ///< rst_ni is low.
  bool req_valid = false;
  BitSet req_set;
  BitSet req_avail;
  BitMatrix store;
  bool beat_ready = false;

  Inputs(std::size_t m, std::size_t r) : req_set(r), req_avail(m), store(m, r) {}
};

/// The output ports of a controller. The fields of a beat have no meaning while it is not valid.
struct Outputs {
  bool req_ready = false;
  bool beat_valid = false;
  std::size_t beat_middle = 0;
  BitSet beat_set;
  bool beat_last = false;
  bool beat_fail = false;

  explicit Outputs(std::size_t r) : beat_set(r) {}
};

/// A controller under verification, of any origin. A clock is drive(), then edge().
class Dut {
 public:
  virtual ~Dut() = default;

  /// Sets the inputs; combinational outputs follow.
  virtual void drive(const Inputs& inputs) = 0;
  /// A rising edge of clk_i and the falling one after it.
  virtual void edge() = 0;
  /// The current outputs.
  virtual void read(Outputs& outputs) const = 0;
  /// True if an assertion, $stop or $finish of the controller has ended the simulation.
  virtual bool stopped() const = 0;
  /// Writes a waveform (FST) from that clock on, counted from 1. Called at most once, first.
  virtual void trace(const std::string& file, std::uint64_t from) = 0;
  /// Shows the pass of the current or next beat in the waveform; null if none is due.
  virtual void expect(const Pass* /*due*/) {}
};

/// Makes a controller with its registers as after power-up; the seed determines their contents.
using MakeDut = std::function<std::unique_ptr<Dut>(unsigned seed)>;

}  // namespace flitcast::verify
