// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "base/flit.h"
#include "base/ids.h"
#include "network/network_params.h"

namespace flitcast {

namespace pins {
class Router;
struct Site;
}  // namespace pins
class Fabric;

/// Makes a router with pins for a site in a fabric, with the ports that the topology has at the
/// site.
using PinsRouterMaker = std::function<std::unique_ptr<pins::Router>(
    const sc_core::sc_module_name& name, const pins::Site& site)>;

/// A router of the fabric that is a module with pins instead of a router core.
struct ExternalSlot {
  RouterId router{};
  PinsRouterMaker make;
};

/// The bridge between the event wheels of a fabric and the pins of an external router.
///
/// It works on the falling edge: the values on the router's registered outputs in cycle t are
/// written to rows of later cycles, and flits and credits due in t + 1 are driven on the router's
/// inputs, to be sampled at the next rising edge. Partitions work on the rising edge, so there is
/// no race for any latency >= 1.
///
/// The router is of the same kind as the fabric's: its credits count packets if the fabric stores
/// packets as a whole, else flits. Its pins carry one credit per output and cycle, so the
/// constructor throws std::invalid_argument in a fabric whose routers have an input speed-up.
class ExternalRouter : public sc_core::sc_module {
 public:
  ExternalRouter(const sc_core::sc_module_name& name, Fabric& fabric, const ExternalSlot& slot,
                 sc_core::sc_clock& clock);
  ~ExternalRouter() override;

 private:
  struct Wires;

  void on_falling_edge();
  void drive_inputs();
  const Flit& arriving(unsigned port, unsigned vc, std::uint64_t row);
  void drive_credits();
  void collect_flits();
  void collect_credits();

  Fabric& fabric_;
  const RouterId router_;
  std::uint64_t cycle_ = 0;
  std::unique_ptr<pins::Router> module_;
  std::unique_ptr<Wires> wires_;
};

/// The site of a router in a fabric, for a module with pins. `fabric` must outlive the site, which
/// looks up packet numbers there. Time: one visit to every channel and node.
pins::Site site_of(const Fabric& fabric, RouterId router);

}  // namespace flitcast
