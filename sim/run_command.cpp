// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/commands.h"
#include "sim/measurement.h"
#include "sim/model.h"
#include "sim/output_file.h"
#include "sim/stop_signal.h"
#include "sim/sweep.h"

namespace flitcast {

namespace {

using Clock = std::chrono::steady_clock;

/// A bar on standard error that overwrites itself; silent unless standard error is a terminal.
class Progress {
 public:
  /// @param quiet  Never show anything.
  explicit Progress(bool quiet)
      : visible_(!quiet && ::isatty(STDERR_FILENO) == 1),
        next_(Clock::now() + std::chrono::milliseconds(500)) {}
  ~Progress() {
    if (drawn_) std::cerr << "\r\033[K" << std::flush;
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// At most ten times a second, whatever the number of calls. planned = 0: the end is not known.
  void show(const std::string& phase, std::uint64_t done, std::uint64_t planned) {
    if (!visible_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    drawn_ = true;
    std::cerr << "\r\033[K" << fmt::format("{:<8} ", phase);
    if (planned == 0) {
      std::cerr << done << " cycles" << std::flush;
      return;
    }
    constexpr std::uint64_t kWidth = 40;
    const auto filled = static_cast<std::size_t>(kWidth * done / planned);
    std::cerr << fmt::format("[{}{}] {} of {} cycles", std::string(filled, '#'),
                             std::string(kWidth - filled, '.'), done, planned)
              << std::flush;
  }

 private:
  const bool visible_;
  Clock::time_point next_;
  bool drawn_ = false;
};

// The name becomes the name of a file.
void require_plain_name(const Configuration& configuration) {
  const std::string& name = configuration.name();
  if (name.find('/') == std::string::npos && name != "." && name != "..") return;
  configuration.section("").fail("name", "\"" + name + "\" is no name for a file",
                                 "leave out the slash");
}

void refuse_deadlock(const Model& model, const Configuration& configuration) {
  if (model.network.routing == nullptr) return;  // Circuits hold nothing while they wait.
  if (dependencies_are_checkable(model)) {
    require_acyclic(model, configuration);
  } else if (!model.network.routing->multicast()) {
    std::cerr << "note: the network is too large to check its routing for deadlock beforehand; the "
                 "watchdog still does while it runs\n";
  }
}

std::string stem_of(const RunOptions& options, const Configuration& configuration) {
  return options.point ? fmt::format("{}-{}", configuration.name(), *options.point)
                       : configuration.name();
}

/// Where the result goes besides standard output.
std::vector<std::string> result_files(const RunOptions& options, const std::string& stem) {
  std::vector<std::string> files;
  if (!options.json.empty() && options.json != "-") files.push_back(options.json);
  if (!options.out.empty() || options.json.empty()) {
    files.push_back(fmt::format("{}/{}.json", options.out.empty() ? "out" : options.out, stem));
  }
  return files;
}

void require_harmless_files(const RunOptions& options, const std::string& stem) {
  for (const std::string& file : result_files(options, stem)) {
    require_apart(file, options.file);
    if (file == options.packet_log) {
      throw ConfigError(
          Problem{{}, "--packet-log", file + " is where the result goes", "choose another file"});
    }
  }
  require_apart(options.packet_log, options.file);
}

void note_idle_keys(const RunOptions& options, const Configuration& configuration,
                    const Workload& workload) {
  if (options.quiet) return;
  for (const char* key : {"warmup", "window", "drain_limit"}) {
    if (!workload.ends() || !configuration.section("measure").given(key)) continue;
    std::cerr << fmt::format("note: measure.{} means nothing here: a {} is measured as a whole\n",
                             key, configuration.section("workload").text("kind"));
  }
  for (const std::string& note : workload.notes()) std::cerr << "note: " << note << '\n';
}

void write_result(const RunOptions& options, const std::string& stem,
                  const nlohmann::ordered_json& result) {
  const std::string text = result.dump(2) + "\n";
  if (options.json == "-") std::cout << text << std::flush;
  for (const std::string& file : result_files(options, stem)) write_file(file, text);
}

void write_packet_log(const RunOptions& options, const Measurement& measurement) {
  if (options.packet_log.empty()) return;
  std::ostringstream csv;
  measurement.packets->log()->write_csv(csv);
  write_file(options.packet_log, csv.str());
}

void tell_deadlock(const Measurement& measurement) {
  if (measurement.status == Status::kDeadlock && measurement.circle.empty()) {
    std::cerr << "deadlock: packets are due and nothing has moved for long by cycle "
              << measurement.cycles << "; larger buffers may help\n";
  }
  if (!measurement.circle.empty()) {
    std::cerr << "deadlock in cycle " << measurement.cycles << ":\n" << to_text(measurement.circle);
  }
}

int exit_code(const Measurement& measurement) {
  switch (measurement.status) {
    case Status::kOk:
      return kDone;
    case Status::kSaturated:
      return kNotConverged;
    case Status::kDeadlock:
      return kDeadlocked;
    case Status::kStopped:
      return kStoppedBySignal + StopSignal::received();
  }
  return kBrokenInvariant;
}

}  // namespace

int run_command(const RunOptions& options) {
  const Configuration configuration = load_point(options.file, options.overrides, options.point);
  require_plain_name(configuration);
  const std::string stem = stem_of(options, configuration);
  require_harmless_files(options, stem);
  const StopSignal stop;  // Before the model, which may take its time.
  const Model model = make_model(configuration, options.unsafe);
  if (!options.unsafe) refuse_deadlock(model, configuration);
  note_idle_keys(options, configuration, *model.workload);
  MeasurementPlan plan = measurement_plan(configuration);
  plan.packet_log = !options.packet_log.empty();

  const Clock::time_point start = Clock::now();
  Measurement measurement = [&] {
    Progress progress(options.quiet);
    return measure(model, plan,
                   [&](const std::string& phase, std::uint64_t done, std::uint64_t planned) {
                     progress.show(phase, done, planned);
                   });
  }();
  const std::chrono::duration<double> elapsed = Clock::now() - start;

  write_packet_log(options, measurement);
  write_result(options, stem, to_json(measurement, configuration, model, elapsed.count()));
  tell_deadlock(measurement);
  if (!options.quiet) {
    (options.json == "-" ? std::cerr : std::cout)
        << summary(measurement, configuration, model, elapsed.count()) << std::flush;
  }
  return exit_code(measurement);
}

}  // namespace flitcast
