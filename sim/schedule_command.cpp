// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>

#include "sim/commands.h"
#include "sim/model.h"
#include "sim/output_file.h"
#include "sim/sweep.h"
#include "sim/workloads/collective.h"

namespace flitcast {

namespace {

/// Makes the operation that the configuration describes, without a network to play it on.
Model make_operation(const Configuration& configuration) {
  Model made = make_unplayed(configuration);
  if (dynamic_cast<CollectiveWorkload*>(made.workload.get()) != nullptr) return made;
  configuration.section("workload")
      .fail("kind", "a schedule belongs to a collective operation",
            "write workload: {kind: collective, operation: ...}");
}

void write_dump(const CollectiveWorkload& operation, const std::string& file) {
  std::ostringstream text;
  operation.dump(text);
  if (file == "-") {
    std::cout << text.str() << std::flush;
  } else {
    write_files({{file, text.str()}});
  }
}

}  // namespace

int schedule_command(const ScheduleOptions& options) {
  const Configuration configuration = load_point(options.file, options.overrides, options.point);
  if (!options.dump.empty() && options.dump != "-") {
    require_writable({{"--dump", options.dump}}, configuration.input_files());
  }
  if (options.json && options.dump == "-") {
    throw ConfigError(Problem{{},
                              "--dump -",
                              "the judgement goes to standard output already",
                              "leave out --json, or dump to a file"});
  }
  const Model made = make_operation(configuration);
  const auto& operation = dynamic_cast<const CollectiveWorkload&>(*made.workload);
  if (!options.dump.empty()) write_dump(operation, options.dump);
  if (options.json) {
    std::cout << operation.figures().dump(2) << std::endl;
  } else if (options.dump != "-") {
    std::cout << operation.plan_text();
  }
  return kDone;
}

}  // namespace flitcast
