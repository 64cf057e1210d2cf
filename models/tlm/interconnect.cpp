// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/report.h"

namespace flitcast::tlm {

InterconnectCore::InterconnectCore(const sc_core::sc_module_name& module_name,
                                   const Topology& topology, const Routing& routing,
                                   const NetworkParams& network, const InterconnectParams& params)
    : sc_module(module_name), params_(params) {
  const std::string problems =
      joined(mapped(problems_of(params_, topology, routing, network), &Problem::text), "\n");
  if (!problems.empty()) {
    report_error("tlm/parameters", name(), problems);
    throw std::invalid_argument(problems);
  }
  map_ = std::make_unique<AddressMap>(params_.windows, targets());
  NetworkParams run_by_calls = network;
  run_by_calls.by_calls = true;
  fabric_ = std::make_unique<Fabric>("fabric", topology, routing, run_by_calls);
  ledger_ = std::make_unique<Ledger>("ledger", params_.timeout);
  exchange_ =
      std::make_unique<Exchange>("exchange", *fabric_, *ledger_, params_.period, params_.format,
                                 params_.placement, [this](Burst& burst) {
                                   const bool at_target = burst.stage == Burst::Stage::kToTarget;
                                   if (at_target)
                                     return sides_->targets[burst.target]->arrived(burst);
                                   sides_->initiators[burst.transaction->initiator]->arrived(burst);
                                 });
  sides_ = std::make_unique<Sides>(
      Sides{*ledger_, *exchange_, *map_, params_.limits, params_.timing, params_.check_protocol});
  build_sides();
}

InterconnectCore::~InterconnectCore() = default;

void InterconnectCore::build_sides() {
  for (std::size_t i = 0; i < initiators(); ++i) {
    const std::string side = "initiator_" + std::to_string(i);
    sides_->initiators.push_back(std::make_unique<InitiatorSide>(
        side.c_str(), static_cast<std::uint32_t>(i), targets(), *sides_));
    if (!params_.check_protocol) continue;
    initiator_checkers_.push_back(std::make_unique<LinkChecker>(std::string(name()) + "." + side));
    initiator_checkers_.back()->connect_target(*sides_->initiators[i]);
  }
  for (std::size_t t = 0; t < targets(); ++t) {
    const std::string side = "target_" + std::to_string(t);
    sides_->targets.push_back(std::make_unique<TargetSide>(side.c_str(), t, initiators(), *sides_));
    if (!params_.check_protocol) continue;
    target_checkers_.push_back(std::make_unique<LinkChecker>(std::string(name()) + "." + side));
    target_checkers_.back()->connect_initiator(*sides_->targets[t]);
  }
}

void InterconnectCore::set_timing(Timing timing) {
  sides_->timing = timing;
  for (const auto& side : sides_->initiators) side->take_back_regions();
}

const Fabric& InterconnectCore::fabric() const {
  exchange_->catch_up();
  return *fabric_;
}

ForwardInterface& InterconnectCore::forward(std::size_t initiator) {
  if (params_.check_protocol) return *initiator_checkers_[initiator];
  return *sides_->initiators[initiator];
}

BackwardInterface& InterconnectCore::backward(std::size_t target) {
  if (params_.check_protocol) return *target_checkers_[target];
  return *sides_->targets[target];
}

void InterconnectCore::connect_initiator(std::size_t initiator, BackwardInterface& behind) {
  if (!params_.check_protocol) return sides_->initiators[initiator]->connect(behind);
  initiator_checkers_[initiator]->connect_initiator(behind);
  sides_->initiators[initiator]->connect(*initiator_checkers_[initiator]);
}

void InterconnectCore::connect_target(std::size_t target, ForwardInterface& behind) {
  if (!params_.check_protocol) return sides_->targets[target]->connect(behind);
  target_checkers_[target]->connect_target(behind);
  sides_->targets[target]->connect(*target_checkers_[target]);
}

void InterconnectCore::write_figures(nlohmann::ordered_json& result) const {
  const auto list = [](const auto& sides) {
    return side_figures().list(mapped(sides, [](const auto& side) { return side->counters(); }));
  };
  result["initiators"] = list(sides_->initiators);
  result["targets"] = list(sides_->targets);
  write_network_figures(exchange_->counts() - reset_, fabric_->topology(), fabric_->params(),
                        result["network"]);
}

void InterconnectCore::reset_figures() {
  for (const auto& side : sides_->initiators) side->counters().reset();
  for (const auto& side : sides_->targets) side->counters().reset();
  reset_ = exchange_->counts();
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
  if (!problems.empty()) report_error("tlm/audit", name(), joined(problems, "\n"));
}

}  // namespace flitcast::tlm
