// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <regex>
#include <sstream>

#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/experiment/model.h"
#include "sim/host/output_file.h"
#include "sim/results/drawing.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

namespace {

struct ScheduleOptions : ExperimentOptions {
  std::optional<std::size_t> point;  ///< Point of the sweep, from 0.
  std::string dump;                  ///< File with one line for every send; "-": standard output.
  std::string draw;                  ///< File with a picture of all sends.
  bool json = false;
  bool compare = false;  ///< Rank all algorithms for the operation instead.
  bool measure = false;  ///< Rank them by the cycles of runs.
};

/// The text as one word of a shell.
std::string shell_word(const std::string& text) {
  static const std::regex kPlain("[-\\w./=+,:]+");
  if (std::regex_match(text, kPlain)) return text;
  return "'" + all_replaced(text, "'", "'\\''") + "'";
}

/// The command line that ranks the algorithms by the cycles of runs.
std::string measuring_command(const ScheduleOptions& options) {
  std::string command = "flitcast schedule --compare --measure " + shell_word(options.file);
  for (const std::string& one : options.overrides) command += " --set " + shell_word(one);
  if (options.point) command += " --point " + std::to_string(*options.point);
  return command + (options.json ? " --json" : "");
}

/// Makes the workload of the configuration without a network to run it on.
Model make_scheduled(const Configuration& configuration) {
  Model made = make_unplayed(configuration);
  if (made.workload->has_schedule()) return made;
  configuration.section("workload")
      .fail("kind", "a schedule belongs to a collective operation or a permutation",
            "write workload: {kind: collective, operation: ...}");
}

void write_dump(const Workload& workload, const std::string& file) {
  if (file == "-") return workload.write_schedule(std::cout);
  std::ostringstream text;
  workload.write_schedule(text);
  write_files({{file, text.str()}});
}

std::string picture_of(const Model& model, const Configuration& configuration) {
  const std::vector<Transmission> all = model.workload->transmissions();
  const Section& topology = configuration.section("topology");
  if (!is_drawable(model.topology())) {
    topology.fail("kind",
                  "schedules are drawn on meshes, tori, rings and hypercubes, not on " +
                      model.topology().name(),
                  "use one of these, or write all sends with --dump");
  }
  if (all.size() > kMostArrows) {
    topology.fail("kind",
                  fmt::format("{} sends are more than the {} that a picture can show", all.size(),
                              kMostArrows),
                  "use a smaller network, or write all sends with --dump");
  }
  return drawing_of(model.topology(), all, configuration.name() + ": " + model.workload->text());
}

int show_schedule(const ScheduleOptions& options) {
  if (options.compare) {
    return show_comparison(sweep_of(options), options.point, options.json, options.measure,
                           measuring_command(options));
  }
  const Configuration configuration = point_of(sweep_of(options), options.point);
  std::vector<Output> files;
  if (!options.dump.empty() && options.dump != "-") files.push_back({"--dump", options.dump});
  if (!options.draw.empty()) files.push_back({"--draw", options.draw});
  require_writable(files, configuration.input_files());
  if (!options.draw.empty() && std::filesystem::path(options.draw).extension() != ".svg") {
    fail_option("--draw", quoted(options.draw) + " is no SVG file", "write it to schedule.svg");
  }
  if (options.json && options.dump == "-") {
    fail_option("--dump -", "the verification goes to standard output already",
                "leave out --json, or dump to a file");
  }
  const Model made = make_scheduled(configuration);
  const Workload& workload = *made.workload;
  if (!options.draw.empty()) write_files({{options.draw, picture_of(made, configuration)}});
  if (!options.dump.empty()) write_dump(workload, options.dump);
  if (options.json) {
    ordered_json figures = workload.schedule_figures();
    figures.update(workload.schedule_outline());
    std::cout << figures.dump(2) << std::endl;
  } else if (options.dump != "-") {
    std::cout << workload.schedule_text();
  }
  return kDone;
}

void add_schedule_options(CLI::App& app, ScheduleOptions& options) {
  add_experiment(app, options);
  add_point(app, options.point, "Use this point of the file's sweep, from 0");
  add_file(app, "--dump", options.dump, "File for all sends, one a line; - for standard output");
  add_file(app, "--draw", options.draw,
           "SVG file with an arrow for every send, on meshes, tori, rings and hypercubes");
  app.add_flag("--json", options.json, "The verification, phases and claims as JSON");
  CLI::Option* const compare =
      app.add_flag("--compare", options.compare,
                   "Instead rank all algorithms for the operation by formula, each with its best "
                   "segments, group or row, at every length of the file's sweep, with the lengths "
                   "from which another is the fastest; exit code 3 if some have no formula");
  compare->excludes("--dump");
  compare->excludes("--draw");
  app.add_flag("--measure", options.measure,
               "Rank them by the cycles of runs instead; takes the time of a run for each, or for "
               "each segments, group and row where there is no formula; a run that fails gives its "
               "exit code")
      ->needs(compare);
}

}  // namespace

Command schedule_command() {
  return {"schedule", "Show and verify the schedule of a collective operation",
          declare<ScheduleOptions, add_schedule_options, show_schedule>};
}

}  // namespace flitcast
