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
/// The bridge works on the falling edge: the values on the router's registered outputs in cycle t
/// are written to rows of later cycles, and flits and credits due in t + 1 are driven on the
/// router's inputs, to be sampled at the next rising edge. Partitions work on the rising edge, so
/// there is no race for any latency >= 1.
///
/// The router gets the clock of the fabric. It is in reset at the edges of cycles 0 and 1; the
/// first flit arrives at the edge of cycle 2. A reset of the fabric resets it in the same way: from
/// the edge behind the first low rst_ni to that of the second cycle that is run afterwards. What
/// leaves it meanwhile is ignored.
///
/// The router is of the same kind as the fabric's: its credits count packets if the fabric stores
/// packets as a whole, else flits. Its pins carry one credit per output and cycle, so the
/// constructor throws std::invalid_argument in a fabric whose routers have an input speed-up.
/// A VC that does not exist, on an output or with a credit, and a credit that no flit has taken are
/// reported as an SC_ERROR. If the report does not throw, the outputs of the router are ignored
/// until its next reset.
class ExternalRouter : public sc_core::sc_module {
 public:
  ExternalRouter(const sc_core::sc_module_name& name, Fabric& fabric, const ExternalSlot& slot);
  ~ExternalRouter() override;

  /// Checks what has crossed the pins, because the registers behind them are not visible. Throws
  /// InvariantError if
  ///  - more flits have entered than have left, are in buffers (by the credits that have not
  ///    returned), or can be in the pipeline;
  ///  - nothing has crossed the pins for Network::longest_standstill(), and fewer credits have
  ///    returned than flits have left, or some have not returned although no packet is in flight:
  ///    the error names an input VC without some of its credits.
  /// With a multicast routing, flits are copied in the router, so their numbers are not compared.
  void audit() const;
  /// Resets the router, between two cycles of the fabric, which has lost its packets.
  void reset();

 private:
  struct Wires;

  /// True if a flit changes the numbers of Wires, which are in units of credits.
  bool counts(const Flit& flit) const;
  /// Returns `vc`; throws InvariantError if there is no such VC.
  unsigned sound(unsigned port, unsigned vc) const;
  void on_falling_edge();
  void drive_inputs();
  const Flit& arriving(unsigned port, unsigned vc, std::uint64_t row);
  void drive_credits();
  void collect_flits();
  void collect_credits();

  Fabric& fabric_;
  const RouterId router_;
  std::uint64_t cycle_ = 0;      // The cycle that the last rising edge has run.
  std::uint64_t last_move_ = 0;  // The last cycle with a flit or a credit on the pins.
  bool misused_ = false;         // Misuse has been reported since the last reset.
  bool is_reset_ = false;        // The router has sampled a reset since the last reset().
  std::unique_ptr<pins::Router> module_;
  std::unique_ptr<Wires> wires_;
};

/// The site of a router in a fabric, for a module with pins. `fabric` must outlive the site, which
/// looks up packet numbers there. Time: one visit to every channel and node.
pins::Site site_of(const Fabric& fabric, RouterId router);

}  // namespace flitcast
