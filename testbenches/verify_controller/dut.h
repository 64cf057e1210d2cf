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

/// What a controller is given in a clock: the input ports of flitcast_clos_controller.sv.
struct Inputs {
  bool reset = false;  ///< rst_ni is low.
  bool req_valid = false;
  BitSet req_set;
  BitSet req_avail;
  BitMatrix store;
  bool beat_ready = false;

  Inputs(std::size_t m, std::size_t r) : req_set(r), req_avail(m), store(m, r) {}
};

/// Its output ports. Of a beat that is not valid nothing else means anything.
struct Outputs {
  bool req_ready = false;
  bool beat_valid = false;
  std::size_t beat_middle = 0;
  BitSet beat_set;
  bool beat_last = false;
  bool beat_fail = false;

  explicit Outputs(std::size_t r) : beat_set(r) {}
};

/// A controller to be verified, of any origin. A clock: drive(), then edge().
class Dut {
 public:
  virtual ~Dut() = default;

  /// Sets the inputs; what follows them without a clock is settled.
  virtual void drive(const Inputs& inputs) = 0;
  /// A rising edge of clk_i and the falling one after it.
  virtual void edge() = 0;
  /// The outputs as they are now.
  virtual void read(Outputs& outputs) const = 0;
  /// An assertion, $stop or $finish of the controller's own has ended the simulation.
  virtual bool stopped() const = 0;
  /// Writes a waveform (FST) from that clock on, counted from 1. Called once, before anything else.
  virtual void trace(const std::string& file, std::uint64_t from) = 0;
  /// The pass whose beat is visible or comes next, null if none is due, for the waveform.
  virtual void expect(const Pass* /*due*/) {}
};

/// Makes a controller with registers as after power-up; their contents follow from the seed.
using MakeDut = std::function<std::unique_ptr<Dut>(unsigned seed)>;

}  // namespace flitcast::verify
