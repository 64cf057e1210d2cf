// SPDX-License-Identifier: Apache-2.0
#include "observed.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "folder.h"
#include "sim/measurement.h"
#include "sim/model.h"
#include "sim/sweep.h"
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

}  // namespace

Observed observe(const Configuration& configuration) {
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
  measurement.packets->log()->write_csv(log);
  constexpr double kSeconds = 1;
  Observed seen{to_json(measurement, configuration, model, kSeconds),
                summary(measurement, configuration, model, kSeconds),
                read_packet_log(log.str()),
                model.network.params,
                model.network.realisation->name,
                ""};
  measurement.network.reset();  // Completes the waveform.
  seen.waveform = text_of(waveform);
  return seen;
}

}  // namespace flitcast::program
