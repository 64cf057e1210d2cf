// SPDX-License-Identifier: Apache-2.0
// A collective operation in rounds of messages, on any topology.
#include <fmt/format.h>

#include "collective/rounds/catalog.h"
#include "collective/rounds/judge_rounds.h"
#include "collective/rounds/make_rounds.h"
#include "network/packet_admission.h"
#include "router/invariant.h"
#include "sim/central_control.h"
#include "sim/round_time.h"
#include "sim/workloads/collective.h"
#include "traffic/round_player.h"

namespace flitcast {
namespace {

class RoundsWorkload : public CollectiveWorkload {
 public:
  explicit RoundsWorkload(const WorkloadContext& context);

  void join(const NetworkPlan& network) override;
  void dump(std::ostream& out) const override { write_rounds(out, plan_); }

 private:
  RoundDemand demand_of() const;
  std::size_t receivers() const;
  void judge(RoundMethod method);
  std::optional<std::uint64_t> analytic_time() const;
  void require_branches() const;

  std::string manner() const override { return "one message at a time"; }
  std::string times_text() const override { return fmt::format("m {}", verdict_.cost.length); }
  std::size_t planned_rounds() const override { return plan_.rounds(); }
  std::string round_text(std::size_t round) const override;
  std::string message_text(std::size_t number) const;

  RoundDemand demand_;
  RoundPlan plan_;
};

RoundsWorkload::RoundsWorkload(const WorkloadContext& context) : CollectiveWorkload(context) {
  const RoundMethod method = find(round_methods(), verdict_.algorithm)->make;
  demand_ = demand_of();
  try {
    plan_ = make_rounds(demand_, method);
  } catch (const PreconditionError& error) {
    fail(error);
  }
  judge(method);
  CostModel& cost = verdict_.cost;
  cost.length = message_length(demand_.operation, static_cast<std::uint32_t>(cost.length));
  verdict_.analytic_cycles = analytic_time();
}

RoundDemand RoundsWorkload::demand_of() const {
  RoundDemand demand;
  demand.operation = find_round_operation(section().text("operation"))->operation;
  demand.nodes = context().topology.node_count();
  if (has_source(demand.operation)) {
    demand.source = NodeId{static_cast<std::uint32_t>(section().integer("source"))};
  }
  if (demand.operation == RoundOperation::kMulticast) demand.receivers = receivers();
  if (demand.items() <= kMostRoundEntries / demand.nodes) return demand;
  section().fail("operation",
                 fmt::format("{} chunks at {} nodes are too many to keep account of",
                             demand.items(), demand.nodes),
                 "use a smaller network");
}

// 0 stands for all other nodes.
std::size_t RoundsWorkload::receivers() const {
  const std::size_t others = context().topology.node_count() - 1;
  const auto given = static_cast<std::size_t>(section().integer("receivers"));
  if (given <= others) return given == 0 ? others : given;
  section().fail(
      "receivers",
      fmt::format("{} nodes beside the source are more than the {} that there are", given, others),
      "use 0 for all of them");
}

void RoundsWorkload::judge(RoundMethod method) {
  const RoundClaim claim = claim_of(demand_, method);
  const RoundJudgement judgement = judge_rounds(plan_, demand_, claim);
  if (!judgement.legal()) {
    throw InvariantError(fmt::format("the rounds of {} are wrong: {}", verdict_.algorithm,
                                     judgement.violations.front().text));
  }
  verdict_.rounds = judgement.rounds;
  verdict_.transmissions = judgement.messages;
  verdict_.receipts = judgement.receipts;
  verdict_.duplicates = judgement.duplicates;
  verdict_.new_per_round = judgement.new_per_round;
  verdict_.bound = claim.bound;
}

// Of a Clos network under central control; on others messages of a round get into each other's way.
std::optional<std::uint64_t> RoundsWorkload::analytic_time() const {
  const auto* clos = dynamic_cast<const Clos*>(&context().topology);
  if (clos == nullptr || !is_centrally_controlled(context().configuration)) return std::nullopt;
  const clos::MultistageStructure structure = clos::structure_of(*clos);
  const CircuitParams control = control_of(context().configuration, *clos);
  const NetworkParams& params = context().params;
  if (!params.circuit) {
    const Switching switching =
        params.router.store_and_forward ? Switching::kStoreAndForward : Switching::kWormhole;
    return packet_rounds_cycles(plan_, structure, control, verdict_.cost, switching);
  }
  CircuitParams circuit = *params.circuit;
  circuit.strategy = control.strategy;
  circuit.control = control.control;
  return circuit_rounds_cycles(plan_, structure, circuit, verdict_.cost.length);
}

void RoundsWorkload::join(const NetworkPlan& network) {
  require_branches();
  const Configuration& configuration = context().configuration;
  if (is_centrally_controlled(configuration) && network.groups == nullptr) return;
  play(std::make_unique<RoundPlayer>(plan_, demand_, network.groups.get(), longest_packet(),
                                     configuration.seed()));
}

// Multicasts need somebody who lets them branch.
void RoundsWorkload::require_branches() const {
  if (verdict_.algorithm != "multicast_rounds") return;
  if (is_centrally_controlled(context().configuration)) return;
  const Section& routing = context().configuration.section("routing");
  routing.fail(
      "kind",
      fmt::format("{} does not carry the multicasts of multicast_rounds", routing.text("kind")),
      "use central_control on a clos topology, or algorithm: unicast_rounds");
}

/// "0->1", "0->{1 2 3 ...}", with the chunk behind it where there are several.
std::string RoundsWorkload::message_text(std::size_t number) const {
  const RoundMessage& message = plan_.message(number);
  const NodeRange receivers = plan_.receivers(number);
  std::string to;
  for (const NodeId node : receivers) {
    if (&node - receivers.begin() == kShownSends) {
      to += " ...";
      break;
    }
    to += fmt::format("{}{}", to.empty() ? "" : " ", index(node));
  }
  if (receivers.size() > 1) to = "{" + to + "}";
  const bool tell_chunk = message.carries == Carries::kChunk && demand_.items() > 1;
  return fmt::format("{}->{}{}", index(message.from), to,
                     tell_chunk ? fmt::format(":{}", message.chunk) : "");
}

std::string RoundsWorkload::round_text(std::size_t round) const {
  const std::size_t begin = plan_.begin(round);
  const std::size_t messages = plan_.end(round) - begin;
  std::string text =
      fmt::format("{}, {} new:", counted(static_cast<std::int64_t>(messages), "message"),
                  verdict_.new_per_round[round]);
  for (std::size_t m = 0; m < std::min(messages, kShownSends); ++m) {
    text += " " + message_text(begin + m);
  }
  return text + (messages > kShownSends ? " ..." : "");
}

}  // namespace

std::unique_ptr<Workload> make_rounds_workload(const WorkloadContext& context) {
  return std::make_unique<RoundsWorkload>(context);
}

}  // namespace flitcast
