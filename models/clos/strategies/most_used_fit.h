// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/strategies/ordered_fit.h"

namespace flitcast::clos {

/// MU: the candidates by falling |M_j|, equal ones in rising order. Packs connections closely and
/// keeps middle switches empty, as the unicast rule of that name does.
class MostUsedFit : public OrderedFit {
 public:
  using OrderedFit::OrderedFit;

 protected:
  void arrange(const BitMatrix& busy, std::vector<std::uint32_t>& candidates) override;

 private:
  std::vector<std::size_t> used_;  // |M_j| by j.
};

}  // namespace flitcast::clos
