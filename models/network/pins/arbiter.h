// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "network/pins/process.h"
#include "router/arbiters.h"

namespace flitcast::pins {

/// An arbiter behind pins: an order of models/router/arbiters.h and the register that holds it.
///
///   req_i, take_i --> gnt_o
///
/// gnt_o follows req_i in the same cycle: one of the requesters, or 0. The order advances at a
/// rising clk_i edge where take_i is high and there is a request. Co-simulated with rtl/common.
template <class Order>
class Arbiter : public Clocked {
 public:
  sc_core::sc_in<std::uint64_t> req_i{"req_i"};  ///< Bit r: requester r.
  sc_core::sc_in<bool> take_i{
      "take_i"};  ///< High when the granted transfer takes place in this cycle.
  sc_core::sc_out<std::uint64_t> gnt_o{"gnt_o"};  ///< One bit of req_i, or none.

  /// @param requesters  1 to 64. Other values, and later a request of an unknown requester, are
  /// reported as an SC_ERROR.
  Arbiter(const sc_core::sc_module_name& name, unsigned requesters)
      : Clocked(name), requesters_(requesters), order_(requesters) {
    if (requesters < 1 || requesters > 64) {
      SC_REPORT_ERROR(this->name(), "an arbiter has 1 to 64 requesters");
    }
    SC_HAS_PROCESS(Arbiter);
    SC_METHOD(follow_requests);
    sensitive << req_i << clocked_;
  }

 private:
  void follow_requests() { gnt_o.write(order_.grant(req_i.read())); }

  void on_clock() override {
    const std::uint64_t requests = req_i.read();
    if (!rst_ni.read()) {
      order_ = Order(requesters_);
    } else if (requesters_ < 64 && requests >> requesters_ != 0) {
      SC_REPORT_ERROR(name(), "request of an unknown requester");
    } else if (take_i.read() && requests != 0) {
      order_.serve(order_.grant(requests));
    }
    clocked_.notify(sc_core::SC_ZERO_TIME);
  }

  const unsigned requesters_;
  Order order_;
  sc_core::sc_event clocked_{"clocked"};
};

using RoundRobinArbiter = Arbiter<RoundRobinOrder>;
using MatrixArbiter = Arbiter<LeastRecentOrder>;

}  // namespace flitcast::pins
