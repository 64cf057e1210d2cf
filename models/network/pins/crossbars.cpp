// SPDX-License-Identifier: Apache-2.0
#include "network/pins/crossbars.h"

#include <stdexcept>

#include "network/pins/process.h"

namespace flitcast::pins {

namespace {

void require_ports(std::uint32_t inputs, std::uint32_t outputs) {
  if (inputs != 0 && outputs != 0) return;
  throw std::invalid_argument("a crossbar has at least one input and one output");
}

}  // namespace

/// The host of the core: connects it to the ports of the module.
struct MulticastCrossbar::Host {
  MulticastCrossbar& crossbar;

  void forward(std::uint32_t input, std::uint32_t output) {
    crossbar.registers_.back()[output] = {true, 0, crossbar.in_flit_i[input].read()};
  }
};

MulticastCrossbar::MulticastCrossbar(const sc_core::sc_module_name& name, std::uint32_t inputs,
                                     std::uint32_t outputs, std::uint32_t stage_cycles)
    : Clocked(name),
      in_valid_i("in_valid_i", inputs),
      in_flit_i("in_flit_i", inputs),
      config_valid_i("config_valid_i", outputs),
      config_driver_i("config_driver_i", outputs),
      out_valid_o("out_valid_o", outputs),
      out_flit_o("out_flit_o", outputs),
      stage_cycles_(stage_cycles),
      core_(inputs, outputs),
      valid_(inputs) {
  make_reporting(*this, [&] {
    require_ports(inputs, outputs);
    if (stage_cycles != 0) return;
    throw std::invalid_argument(
        "a crossbar takes at least 1 cycle, because its outputs are registers");
  });
  registers_.assign(stage_cycles_ - 1, std::vector<Token>(outputs));
}

void MulticastCrossbar::reset() {
  core_ = CrossbarCore(core_.inputs(), core_.outputs());
  // The next drive_outputs() removes one entry.
  registers_.assign(stage_cycles_, std::vector<Token>(core_.outputs()));
}

void MulticastCrossbar::tick() {
  registers_.emplace_back(core_.outputs());
  copy_flits();
  write_drivers();
}

void MulticastCrossbar::copy_flits() {
  valid_.clear();
  for (std::uint32_t input = 0; input < core_.inputs(); ++input) {
    if (in_valid_i[input].read()) valid_.set(input);
  }
  Host host{*this};
  core_.tick(valid_.words(), host);
}

void MulticastCrossbar::write_drivers() {
  for (std::uint32_t output = 0; output < core_.outputs(); ++output) {
    if (!config_valid_i[output].read()) continue;
    const unsigned driver = config_driver_i[output].read();
    if (driver == core_.inputs()) {
      core_.release(output);
    } else {
      core_.connect(driver, output);
    }
  }
}

void MulticastCrossbar::drive_outputs() {
  for (std::uint32_t output = 0; output < core_.outputs(); ++output) {
    const Token& token = registers_.front()[output];
    out_valid_o[output].write(token.valid);
    out_flit_o[output].write(token.flit);
  }
  registers_.pop_front();
}

ReplicatingCrossbar::ReplicatingCrossbar(const sc_core::sc_module_name& name, std::uint32_t inputs,
                                         std::uint32_t outputs, bool synchronous)
    : Following(name),
      in_valid_i("in_valid_i", inputs),
      in_outputs_i("in_outputs_i", inputs),
      in_flit_i("in_flit_i", inputs),
      in_ready_o("in_ready_o", inputs),
      out_valid_o("out_valid_o", outputs),
      out_flit_o("out_flit_o", outputs),
      out_ready_i("out_ready_i", outputs),
      core_(make_reporting(*this,
                           [&] {
                             require_ports(inputs, outputs);
                             return ReplicatingCrossbarCore(inputs, outputs, synchronous);
                           })),
      wanted_(inputs, BitSet(outputs)),
      full_(outputs),
      empty_(outputs) {
  follow(in_valid_i, in_outputs_i, out_ready_i);
}

void ReplicatingCrossbar::follow_inputs() {
  for (std::uint32_t input = 0; input < core_.inputs(); ++input) {
    wanted_[input].clear();
    const BitSet& set = in_outputs_i[input].read();
    if (in_valid_i[input].read() && set.size() == core_.outputs()) wanted_[input] = set;
  }
  for (std::uint32_t output = 0; output < core_.outputs(); ++output) {
    empty_.set(output);
    if (full_.test(output) && !out_ready_i[output].read()) empty_.reset(output);
  }
  core_.plan(wanted_, empty_);
  for (std::uint32_t input = 0; input < core_.inputs(); ++input) {
    in_ready_o[input].write(core_.leaves(input));
  }
}

// The edge carries out the plan made after the inputs were stable; inputs are checked only now,
// because they may be invalid before.
void ReplicatingCrossbar::tick() {
  check_sets();
  core_.commit();
  for (std::uint32_t output = 0; output < core_.outputs(); ++output) load(output);
}

void ReplicatingCrossbar::reset() {
  core_.reset();
  full_.clear();
  for (auto& valid : out_valid_o) valid.write(false);
}

void ReplicatingCrossbar::check_sets() const {
  for (std::uint32_t input = 0; input < core_.inputs(); ++input) {
    if (in_valid_i[input].read() && wanted_[input].none()) {
      broken_invariant("flit for no output of a crossbar", input, 0);
    }
  }
}

void ReplicatingCrossbar::load(std::uint32_t output) {
  if (!empty_.test(output)) return;
  const std::uint32_t input = core_.driver(output);
  const bool copied = input != ReplicatingCrossbarCore::kNone;
  out_valid_o[output].write(copied);
  if (copied) {
    full_.set(output);
    out_flit_o[output].write(in_flit_i[input].read());
  } else {
    full_.reset(output);
  }
}

}  // namespace flitcast::pins
