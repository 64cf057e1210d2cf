// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clos/controllers/controller.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// The correct pass: the part of the request that it finds unserved, and its beat.
struct Pass {
  const Step* step = nullptr;
  std::size_t number = 0;  ///< The number of the pass, from 0.
  BitSet unserved;         ///< The set U before the pass.
  clos::Beat beat;
  bool stuck = false;  ///< Blocked because it serves nothing although a middle switch is available.

  bool none_available() const { return step->req_avail.none(); }
};

/// The most passes of a request; a pass without progress ends it, unless that test is off.
std::size_t most_passes(const clos::ControllerParams& params);

/// The rule of a controller without its timing: clos::Controller in the design without a scan.
class Golden {
 public:
  /// Throws the exceptions of clos::Controller.
  explicit Golden(const clos::ControllerParams& params);

  /// The passes of the step's request. `step` must outlive them.
  std::vector<Pass> passes(const Step& step);

 private:
  const bool stop_without_progress_;
  clos::Controller controller_;
};

/// |M_j & unserved|.
std::size_t count_left(const Step& step, std::size_t j, const BitSet& unserved);

/// A set in Verilog notation: 4'b0101, and for more than 16 bits 20'h00105.
std::string literal(const BitSet& set);

}  // namespace flitcast::verify
