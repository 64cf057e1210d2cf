// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/diagnosis.h"

#include <fmt/format.h>

namespace flitcast::verify {
namespace {

std::string beat_text(std::size_t middle, const BitSet& set, bool last, bool fail) {
  if (fail) return last ? "last and fail" : "fail, but not last";
  return fmt::format("middle {}, set {}{}", middle, literal(set), last ? ", last" : "");
}

std::string reason_to_block(const Pass& pass) {
  if (pass.none_available()) return "no middle switch is available";
  if (pass.stuck) return "no available middle switch serves anything that is left";
  return fmt::format("pass {}, the last that PassLimit allows, leaves something unserved",
                     pass.number + 1);
}

Fault wrong_middle(const Outputs& seen, const Pass& pass) {
  const std::size_t right = index(pass.beat.middle);
  const std::size_t k = seen.beat_middle;
  const Step& step = *pass.step;
  const std::size_t count = count_left(step, k, pass.unserved);
  const std::size_t least = count_left(step, right, pass.unserved);
  if (count == least) {
    return {"wrong tie", fmt::format("chose middle switch {} where {} has the same count, {}; the "
                                     "smallest index wins",
                                     k, right, count)};
  }
  return {"not the least count",
          fmt::format("chose middle switch {} with |M_{} & U| = {}, where {} has {}", k, k, count,
                      right, least)};
}

Fault wrong_set(const Outputs& seen, const Pass& pass) {
  const Step& step = *pass.step;
  const std::size_t k = seen.beat_middle;
  BitSet again = step.req_set;
  again -= step.store.set_of(k);
  if (seen.beat_set == again) {
    return {"served twice",
            "the set repeats what earlier beats of the request serve; it must be "
            "U & ~M_k, with U what is left unserved"};
  }
  if (seen.beat_set.intersects(step.store.set_of(k))) {
    return {"wrong set", fmt::format("middle switch {} cannot reach all of the set: M_{} is {}", k,
                                     k, literal(step.store.set_of(k)))};
  }
  return {"wrong set",
          fmt::format("must be U & ~M_{}, with U = {} still unserved", k, literal(pass.unserved))};
}

// The request is blocked, but the beat does not report it.
Fault hidden_block(const Outputs& seen, const Pass& pass) {
  const bool over_limit = !pass.none_available() && !pass.stuck;
  if (over_limit && !seen.beat_last) {
    return {"one pass too many", reason_to_block(pass) +
                                     ", so its beat is last and fail; this one "
                                     "announces another pass"};
  }
  if (seen.beat_last) {
    return {"block not reported: store changed on fail",
            reason_to_block(pass) +
                "; without beat_fail_o the commit unit enters the beats of a "
                "route that is not whole into the store"};
  }
  return {"block not reported", reason_to_block(pass) + "; this beat is not last and fail"};
}

Fault name_of(const Outputs& seen, const std::deque<Pass>& due) {
  const Pass& pass = due.front();
  if (seen.beat_fail && !seen.beat_last) {
    return {"fail without last", "beat_fail_o is high and beat_last_o is low"};
  }
  if (due.size() > 1 && due[1].step == pass.step && equal(seen, due[1].beat)) {
    return {"beat lost", fmt::format("the beat of pass {} never came; that of pass {} is in its "
                                     "place",
                                     pass.number + 1, pass.number + 2)};
  }
  if (!seen.beat_fail && seen.beat_middle >= pass.step->req_avail.size()) {
    return {"no such middle switch", fmt::format("chose middle switch {}", seen.beat_middle)};
  }
  if (!seen.beat_fail && !pass.step->req_avail.test(seen.beat_middle)) {
    return {
        "ignored availability",
        fmt::format("chose middle switch {}, whose bit of req_avail_i was 0 when the request was "
                    "taken",
                    seen.beat_middle)};
  }
  if (pass.beat.fail) return hidden_block(seen, pass);
  if (seen.beat_fail) {
    return {"gave up too early",
            fmt::format("reports a block in pass {}; middle switch {} serves "
                        "{}",
                        pass.number + 1, index(pass.beat.middle), literal(pass.beat.served))};
  }
  if (seen.beat_middle != index(pass.beat.middle)) return wrong_middle(seen, pass);
  if (seen.beat_set != pass.beat.served) return wrong_set(seen, pass);
  if (seen.beat_last) {
    return {"last too early",
            "beat_last_o is high, but a part of the request is unserved: a commit "
            "unit enters a route that is not whole into the store"};
  }
  return {"last missing", "all of the request is served, and beat_last_o is low"};
}

}  // namespace

bool equal(const Outputs& seen, const clos::Beat& beat) {
  if (seen.beat_last != beat.last || seen.beat_fail != beat.fail) return false;
  return beat.fail || (seen.beat_middle == index(beat.middle) && seen.beat_set == beat.served);
}

std::string to_text(const Outputs& seen) {
  return beat_text(seen.beat_middle, seen.beat_set, seen.beat_last, seen.beat_fail);
}

std::string to_text(const clos::Beat& beat) {
  return beat_text(index(beat.middle), beat.served, beat.last, beat.fail);
}

Fault diagnose(const Outputs& seen, const std::deque<Pass>& due) {
  Fault fault = name_of(seen, due);
  fault.wanted = to_text(due.front().beat);
  fault.seen = to_text(seen);
  return fault;
}

}  // namespace flitcast::verify
