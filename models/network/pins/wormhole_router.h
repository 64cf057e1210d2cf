// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "network/pins/router.h"
#include "router/wormhole_core.h"
#include "routing/routing.h"

namespace flitcast::pins {

/// The wormhole core of the fabric behind pins: the same state machine, so the same cycle for every
/// flit. Up to 64 virtual channels over all ports of a side (VCs rounded up to a power of two);
/// more throws std::invalid_argument.
class WormholeRouter : public Router {
 public:
  struct Params {
    RouterId router{};  ///< Its place, which the routing decides by.
    unsigned inputs = 0;
    unsigned outputs = 0;
    RouterParams core{};
    std::vector<unsigned> channel_periods{};  ///< Cycles per flit of each output; empty: all 1.
    std::vector<bool> connected{};            ///< Outputs that lead somewhere; empty: all.
  };

  /// `routing` must outlive the router.
  WormholeRouter(const sc_core::sc_module_name& name, const Params& params, const Routing& routing);

 private:
  using Core = WormholeCore<1>;
  struct Surroundings;
  struct Departure {
    bool valid = false;
    unsigned vc = 0;
    Flit flit{};
  };

  void on_clock();
  void reset();
  void sample_inputs();
  void drive_outputs();

  const Params params_;
  const Routing& routing_;
  std::vector<std::byte> storage_;
  std::unique_ptr<Core> core_;
  std::uint64_t cycle_ = 0;
  /// The stages behind the grant: the front is on out_*_o, the back is being granted.
  std::deque<std::vector<Departure>> traversal_;
  std::vector<Departure> credits_;  ///< Freed in this cycle, per input port.
};

}  // namespace flitcast::pins
