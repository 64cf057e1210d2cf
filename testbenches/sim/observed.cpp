// SPDX-License-Identifier: Apache-2.0
#include "observed.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "folder.h"
#include "sim/experiment/model.h"
#include "sim/results/result.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep.h"
#include "support/fresh_kernel.h"

namespace flitcast::program {

Configuration configuration_of(const std::string& text, const std::vector<std::string>& set,
                               const std::string& file) {
  Document document = parse_document(text, file);
  apply_overrides(document, set);
  return validate(document, experiment_schema());
}

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Returns the result of a search whose runs take place in this process.
Observed observe_search(const Configuration& configuration) {
  nlohmann::ordered_json run = configuration.effective();
  const auto key = run.at("search").at("key").get<std::string>();
  run.erase("search");
  const auto trial = [&](const TrialPlan& plan) {
    return observe(configuration_of(run.dump(), {key + "=" + std::to_string(plan.value),
                                                 "measure.warmup=" + std::to_string(plan.warmup),
                                                 "measure.window=" + std::to_string(plan.window),
                                                 "seed=" + std::to_string(plan.seed)}))
        .result;
  };
  return {search_result(configuration, trial), "", {}, {}, "", ""};
}

}  // namespace

MonitoredFlits monitored(const Configuration& configuration) {
  testing::install_fresh_kernel();
  Model model = make_model(configuration, true);
  MeasurementPlan plan = measurement_plan(configuration);
  plan.monitor = MonitorPlan{Cycle{0}, Cycle{1'000'000}, {}};
  const auto quiet = [](const std::string&, std::uint64_t, std::uint64_t) {};
  return std::move(*measure(model, plan, quiet).monitored);
}

Observed observe(const Configuration& configuration) {
  if (is_search(configuration)) return observe_search(configuration);
  testing::install_fresh_kernel();
  Model model = make_model(configuration, true);
  const Folder folder;
  const std::filesystem::path waveform = folder.path() / "x.vcd";
  if (model.network.trace) model.network.trace->file = waveform.string();
  MeasurementPlan plan = measurement_plan(configuration);
  plan.packet_log = true;
  Measurement measurement =
      measure(model, plan, [](const std::string&, std::uint64_t, std::uint64_t) {});
  std::ostringstream log;
  measurement.packets->log()->write_csv(log, model.workload->class_names());
  constexpr double kSeconds = 1;
  const nlohmann::ordered_json result = to_json(measurement, configuration, model, kSeconds);
  Observed seen{result,
                summary(result, measurement, configuration, model),
                read_packet_log(log.str()),
                model.network.params,
                model.network.implementation->name,
                ""};
  measurement.network.reset();  // Completes the waveform.
  const auto& shown = measurement.monitored;
  seen.waveform = shown ? value_changes(*shown) : text_of(waveform);
  return seen;
}

}  // namespace flitcast::program
