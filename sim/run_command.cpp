// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "config/wording.h"
#include "network/fabric.h"
#include "sim/commands.h"
#include "sim/measurement.h"
#include "sim/model.h"
#include "sim/output_file.h"
#include "sim/result_files.h"
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

void refuse_deadlock(const Model& model, const Configuration& configuration) {
  if (model.network.routing == nullptr) return;  // Circuits hold nothing while they wait.
  if (dependencies_are_checkable(model)) {
    require_acyclic(model, configuration);
  } else if (!model.network.routing->multicast()) {
    std::cerr << "note: the network is too large to check its routing for deadlock beforehand; the "
                 "watchdog still does while it runs\n";
  }
}

// Of what a user has given and does not get.
void note_idle_keys(const RunOptions& options, const Configuration& configuration,
                    const Model& model) {
  if (options.quiet) return;
  for (const char* key : {"warmup", "window", "drain_limit"}) {
    if (!model.workload->ends() || !configuration.section("measure").given(key)) continue;
    std::cerr << fmt::format("note: measure.{} means nothing here: a {} is measured as a whole\n",
                             key, configuration.section("workload").text("kind"));
  }
  for (const std::string& note : model.workload->notes()) {
    std::cerr << "note: " << visible(note) << '\n';
  }
  const unsigned threads = Fabric::region_count(model.topology(), model.network.params);
  const unsigned processors = std::thread::hardware_concurrency();
  if (processors == 0 || threads <= processors) return;
  std::cerr << fmt::format("note: {} threads share {} processors and wait for each other\n",
                           threads, processors);
}

std::string packet_rows(const Measurement& measurement) {
  std::ostringstream csv;
  measurement.packets->log()->write_csv(csv);
  return csv.str();
}

/// All files, then what goes to standard output, which may be closed.
void write_result(const std::vector<Output>& outputs, bool to_terminal,
                  const Measurement& measurement, const std::string& result) {
  std::vector<WholeFile> files;
  for (const Output& output : outputs) {
    if (output.option == kTrace) continue;  // It is there already.
    files.push_back({output.path, output.option == kPacketLog ? packet_rows(measurement) : result});
  }
  write_files(files);
  if (to_terminal) std::cout << result << std::flush;
}

void tell_deadlock(const Measurement& measurement) {
  if (measurement.verdict.status == Status::kDeadlock && measurement.circle.empty()) {
    std::cerr << "deadlock: packets are due and nothing has moved for long by cycle "
              << measurement.cycles << "; larger buffers may help\n";
  }
  if (!measurement.circle.empty()) {
    std::cerr << "deadlock in cycle " << measurement.cycles << ":\n" << to_text(measurement.circle);
  }
}

int exit_code(const Measurement& measurement) {
  switch (measurement.verdict.status) {
    case Status::kOk:
      return kDone;
    case Status::kSaturated:
    case Status::kUnsteady:
    case Status::kUnmeasured:
      return kNotConverged;
    case Status::kDeadlock:
      return kDeadlocked;
    case Status::kStopped:
      return kStoppedBySignal + StopSignal::received();
  }
  return kBrokenInvariant;
}

// Checkers of memory and threads want to see the whole life of every module.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kTearDown = true;
#elif defined(__has_feature)
constexpr bool kTearDown = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kTearDown = false;
#endif

// The kernel searches the list of all modules for each one that goes: to take a large network down
// would take longer than to run it. The process ends anyway, and its memory goes at once. A network
// that is being traced completes its file.
void leave_to_the_system(const Model& model, Measurement& measurement) {
  if (!kTearDown && !model.network.trace) static_cast<void>(measurement.network.release());
}

// A workload that ends may do so before the waveform begins.
void note_no_waveform(const Model& model, const Measurement& measurement) {
  const auto& trace = model.network.trace;
  if (!trace || measurement.cycles > index(trace->from)) return;
  std::cerr << fmt::format(
      "note: there is no waveform: the run ended after {} cycles, before trace.from, {}\n",
      measurement.cycles, index(trace->from));
}

/// Says where the network is to write its waveform, and sees that there is the folder.
void place_trace(const std::vector<Output>& outputs, Model& model) {
  for (const Output& output : outputs) {
    if (output.option != kTrace) continue;
    std::filesystem::create_directories(std::filesystem::path(output.path).parent_path());
    model.network.trace->file = output.path;
  }
}

}  // namespace

int run_command(const RunOptions& options) {
  const Configuration configuration = load_point(options.file, options.overrides, options.point);
  const std::vector<Output> outputs = outputs_of(options, configuration);
  note_other_results(options, configuration, outputs);
  Model model = make_model(configuration, options.unsafe, memory_limit(options.memory_limit));
  if (!options.unsafe) refuse_deadlock(model, configuration);
  note_idle_keys(options, configuration, model);
  place_trace(outputs, model);
  MeasurementPlan plan = measurement_plan(configuration);
  plan.packet_log = !options.packet_log.empty();

  const Clock::time_point start = Clock::now();
  std::optional<StopSignal> stop;
  Measurement measurement = [&] {
    Progress progress(options.quiet);
    return measure(model, plan,
                   [&](const std::string& phase, std::uint64_t done, std::uint64_t planned) {
                     // The first report comes when the network is built: until then there is
                     // nothing to save, and a signal ends the process at once.
                     if (!stop) stop.emplace();
                     progress.show(phase, done, planned);
                   });
  }();
  const std::chrono::duration<double> elapsed = Clock::now() - start;

  write_result(outputs, options.json == "-", measurement,
               to_json(measurement, configuration, model, elapsed.count()).dump(2) + "\n");
  tell_deadlock(measurement);
  if (!options.quiet) {
    for (const std::string& note : measurement.verdict.notes) std::cerr << "note: " << note << '\n';
    note_no_waveform(model, measurement);
    (options.json == "-" ? std::cerr : std::cout)
        << summary(measurement, configuration, model, elapsed.count()) << std::flush;
  }
  leave_to_the_system(model, measurement);
  return exit_code(measurement);
}

}  // namespace flitcast
