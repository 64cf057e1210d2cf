// SPDX-License-Identifier: Apache-2.0
// Several collective operations on one network, in sequence or simultaneously.
#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"
#include "sim/experiment/workload.h"
#include "sim/workloads/collective.h"
#include "traffic/several_players.h"

namespace flitcast {
namespace {

/// The result of one of the operations.
struct OperationOutcome {
  std::string operation;
  const CollectiveVerdict& verdict;
  std::optional<std::uint64_t> begin{};
  std::optional<std::uint64_t> cycles{};
};

FigureTable<OperationOutcome> outcome_figures() {
  return {
      {"operation", "", "The operation of the nodes together.", &OperationOutcome::operation},
      {"algorithm", "(text)", "The algorithm that made the plan.",
       [](const OperationOutcome& o) { return o.verdict.algorithm; }},
      {"transmissions", "messages", "Messages that nodes send.",
       [](const OperationOutcome& o) { return o.verdict.verification.transmissions; }},
      {"begin", "cycle", "When it begins.",
       [](const OperationOutcome& o) { return figure_of(o.begin); }},
      {"cycles", "cycles", "From then to its last arrival, or its last combination of data.",
       [](const OperationOutcome& o) { return figure_of(o.cycles); }},
      {"analytic_cycles", "cycles", "The time that the cost model gives it alone in the network.",
       [](const OperationOutcome& o) { return figure_of(o.verdict.analytic_cycles); }},
  };
}

class SeveralCollectives : public PlannedWorkload<SeveralPlayers> {
 public:
  explicit SeveralCollectives(const WorkloadContext& context) : PlannedWorkload(context) {
    const std::vector<Section>& sections = context.section().sections("operations");
    if (sections.empty()) {
      context.section().fail("operations", "there is none", "write [{operation: ...}, ...]");
    }
    ProblemList problems;
    for (const Section& section : sections) {
      problems.attempt([&] {
        parts_.push_back(std::make_unique<CollectiveWorkload>(WorkloadContext{
            context.configuration, context.topology, context.params, context.can, &section}));
        if (parts_.back()->routing() == nullptr) return;
        section.fail("algorithm", "routers carry out one collective operation at a time",
                     "use an algorithm whose messages nodes send, and forwarding: nodes");
      });
    }
    problems.throw_if_any();
  }

  void adapt(NetworkPlan& network) override {
    for (const auto& part : parts_) part->adapt(network);
  }

  void join(const NetworkPlan& network) override {
    ProblemList problems;
    std::vector<CollectivePlayer*> players;
    for (const auto& part : parts_) {
      problems.attempt([&] { part->join(network); });
      players.push_back(part->player());
    }
    problems.throw_if_any();
    if (contains(players, nullptr)) return;  // The problem is reported elsewhere.
    play(std::make_unique<SeveralPlayers>(players, context().topology.node_count(), order()));
  }

  std::uint32_t longest_packet() const override {
    return largest_of<std::uint32_t>(parts_, &Workload::longest_packet);
  }
  void audit(const Network& network) const override {
    for (const auto& part : parts_) part->audit(network);
  }

  std::string text() const override {
    std::string text = counted(parts_.size(), "collective");
    text += order() == Order::kAtOnce ? " at once" : " in turn";
    for (const auto& part : parts_) text += (part == parts_.front() ? ": " : "; ") + part->text();
    return text;
  }

  const char* phase() const override { return "collectives"; }

  void add_figures(nlohmann::ordered_json& result) const override {
    ordered_json& list = result["operations"] = outcome_figures().list(outcomes());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (parts_[p]->cycles()) parts_[p]->add_bandwidths(player()->cycles(p), list[p]);
    }
  }

  std::vector<SummaryLine> summary() const override {
    std::vector<SummaryLine> lines;
    for (const OperationOutcome& one : outcomes()) {
      const std::string analytic =
          one.verdict.analytic_cycles
              ? fmt::format("alone {} by the cost model", *one.verdict.analytic_cycles)
              : "no analytic time";
      const std::string measured =
          one.cycles ? fmt::format("{} cycles from cycle {}", *one.cycles, *one.begin)
                     : "unfinished";
      lines.emplace_back("collective", fmt::format("{} by {}: {}; {}", one.operation,
                                                   one.verdict.algorithm, measured, analytic));
    }
    return lines;
  }

 private:
  using Order = SeveralPlayers::Order;

  Order order() const {
    return section().text("order") == "at_once" ? Order::kAtOnce : Order::kInTurn;
  }

  std::vector<OperationOutcome> outcomes() const {
    return tabulated(parts_.size(), [&](std::size_t part) {
      OperationOutcome outcome{section().sections("operations")[part].text("operation"),
                               parts_[part]->verdict()};
      if (!parts_[part]->cycles()) return outcome;
      outcome.begin = index(player()->begin(part));
      outcome.cycles = player()->cycles(part);
      return outcome;
    });
  }

  std::vector<std::unique_ptr<CollectiveWorkload>> parts_;
};

std::vector<Param> several_collectives_params() {
  return {Param::choice("order", "in_turn: each waits for the end of the one before.",
                        {"in_turn", "at_once"}),
          Param::sections("operations",
                          "Collective operations, each with the keys of a workload of kind "
                          "collective.",
                          collective_workload_params())};
}

std::vector<FigureMeaning> operation_meanings() {
  return concatenated<FigureMeaning>(
      {{{"operations", "(list)", "Each, in the order of the file."}},
       outcome_figures().meanings("operations."),
       CollectiveWorkload::bandwidth_figures().meanings("operations.")});
}

}  // namespace

WorkloadEntry several_collectives_workload() {
  return {{"several_collectives",
           "Several collective operations, one after the other or at once.",
           several_collectives_params,
           makes<SeveralCollectives>(),
           {"operations: [{operation: reduce_scatter, algorithm: ring}, {operation: all_gather, "
            "algorithm: ring}]",
            "order: at_once, operations: [{operation: broadcast, algorithm: binomial}, {operation: "
            "broadcast, algorithm: binomial, source: 1, length: 5}]"}},
          operation_meanings()};
}

}  // namespace flitcast
