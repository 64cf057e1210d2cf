// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective_data.h"

#include <utility>

namespace flitcast {

namespace {

constexpr const char* kChecksums = "none";

/// Operators by what they are defined on.
std::vector<std::string> operator_names(bool of_floats) {
  std::vector<std::string> names;
  for (const Arithmetic::Operator& one : Arithmetic::operators()) {
    if (one.of_floats == of_floats) names.emplace_back(one.name);
  }
  return names;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The operations that combine vectors.
std::vector<std::string> combining_operations() {
  std::vector<std::string> names;
  for (const OperationName& entry : operations()) {
    const Demand demand{entry.operation};
    if (demand.adds_up() && !demand.is_union()) names.emplace_back(entry.name);
  }
  return names;
}

Param type_param(const std::vector<std::string>& of_operators, std::vector<std::string> types) {
  Param type = Param::choice("data.type", "Of an element.", std::move(types));
  type.when = {"data.operator", of_operators};
  return type;
}

/// What a run has made of the data.
struct DataVerdict {
  std::uint64_t combined = 0;
  std::uint64_t differing = 0;
  std::string digest;
};

const FigureTable<DataVerdict>& data_figures() {
  using V = DataVerdict;
  static const FigureTable<V> table{
      {"data.combined", "elements",
       "Elements of partial sums that nodes have combined with theirs.", &V::combined},
      {"data.differing", "elements",
       "Of all results: elements whose bits are others than in the order of the ranks, one after "
       "the other; sums of floats depend on the algorithm.",
       &V::differing},
      {"data.digest", "", "Of the bits of all results: 16 hexadecimal digits.", &V::digest},
  };
  return table;
}

}  // namespace

std::vector<Param> collective_data_params() {
  const std::vector<std::string> on_all = operator_names(true);
  const std::vector<std::string> on_integers = operator_names(false);
  const std::vector<std::string> operators = joined(on_all, on_integers);
  std::vector<Param> params{
      Param::choice("data.operator",
                    "How contributions are combined, element by element; none: they are checksums, "
                    "which are added.",
                    joined({kChecksums}, operators)),
      type_param(on_all, joined(Arithmetic::integer_types(), Arithmetic::float_types())),
      type_param(on_integers, Arithmetic::integer_types()),
      Param::integer("data.elements", "elements", "Of a flit.", 1, 256).defaults_to(1),
      Param::number("data.combine_cycles", "cycles",
                    "A node's time to combine an element that it has received; a message's "
                    "elements together are rounded up.",
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

std::optional<CollectiveData> collective_data(const Section& workload, std::uint64_t seed) {
  if (!workload.has("data.operator") || workload.text("data.operator") == kChecksums) {
    return std::nullopt;
  }
  const Arithmetic arithmetic(workload.text("data.operator"), workload.text("data.type"));
  return CollectiveData{{arithmetic, workload.count("data.elements"),
                         static_cast<std::uint32_t>(workload.integer("length")), seed},
                        workload.number("data.combine_cycles")};
}

void add_data_figures(const VectorPlayer& player, nlohmann::ordered_json& collective) {
  const VectorLedger& sums = player.sums();
  data_figures().write({player.combined(), sums.differences_from_rank_order(), sums.digest()},
                       collective);
}

std::vector<FigureMeaning> data_figure_meanings() { return data_figures().meanings("collective."); }

}  // namespace flitcast
