// SPDX-License-Identifier: Apache-2.0
#include "observed.h"

#include <sstream>

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

Observed observe(const Configuration& configuration) {
  testing::install_fresh_kernel();
  const Model model = make_model(configuration, true);
  MeasurementPlan plan = measurement_plan(configuration);
  plan.packet_log = true;
  const Measurement measurement =
      measure(model, plan, [](const std::string&, std::uint64_t, std::uint64_t) {});
  std::ostringstream log;
  measurement.packets->log()->write_csv(log);
  constexpr double kSeconds = 1;
  return {to_json(measurement, configuration, model, kSeconds),
          summary(measurement, configuration, model, kSeconds), read_packet_log(log.str()),
          model.network.params};
}

}  // namespace flitcast::program
