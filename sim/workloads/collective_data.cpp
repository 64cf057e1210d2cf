// SPDX-License-Identifier: Apache-2.0
// Real data in the contributions of an operation that combines them.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/sequences.h"
#include "sim/workloads/collective_executor.h"
#include "traffic/vector_player.h"

namespace flitcast {

namespace {

constexpr const char* kChecksums = "none";

/// The names of the operators that are also defined on floats, or on integers only.
std::vector<std::string> operator_names(bool of_floats) {
  return names_where(Arithmetic::operators(),
                     [&](const Arithmetic::Operator& one) { return one.of_floats == of_floats; });
}

/// The operations that combine vectors.
std::vector<std::string> combining_operations() {
  return names_where(operations(), [](const OperationName& entry) {
    const Demand demand{entry.operation};
    return demand.adds_up() && !demand.is_union();
  });
}

Param type_param(const std::vector<std::string>& of_operators, std::vector<std::string> types) {
  Param type = Param::choice("data.type", "Type of an element.", std::move(types));
  type.when = {"data.operator", of_operators};
  return type;
}

/// The results of a run with data.
struct DataVerdict {
  std::uint64_t combined = 0;
  std::uint64_t differing = 0;
  std::string digest;
};

FigureTable<DataVerdict> data_figures() {
  return {
      {"data.combined", "elements",
       "Elements of partial sums that nodes, or routers, have combined with others.",
       &DataVerdict::combined},
      {"data.differing", "elements",
       "Elements of all results whose bits differ from the sum in rank order, one contribution "
       "after the other; sums of floats depend on the algorithm.",
       &DataVerdict::differing},
      {"data.digest", "(text)", "Digest of the bits of all results: 16 hex digits.",
       &DataVerdict::digest},
  };
}

}  // namespace

std::vector<Param> collective_data_params() {
  const std::vector<std::string> on_all = operator_names(true);
  const std::vector<std::string> on_integers = operator_names(false);
  const std::vector<std::string> operators = concatenated({on_all, on_integers});
  std::vector<Param> params{
      Param::choice("data.operator",
                    "How contributions are combined, element by element; none: contributions are "
                    "checksums, which are added.",
                    concatenated<std::string>({{kChecksums}, operators})),
      type_param(on_all, concatenated({Arithmetic::integer_types(), Arithmetic::float_types()})),
      type_param(on_integers, Arithmetic::integer_types()),
      Param::integer("data.elements", "elements", "Elements in a flit.", 1, 256).defaults_to(1),
      Param::number("data.combine_cycles", "cycles",
                    "Time of a node to combine an element that it has received, rounded up for a "
                    "message; operations at the same time combine side by side.",
                    0, 1e6)
          .defaults_to(0)};
  params.front().default_dumped = false;
  for (Param& param : params) {
    if (param.when.all.empty() && param.key != "data.operator") {
      param.when = {"data.operator", operators};
    }
    param.when.all.insert(param.when.all.begin(), {"operation", combining_operations()});
  }
  return params;
}

bool has_collective_data(const Section& workload) {
  return workload.has("data.operator") && workload.text("data.operator") != kChecksums;
}

namespace {

/// The flits of a vector; VectorLedger::has_space_for() refuses the longest that this can return.
std::uint32_t flits_of_vector(std::uint64_t length) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(length, kMost));
}

}  // namespace

VectorData vectors_of(const CollectiveTask& task) {
  const Section& workload = task.section();
  const Demand& demand = task.collective.demand;
  VectorData vectors{Arithmetic(workload.text("data.operator"), workload.text("data.type")),
                     workload.count("data.elements"), flits_of_vector(task.length()),
                     task.configuration().seed()};
  if (VectorLedger::has_space_for(demand, vectors)) return vectors;
  workload.fail(
      "data.elements",
      fmt::format("{} flits of {} elements at {} nodes are more than {} elements", vectors.length,
                  vectors.elements_per_flit, demand.nodes, VectorLedger::kMostElements),
      "use a smaller length, fewer elements or a smaller network");
}

void write_data_figures(const VectorLedger& sums, std::uint64_t combined,
                        ordered_json& collective) {
  data_figures().write({combined, sums.differences_from_rank_order(), sums.digest()}, collective);
}

std::vector<SummaryLine> data_summary(const VectorLedger& sums, std::uint64_t combined) {
  return {{"data", fmt::format("{} elements combined, digest of results {}, {} other than in "
                               "rank order",
                               combined, sums.digest(), sums.differences_from_rank_order())}};
}

namespace {

class DataExecutor : public NodeExecutor {
 public:
  explicit DataExecutor(const CollectiveTask& task)
      : NodeExecutor(task),
        vectors_(vectors_of(task)),
        combine_cycles_(task.section().number("data.combine_cycles")) {}

  void check() const override {
    NodeExecutor::check();
    if (task().self_timed()) {
      task().section().fail("timing", "vectors are combined in rounds",
                            "use rounds, or leave data out");
    }
  }

  std::optional<std::uint64_t> analytic_cycles(std::uint64_t length, bool in_turn) const override {
    const auto sent = NodeExecutor::analytic_cycles(length, in_turn);
    if (!sent) return std::nullopt;
    VectorData vectors = vectors_;
    vectors.length = flits_of_vector(length);
    return *sent +
           combining_time(task().schedule(), task().collective.demand, vectors, combine_cycles_);
  }

  std::string data_text() const override { return ", " + vectors_.arithmetic.name(); }
  const char* parts() const override { return "elements"; }

  void add_figures(ordered_json& collective) const override {
    write_data_figures(player_->sums(), player_->combined(), collective);
  }

  std::vector<SummaryLine> summary() const override {
    return data_summary(player_->sums(), player_->combined());
  }

 protected:
  std::unique_ptr<CollectivePlayer> make_player(DestinationGroups* groups) override {
    auto player = std::make_unique<VectorPlayer>(
        task().context.topology, task().schedule(), task().collective.demand, vectors_,
        combine_cycles_, groups, task().instance.placement);
    player_ = player.get();
    return player;
  }

 private:
  const VectorData vectors_;
  const double combine_cycles_;  // Cycles per element.
  const VectorPlayer* player_ = nullptr;
};

}  // namespace

std::unique_ptr<CollectiveExecutor> data_executor(const CollectiveTask& task) {
  return std::make_unique<DataExecutor>(task);
}

std::vector<FigureMeaning> data_figure_meanings() { return data_figures().meanings("collective."); }

}  // namespace flitcast
