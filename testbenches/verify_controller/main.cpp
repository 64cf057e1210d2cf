// SPDX-License-Identifier: Apache-2.0
// flitcast-verify-controller: drives a controller that scripts/verify-controller has compiled.
// Exit codes: 0 verified, 1 a fault was found, 2 bad usage.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "verify_controller/clock_formula.h"
#include "verify_controller/files.h"
#include "verify_controller/plugin_loader.h"
#include "verify_controller/report.h"

namespace {

using namespace flitcast::verify;

struct Options {
  std::string plugin;
  std::size_t m = 4;
  std::size_t r = 4;
  std::size_t x = 2;
  bool stop_without_progress = true;
  std::string clocks;
  std::uint64_t random_clocks = 1'000'000;
  std::uint64_t long_run = 1U << 17;
  std::string replay;
  std::string out = ".";
  std::string mark;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("--plugin", options.plugin,
                 "The compiled controller; without it, print m r x and the test of progress");
  app.add_option("--m", options.m, "Middle switches");
  app.add_option("--r", options.r, "Output switches");
  app.add_option("--x", options.x, "Most passes of a request; 0: as many as it takes");
  app.add_option("--stop-without-progress", options.stop_without_progress, "0 or 1");
  app.add_option("--clocks", options.clocks, "Clocks of a pass that are claimed");
  app.add_option("--random-clocks", options.random_clocks, "Clocks of requests at random")
      ->check(CLI::Range(0.0, 1e12));
  app.add_option("--long-run", options.long_run, "Requests of the run without a reset; 0: none")
      ->check(CLI::Range(0.0, 1e9));
  app.add_option("--replay", options.replay, "Play this file alone");
  app.add_option("--out", options.out, "Folder for the files of a fault");
  app.add_option("--mark", options.mark,
                 "Begins each line of the verdict, to tell it from what the controller prints");
}

void print(const std::string& lines, const Options& options) {
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) std::cout << options.mark << line << '\n';
}

Scenario read_scenario(const std::string& file) try {
  std::ifstream in(file);
  if (!in) throw std::invalid_argument("cannot be opened");
  std::ostringstream text;
  text << in.rdbuf();
  return from_json(text.str());
} catch (const std::invalid_argument& error) {
  throw std::invalid_argument(file + ": " + error.what());
}

// Writes the scenario to a file, and its waveform, both named after the fault. The verdict stands
// even if there is no space for them.
void write_files(const Task& task, const Verdict& verdict, const MakeDut& make_dut,
                 const Options& options) try {
  const auto path = std::filesystem::path(options.out) / file_stem(verdict.fault->kind);
  const std::string stem = path.lexically_normal().string();
  const std::string claim = options.clocks.empty() ? "" : " --clocks '" + options.clocks + "'";
  write_replay(stem, verdict);
  print("  replay     --replay " + stem + ".json" + claim, options);
  write_waveform(stem, task, verdict, make_dut);
  print("  waveform   " + stem + ".fst", options);
} catch (const std::runtime_error& error) {
  std::cerr << error.what() << "; give --out a folder with room\n";
}

// Refuses sizes on the command line, since the file to replay defines them.
void require_free_of_sizes(const CLI::App& app) {
  if (app.count("--replay") == 0) return;
  for (const char* name :
       {"--m", "--r", "--x", "--stop-without-progress", "--random-clocks", "--long-run"}) {
    if (app.count(name) == 0) continue;
    throw std::invalid_argument(std::string(name) +
                                ": fixed by the file to replay; leave it out, or --replay");
  }
}

int run(const Options& options) {
  Task task;
  task.params = {options.m, options.r, options.x, options.stop_without_progress};
  require_playable(task.params);
  task.random_clocks = options.random_clocks;
  task.long_run = options.long_run;
  std::optional<Scenario> scenario;
  if (!options.replay.empty()) {
    scenario = read_scenario(options.replay);
    task.params = scenario->params;
  }
  if (!options.clocks.empty()) task.pass_clocks = pass_clocks_of(options.clocks, task.params);
  if (options.plugin.empty()) {
    std::cout << task.params.m << ' ' << task.params.r << ' ' << task.params.pass_limit << ' '
              << task.params.stop_without_progress << '\n';
    return 0;
  }
  require_writable(options.out);  // Checked before a long search.
  const MakeDut make_dut = load_plugin(options.plugin);
  const Verdict verdict = scenario ? replay(task, *scenario, make_dut) : verify(task, make_dut);
  print(report(task, verdict), options);
  if (!verdict.fault) return 0;
  write_files(task, verdict, make_dut, options);
  return 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Verifies a compiled controller of a Clos network.", "flitcast-verify-controller");
  Options options;
  declare(app, options);
  try {
    app.parse(argc, argv);
    require_free_of_sizes(app);
    return run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
