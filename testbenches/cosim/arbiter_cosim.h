// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "cosim/cosim.h"

namespace flitcast {

/// Lock-step of an RTL arbiter and a model of its service order, under random requests and resets.
///
///   class Order {
///     explicit Order(unsigned requesters);        state after reset
///     unsigned grant(unsigned requests) const;    one-hot, or 0 without requests
///     void serve(unsigned grant);                 one-hot
///   };
template <class Top, class Order>
class ArbiterCosim {
 public:
  explicit ArbiterCosim(unsigned requesters) : requesters_(requesters), order_(requesters) {
    rtl_.reset();
  }

  void drive() {
    reset_ = random_() % 1000 == 0;
    requests_ = static_cast<unsigned>(random_() % (1U << requesters_));
    take_ = random_() % 2 == 0;
    rtl_->rst_ni = !reset_;
    rtl_->req_i = static_cast<CData>(requests_);
    rtl_->take_i = take_;
    rtl_.settle();
  }

  void compare(Lockstep& lockstep) {
    lockstep.compare("gnt_o", 0, order_.grant(requests_), rtl_->gnt_o);
  }

  void edge() {
    if (reset_) {
      order_ = Order(requesters_);
    } else if (take_ && requests_ != 0) {
      order_.serve(order_.grant(requests_));
    }
    rtl_.edge();
  }

  VerilatedBench<Top>& rtl() { return rtl_; }

 private:
  const unsigned requesters_;
  Order order_;
  unsigned requests_ = 0;
  bool take_ = false;
  bool reset_ = false;
  std::mt19937 random_{1};
  VerilatedBench<Top> rtl_;
};

}  // namespace flitcast
