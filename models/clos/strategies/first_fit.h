// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/strategies/ordered_fit.h"

namespace flitcast::clos {

/// FF: the candidates in rising order. The simplest hardware: a priority encoder and no counting.
class FirstFit : public OrderedFit {
 public:
  using OrderedFit::OrderedFit;

 protected:
  void arrange(const BitMatrix&, std::vector<std::uint32_t>&) override {}
};

}  // namespace flitcast::clos
