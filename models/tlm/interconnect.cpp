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
  for (std::uint32_t i = 0; i < initiators(); ++i) {
    sides_->initiators.push_back(std::make_unique<InitiatorSide>(
        ("initiator_" + std::to_string(i)).c_str(), i, targets(), *sides_));
  }
  for (std::size_t t = 0; t < targets(); ++t) {
    sides_->targets.push_back(std::make_unique<TargetSide>(("target_" + std::to_string(t)).c_str(),
                                                           t, initiators(), *sides_));
  }
}

InterconnectCore::~InterconnectCore() = default;

void InterconnectCore::set_timing(Timing timing) {
  sides_->timing = timing;
  for (const auto& side : sides_->initiators) side->take_back_regions();
}

const Fabric& InterconnectCore::fabric() const {
  exchange_->catch_up();
  return *fabric_;
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
