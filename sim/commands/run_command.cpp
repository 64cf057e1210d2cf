// SPDX-License-Identifier: Apache-2.0
#include "network/network_plan.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/results/result.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep_folder.h"
#include "stats/verdict.h"

namespace flitcast {
namespace {

constexpr const char* kSweepHelp =
    "\n\nA sweep ends with exit code 0 when every point has a result, whatever its status: results "
    "of saturated points are in the table. It ends with 5 when points have failed (a deadlock is a "
    "failure) or are missing.";

int run_both(const RunOptions& options, const Configuration& configuration,
             const std::vector<Output>& outputs) {
  if (is_search(configuration) || &implementation_of(configuration) == &flow_level()) {
    fail_option("--both", "it compares flows with a run of flits",
                "leave out search and run.level");
  }
  ExperimentOptions of_flows = options;
  of_flows.overrides.emplace_back("run.level=" + flow_level().name);
  of_flows.quiet = true;
  const Configuration flows = sweep_of(of_flows).point(options.point.value_or(0));
  return run_experiment(options, configuration, outputs, &flows);
}

int run_file(const RunOptions& options) {
  const Sweep sweep = sweep_of(options);
  if (sweep.explores() && !options.point) {
    if (options.both)
      fail_option("--both", "a sweep or a search has several runs",
                  "choose one by --point, or sweep run.level");
    return run_sweep(options, sweep);
  }
  if (!options.points.empty() || !options.rerun.empty()) {
    fail_option(options.points.empty() ? "--rerun" : "--points", "one run has no list of points",
                "give it with a file that sweeps, repeats or searches, without --point");
  }
  const Configuration configuration = sweep.point(options.point.value_or(0));
  require_sound_search(configuration);
  const std::vector<Output> outputs = outputs_of(options, configuration);
  if (options.both) return run_both(options, configuration, outputs);
  if (!is_search(configuration)) return run_experiment(options, configuration, outputs);
  note_replaced_result(options, configuration);
  return search_command(options, sweep, outputs);
}

/// "-" names standard output for --json, but not for logs.
std::string fault_of_log_name(const std::string& name) {
  return name == "-" ? "- is no file here; name one, or /dev/stdout" : "";
}

void add_logs(CLI::App& app, RunOptions& options) {
  add_file(app, "--packet-log", options.packet_log, "CSV file with a row for every packet")
      ->check(fault_of_log_name);
  add_file(app, "--flit-log", options.flit_log,
           "CSV file with a row for every flit in every buffer, from trace.from to trace.to, of "
           "the routers in trace.signals or of all")
      ->check(fault_of_log_name);
  add_file(app, "--timeline", options.timeline,
           "Trace events of packets for Perfetto, over the same cycles and routers")
      ->check(fault_of_log_name);
}

void add_run_options(CLI::App& app, RunOptions& options) {
  add_experiment(app, options);
  add_point(app, options.point, "Run only this point of the file's sweep, from 0");
  app.add_option("--points", options.points, "Run these points of the sweep: 0-3,7")
      ->option_text("LIST")
      ->excludes("--point")
      ->check(fault_of_file_name);
  add_rerun(app, options);
  add_file(app, "--out", options.out,
           "Folder for the result (default: out), or for the sweep (default: out/NAME)")
      ->option_text("DIR");
  add_file(app, "--json", options.json, "File for the result; - for standard output");
  add_logs(app, options);
  add_memory_limit(app, options.memory_limit);
  app.add_flag("--both", options.both,
               "Run at the flow level (run.level: flow), too, and state its error");
  app.add_flag("--fst", options.fst,
               "Compress the waveform of trace.signals to FST, with vcd2fst of GTKWave");
  app.add_flag("--unsafe", options.unsafe, "Run even if the network can deadlock");
  app.add_flag("--quiet", options.quiet, "Print no progress and no summary");
  app.footer(std::string(kVerdictHelp) + kSweepHelp);
}

}  // namespace

Command run_command() {
  return {"run", "Run an experiment, or the points of a sweep that have no result",
          declare<RunOptions, add_run_options, run_file>};
}

}  // namespace flitcast
