// SPDX-License-Identifier: Apache-2.0
#include "network/pins/clos_controller.h"

#include <fmt/format.h>

#include <stdexcept>

#include "network/pins/process.h"

namespace flitcast::pins {

ClosController::ClosController(const sc_core::sc_module_name& name,
                               const clos::ControllerDesign& design,
                               const clos::ControllerParams& params)
    : Clocked(name),
      store_i("store_i", params.m),
      controller_(make_reporting(*this, [&] { return clos::Controller(design, params); })),
      store_(params.m, params.r) {}

void ClosController::tick() {
  sample_store();
  const clos::ControllerOffer offer{req_set_i.read(), req_avail_i.read()};
  controller_.edge(store_, beat_ready_i.read(), req_valid_i.read() ? &offer : nullptr);
}

void ClosController::sample_store() {
  for (std::size_t j = 0; j < store_.rows(); ++j) {
    const BitSet& set = store_i[j].read();
    if (set.size() != store_.columns()) {
      throw std::invalid_argument(
          fmt::format("store_i[{}] is a set of {} output switches, not of {}; give its signal an "
                      "initial value of that size",
                      j, set.size(), store_.columns()));
    }
    store_.assign(j, set);
  }
}

void ClosController::drive_outputs() {
  const clos::Beat& beat = controller_.beat();
  req_ready_o.write(controller_.request_ready());
  beat_valid_o.write(controller_.beat_valid());
  beat_middle_o.write(index(beat.middle));
  beat_set_o.write(beat.served);
  beat_last_o.write(beat.last);
  beat_fail_o.write(beat.fail);
}

ClosControlUnit::ClosControlUnit(const sc_core::sc_module_name& name,
                                 const clos::ControllerDesign& design,
                                 const clos::ControllerParams& params, std::size_t input_switches)
    : Clocked(name), unit_(make_reporting(*this, [&] {
        if (input_switches == 0) throw std::invalid_argument("a network has an input switch");
        return clos::ControlUnit(design, params,
                                 clos::DestinationStore(params.m, input_switches, params.r));
      })) {}

void ClosControlUnit::tick() {
  const clos::ControlUnit::Request request{req_switch_i.read(), req_set_i.read(),
                                           &req_held_i.read(), req_link_i.read()};
  const clos::ControlUnit::Release release{
      {rel_switch_i.read(), clos::MiddleId{rel_middle_i.read()}, rel_set_i.read()},
      rel_link_i.read()};
  unit_.edge(req_valid_i.read() ? &request : nullptr, rel_valid_i.read() ? &release : nullptr);
}

void ClosControlUnit::drive_outputs() {
  ready_o.write(unit_.ready());
  leg_valid_o.write(unit_.leg_valid());
  leg_middle_o.write(index(unit_.leg().middle));
  leg_set_o.write(unit_.leg().served);
  done_o.write(unit_.done());
  blocked_o.write(unit_.blocked());
}

}  // namespace flitcast::pins
