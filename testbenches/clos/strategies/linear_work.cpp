// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/linear_work.h"

namespace flitcast::clos {

std::uint64_t linear_work(const SelectionRequest& request, const Selection& selection) {
  const std::uint64_t candidates = request.candidates.count();
  std::uint64_t unserved = request.wanted.count();
  std::uint64_t operations = 0;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    operations += candidates * unserved;
    unserved -= selection.served_set(leg).count();
  }
  return operations;
}

}  // namespace flitcast::clos
