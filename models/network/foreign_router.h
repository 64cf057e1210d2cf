// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "base/ids.h"
#include "network/network_params.h"

namespace flitcast {

namespace pins {
class Router;
}
class Fabric;

/// Makes a router with pins for a place in a fabric: ports as the topology has them there.
using PinsRouterMaker = std::function<std::unique_ptr<pins::Router>(
    const sc_core::sc_module_name& name, RouterId router, unsigned inputs, unsigned outputs,
    const RouterParams& params)>;

/// A place of the fabric that a module with pins takes instead of the native core.
struct ForeignSlot {
  RouterId router{};
  PinsRouterMaker make;
};

/// The bridge between the fabric's token rows and the pins of a router of somebody else's.
///
/// It works on the falling edge: what the router's registered outputs show in cycle t is posted
/// into the rows of later cycles, and what is due in t + 1 is put on the router's inputs, to be
/// sampled at the next rising edge. Regions work on the rising edge, so there is no race for any
/// latency >= 1.
class ForeignRouter : public sc_core::sc_module {
 public:
  ForeignRouter(const sc_core::sc_module_name& name, Fabric& fabric, const ForeignSlot& slot,
                sc_core::sc_clock& clock);
  ~ForeignRouter() override;

 private:
  struct Wires;

  void on_falling_edge();
  void drive_inputs();
  void drive_credits();
  void collect_flits();
  void collect_credits();

  Fabric& fabric_;
  const RouterId router_;
  std::uint64_t cycle_ = 0;
  std::unique_ptr<pins::Router> module_;
  std::unique_ptr<Wires> wires_;
};

}  // namespace flitcast
