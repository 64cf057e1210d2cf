// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/par_adder.h"

#include "clos/controllers/adder_tree.h"

namespace flitcast::clos {

bool ParAdder::scan(const ControlRequest&) { return false; }

Choice ParAdder::choice(const ControlRequest& pass) const {
  Choice best;
  pass.candidates.for_each([&](std::size_t j) { best.consider(j, adder_tree(pass, j)); });
  return best;
}

}  // namespace flitcast::clos
