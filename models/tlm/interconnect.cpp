// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace flitcast::tlm {

InterconnectCore::InterconnectCore(const sc_core::sc_module_name& module_name,
                                   const Topology& topology, const Routing& routing,
                                   const NetworkParams& network, const InterconnectParams& params)
    : sc_module(module_name), params_(params) {
  const std::vector<std::string> problems = problems_of(params_, topology, routing, network);
  if (!problems.empty()) {
    const std::string text = fmt::format("{}", fmt::join(problems, "\n"));
    SC_REPORT_ERROR(name(), text.c_str());
    throw std::invalid_argument(text);
  }
  map_ = std::make_unique<AddressMap>(params_.windows, targets());
  fabric_ = std::make_unique<Fabric>("fabric", topology, routing, network);
  ledger_ = std::make_unique<Ledger>("ledger", params_.timeout);
  exchange_ = std::make_unique<Exchange>(
      "exchange", *fabric_, params_.format, params_.placement,
      [this](std::uint64_t number) -> Burst& { return ledger_->burst(number); },
      [this](Burst& burst) { target_sides_[burst.target]->arrived(burst); },
      [this](Burst& burst) { initiator_sides_[burst.transaction->initiator]->arrived(burst); });
  build_sides();
}

InterconnectCore::~InterconnectCore() = default;

void InterconnectCore::build_sides() {
  for (std::size_t i = 0; i < initiators(); ++i) {
    const std::string side = "initiator_" + std::to_string(i);
    initiator_sides_.push_back(std::make_unique<InitiatorSide>(
        side.c_str(), static_cast<std::uint32_t>(i), targets(), context()));
    if (!params_.check_protocol) continue;
    initiator_checkers_.push_back(std::make_unique<LinkChecker>(std::string(name()) + "." + side));
    initiator_checkers_.back()->connect_target(*initiator_sides_[i]);
  }
  for (std::size_t t = 0; t < targets(); ++t) {
    const std::string side = "target_" + std::to_string(t);
    target_sides_.push_back(
        std::make_unique<TargetSide>(side.c_str(), initiators(), *exchange_, backward_of(t)));
    if (!params_.check_protocol) continue;
    target_checkers_.push_back(std::make_unique<LinkChecker>(std::string(name()) + "." + side));
    target_checkers_.back()->connect_initiator(*target_sides_[t]);
  }
}

InitiatorSide::Context InterconnectCore::context() {
  return {*ledger_, *exchange_, *map_, params_.limits,
          [this](std::size_t target) -> TargetSide& { return *target_sides_[target]; }};
}

TargetSide::Backward InterconnectCore::backward_of(std::size_t target) {
  return {
      [this, target](sc_dt::uint64 start, sc_dt::uint64 end) { invalidate(target, start, end); },
      [this](Burst& burst, tlm_phase& phase, sc_time& delay) {
        return initiator_sides_[burst.transaction->initiator]->backward_ignorable(burst, phase,
                                                                                  delay);
      }};
}

void InterconnectCore::invalidate(std::size_t target, sc_dt::uint64 start, sc_dt::uint64 end) {
  if (!params_.limits.forward_dmi) return;
  for (const Window& window : map_->windows()) {
    sc_dt::uint64 first = start;
    sc_dt::uint64 last = end;
    if (window.target != target || !show_to_initiator(first, last, window)) continue;
    for (const auto& side : initiator_sides_) {
      side->initiator().invalidate_direct_mem_ptr(first, last);
    }
  }
}

ForwardInterface& InterconnectCore::forward(std::size_t initiator) {
  if (params_.check_protocol) return *initiator_checkers_[initiator];
  return *initiator_sides_[initiator];
}

BackwardInterface& InterconnectCore::backward(std::size_t target) {
  if (params_.check_protocol) return *target_checkers_[target];
  return *target_sides_[target];
}

void InterconnectCore::connect_initiator(std::size_t initiator, BackwardInterface& behind) {
  if (!params_.check_protocol) return initiator_sides_[initiator]->connect(behind);
  initiator_checkers_[initiator]->connect_initiator(behind);
  initiator_sides_[initiator]->connect(*initiator_checkers_[initiator]);
}

void InterconnectCore::connect_target(std::size_t target, ForwardInterface& behind) {
  if (!params_.check_protocol) return target_sides_[target]->connect(behind);
  target_checkers_[target]->connect_target(behind);
  target_sides_[target]->connect(*target_checkers_[target]);
}

void InterconnectCore::write_figures(nlohmann::ordered_json& result) const {
  const auto list = [](const auto& sides) {
    std::vector<SideCounters> counters;
    for (const auto& side : sides) counters.push_back(side->counters());
    return side_figures().list(counters);
  };
  result["initiators"] = list(initiator_sides_);
  result["targets"] = list(target_sides_);
}

void InterconnectCore::audit() const {
  const Totals totals = fabric_->totals();
  std::vector<std::string> problems;
  if (outstanding() != 0) problems.push_back("outstanding:" + outstanding_text());
  if (totals.packets_delivered != totals.receivers) {
    problems.push_back(
        fmt::format("{} packets are in flight", totals.receivers - totals.packets_delivered));
  }
  if (ledger_->parts_in_use() != 0) {
    problems.push_back(
        fmt::format("{} parts of transactions are held by targets", ledger_->parts_in_use()));
  }
  try {
    fabric_->audit();
  } catch (const std::exception& error) {
    problems.emplace_back(error.what());
  }
  if (problems.empty()) return;
  SC_REPORT_ERROR(name(), fmt::format("{}", fmt::join(problems, "\n")).c_str());
}

}  // namespace flitcast::tlm
