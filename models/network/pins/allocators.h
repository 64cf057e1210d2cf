// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "network/pins/process.h"
#include "network/pins/signals.h"
#include "router/arbiters.h"
#include "routing/routing.h"

namespace flitcast::pins {

/// An arbiter behind pins: an order of models/router/arbiters.h and the register that holds it.
///
///   req_i, take_i --> gnt_o
///
/// gnt_o follows req_i in the same cycle: one of the requesters, or 0. The order advances at a
/// rising clk_i edge where take_i is high and there is a request. Co-simulated with rtl/common.
template <class Order>
class Arbiter : public Following {
 public:
  sc_core::sc_in<std::uint64_t> req_i{"req_i"};  ///< Bit r: requester r.
  sc_core::sc_in<bool> take_i{
      "take_i"};  ///< High when the granted transfer takes place in this cycle.
  sc_core::sc_out<std::uint64_t> gnt_o{"gnt_o"};  ///< One bit of req_i, or none.

  /// @param requesters  1 to 64. Other values, and later a request of an unknown requester, are
  /// reported as an SC_ERROR.
  Arbiter(const sc_core::sc_module_name& name, unsigned requesters)
      : Following(name), requesters_(requesters), order_(requesters) {
    if (requesters < 1 || requesters > 64) {
      report_error("pins/parameters", this->name(), "an arbiter has 1 to 64 requesters");
    }
    sensitive << req_i;
  }

 private:
  void follow_inputs() override { gnt_o.write(order_.grant(req_i.read())); }

  void reset() override { order_ = Order(requesters_); }
  void tick() override {
    const std::uint64_t requests = req_i.read();
    if (requesters_ < 64 && requests >> requesters_ != 0) {
      report_error("pins/unknown_requester", name(), "request of an unknown requester");
    } else if (take_i.read() && requests != 0) {
      order_.serve(order_.grant(requests));
    }
  }

  const unsigned requesters_;
  Order order_;
};

using RoundRobinArbiter = Arbiter<RoundRobinOrder>;
using MatrixArbiter = Arbiter<LeastRecentOrder>;

// The separable, input-first allocators of a wormhole router as modules. All choices are round
// robin, in an order that advances only with a grant, at a rising clk_i edge (iSLIP; McKeown, "The
// iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM ToN 7(2), 1999). Grants follow
// requests in the same cycle; they are the same as in WormholeCore and rtl/wormhole.
//
// VC v of port p has the number p * V + v, for V VCs per port. Less than 1 or more than 64 numbers
// are reported as an SC_ERROR, as is, at an edge, a request for an unknown output or VC.

/// The number of input (and of output) ports of a router, and of VCs per port.
struct AllocatorShape {
  unsigned ports = 1;
  unsigned virtual_channels = 1;

  unsigned numbers() const { return ports * virtual_channels; }
};

/// Allocates free output VCs to the input VCs whose heads wait for one.
///
///   waiting_i, route_i, vcs_i, free_i --> granted_o, vc_o, taken_o
///
/// A waiting input VC picks one of the free VCs that it may take at its output; then each output VC
/// picks one of the input VCs that picked it. After a reset the lowest numbers are picked first.
class VcAllocator : public Following {
  const AllocatorShape shape_;  // First, so that a shape that is not valid is reported once.

 public:
  Inputs<bool> waiting_i;    ///< By input VC: true if its head waits for an output VC.
  Inputs<unsigned> route_i;  ///< Output port of each input VC.
  Inputs<VcSet> vcs_i;       ///< VCs of that port that the input VC may take.
  Inputs<VcSet> free_i;      ///< By output port: VCs that no packet holds.
  Outputs<bool> granted_o;   ///< By input VC: true if it gets an output VC.
  Outputs<unsigned> vc_o;    ///< The VC that the input VC gets at its output; 0 if none.
  Outputs<VcSet> taken_o;    ///< By output port: VCs that are granted.

  VcAllocator(const sc_core::sc_module_name& name, const AllocatorShape& shape);

 private:
  /// The output VC of every input VC, as a mask; 0: none.
  using Grants = std::vector<std::uint64_t>;

  Grants grants() const;
  std::uint64_t choices(unsigned input) const;
  void require_sound() const;
  void follow_inputs() override;
  void tick() override;
  void reset() override;

  std::vector<RoundRobinOrder> picks_;    ///< By input VC, among output VCs.
  std::vector<RoundRobinOrder> winners_;  ///< By output VC, among input VCs.
};

/// Decides which input VCs send a flit through the crossbar: at most one per input port and one per
/// output port.
///
///   ready_i, route_i --> sends_o, valid_o, source_o
///
/// An input port picks one of the outputs that its ready VCs request, and one of the VCs that
/// request it; then each output picks one input port. After a reset the lowest numbers are picked
/// first.
class SwitchAllocator : public Following {
  const AllocatorShape shape_;  // First, so that a shape that is not valid is reported once.

 public:
  Inputs<bool> ready_i;        ///< By input VC: holds an output VC, and has a flit and a credit.
  Inputs<unsigned> route_i;    ///< Output port of each input VC.
  Outputs<bool> sends_o;       ///< By input VC: true if it sends a flit.
  Outputs<bool> valid_o;       ///< By output port: true if a flit is sent.
  Outputs<unsigned> source_o;  ///< By output port: the input port that sends; 0 if none.

  SwitchAllocator(const sc_core::sc_module_name& name, const AllocatorShape& shape);

 private:
  /// The candidate of an input port, and whether the requested output picks it.
  struct Candidate {
    std::uint64_t output = 0;  ///< The requested output as a mask; 0 if none.
    std::uint64_t vc = 0;      ///< The VC of the port that requests it, as a mask.
    bool wins = false;
  };

  std::vector<Candidate> candidates() const;
  Candidate candidate(unsigned port) const;
  void require_sound() const;
  void follow_inputs() override;
  void tick() override;
  void reset() override;

  std::vector<RoundRobinOrder> picks_;    ///< By input port, among outputs.
  std::vector<RoundRobinOrder> vcs_;      ///< By input port, among its VCs.
  std::vector<RoundRobinOrder> winners_;  ///< By output port, among input ports.
};

}  // namespace flitcast::pins
