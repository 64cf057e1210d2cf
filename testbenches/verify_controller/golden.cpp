// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/golden.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitcast::verify {

std::size_t most_passes(const clos::ControllerParams& params) {
  if (!params.stop_without_progress) return params.pass_limit;
  return params.pass_limit == 0 ? params.r : std::min(params.pass_limit, params.r);
}

Golden::Golden(const clos::ControllerParams& params)
    : stop_without_progress_(params.stop_without_progress),
      controller_(find(clos::controllers(), "par_adder")->make, params) {
  controller_.edge(BitMatrix(params.m, params.r), true);
}

std::vector<Pass> Golden::passes(const Step& step) {
  const clos::ControllerOffer offer{step.req_set, step.req_avail};
  controller_.edge(step.store, true, &offer);
  std::vector<Pass> passes;
  BitSet unserved = step.req_set;
  do {
    controller_.edge(step.store, true);
    const clos::Beat& beat = controller_.beat();
    const bool stuck =
        stop_without_progress_ && beat.fail && beat.served.none() && step.req_avail.any();
    passes.push_back({&step, passes.size(), unserved, beat, stuck});
    unserved -= beat.served;
  } while (!passes.back().beat.last);
  return passes;
}

std::size_t count_left(const Step& step, std::size_t j, const BitSet& unserved) {
  BitSet left = step.store.set_of(j);
  left &= unserved;
  return left.count();
}

std::string literal(const BitSet& set) {
  if (set.size() > 16)
    return fmt::format("{}'h{:0>{}}", set.size(), to_hex(set), (set.size() + 3) / 4);
  std::string text = fmt::format("{}'b", set.size());
  for (std::size_t member = set.size(); member-- > 0;) text += set.test(member) ? '1' : '0';
  return text;
}

}  // namespace flitcast::verify
