// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clos/controllers/controller.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// A pass as it has to be: which part of the request it finds unserved, and its beat.
struct Pass {
  const Step* step = nullptr;
  std::size_t number = 0;  ///< From 0.
  BitSet unserved;         ///< U before it.
  clos::Beat beat;
  bool stuck = false;  ///< Blocked because it serves nothing, though something is available.

  bool none_available() const { return step->req_avail.none(); }
};

/// The most passes that a request can take; one that makes no progress ends it, unless told not to.
std::size_t most_passes(const clos::ControllerParams& params);

/// The rule of a controller without its time: clos::Controller in the design that needs no scan.
class Golden {
 public:
  /// Throws what clos::Controller throws.
  explicit Golden(const clos::ControllerParams& params);

  /// The passes of the step's request. `step` must outlive them.
  std::vector<Pass> passes(const Step& step);

 private:
  const bool stop_without_progress_;
  clos::Controller controller_;
};

/// |M_j & unserved|.
std::size_t count_left(const Step& step, std::size_t j, const BitSet& unserved);

/// As in the source of a hardware engineer: 4'b0101, and more than 16 bits as 20'h00105.
std::string literal(const BitSet& set);

}  // namespace flitcast::verify
