// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <iostream>
#include <list>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/fabric/fabric.h"
#include "sim/experiment/model.h"
#include "sim/host/output_file.h"
#include "sim/host/process.h"
#include "sim/host/progress.h"
#include "sim/measure/measurement.h"
#include "sim/results/result.h"

namespace flitcast {

namespace {

using Clock = std::chrono::steady_clock;

void refuse_deadlock(const Model& model, const Configuration& configuration) {
  if (model.network.routing == nullptr) return;  // Circuits hold nothing while they wait.
  check_protocol(model, configuration);
  if (dependencies_are_checkable(model)) {
    check_routing(model, configuration);
  } else if (!model.network.routing->multicast()) {
    std::cerr << "note: the network is too large to check its routing for deadlock beforehand; the "
                 "watchdog still does while it runs\n";
  }
}

// Notes keys and options that have no effect.
void note_idle_keys(const RunOptions& options, const Configuration& configuration,
                    const Model& model) {
  if (options.quiet) return;
  for (const char* key : {"warmup", "window", "drain_limit", "precision"}) {
    if (!model.workload->ends() || !configuration.section("measure").given(key)) continue;
    std::cerr << fmt::format("note: measure.{} means nothing here: a {} is measured as a whole\n",
                             key, configuration.section("workload").text("kind"));
  }
  for (const std::string& note : notes_of(model, configuration)) {
    std::cerr << "note: " << visible(note) << '\n';
  }
  const unsigned threads = FabricPlan::partition_count(model.topology(), model.network.params);
  const unsigned processors = std::thread::hardware_concurrency();
  if (processors == 0 || threads <= processors) return;
  std::cerr << fmt::format("note: {} threads share {} processors and wait for each other\n",
                           threads, processors);
}

std::string packet_rows(const Measurement& measurement) {
  std::ostringstream csv;
  const auto name = [](const ClassCount& one) { return csv_cell(one.name); };
  measurement.packets->log()->write_csv(csv, mapped(measurement.classes, name));
  return csv.str();
}

/// The text of an output; absent for a file that is not to be written, or that the network has
/// written already.
std::optional<std::string> text_of(const Output& output, const Measurement& measurement,
                                   const std::string& result) {
  if (output.option == kPacketLog) return packet_rows(measurement);
  if (output.option == kFlitLog) return flit_log(*measurement.monitored);
  if (output.option == kTimeline) return timeline(*measurement.monitored);
  if (output.option != kTrace) return result;
  const auto& monitored = measurement.monitored;
  if (!monitored || monitored->end == monitored->plan.from) return std::nullopt;
  return value_changes(*monitored);
}

/// Packs the waveform and puts all files in place. If packing fails, the waveform remains a dump,
/// and the function throws std::system_error once all files are in place.
std::vector<std::string> pack_and_place(const RunOptions& options,
                                        const Configuration& configuration,
                                        std::list<OutputFile>& files, OutputFile* waveform) {
  if (!options.fst || waveform == nullptr) return put_in_place(options, configuration, files);
  waveform->finish();
  const bool packed = pack_waveform(waveform->draft());
  const std::string name = waveform->path();
  if (!packed) waveform->add_ending(".vcd");
  std::vector<std::string> names = put_in_place(options, configuration, files);
  if (!packed) throw std::system_error(EIO, std::generic_category(), name + ": cannot be written");
  return names;
}

/// Writes all files, then the outputs to standard output, which may be closed. Returns the names of
/// the files.
/// @param files  Holds the waveform if the network has written it.
std::vector<std::string> write_result(const RunOptions& options, const Configuration& configuration,
                                      const std::vector<Output>& outputs,
                                      std::list<OutputFile>& files, const Measurement& measurement,
                                      const std::string& result) {
  OutputFile* waveform = files.empty() ? nullptr : &files.front();
  for (const Output& output : outputs) {
    const std::optional<std::string> text = text_of(output, measurement, result);
    if (!text) continue;
    files.emplace_front(output.path, output.spare).write(*text);
    if (output.option == kTrace) waveform = &files.front();
  }
  std::vector<std::string> names = pack_and_place(options, configuration, files, waveform);
  if (options.json == "-") std::cout << result << std::flush;
  return names;
}

void print_deadlock(const Measurement& measurement) {
  if (!measurement.deadlock_cycle.empty()) {
    std::cerr << "deadlock in cycle " << measurement.cycles << ":\n"
              << to_text(measurement.deadlock_cycle);
  } else if (measurement.verdict.status == Status::kDeadlock) {
    std::cerr << "deadlock: packets are due and nothing has moved for long by cycle "
              << measurement.cycles << "; larger buffers may help\n";
  }
}

int exit_code(const Measurement& measurement) {
  const Status status = measurement.verdict.status;
  if (status == Status::kOk) return kDone;
  if (status == Status::kDeadlock) return kDeadlocked;
  return status == Status::kStopped ? kStoppedBySignal + StopSignal::received() : kNotConverged;
}

// The address and thread sanitizers also check the destruction of every module.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kTearDown = true;
#elif defined(__has_feature)
constexpr bool kTearDown = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kTearDown = false;
#endif

/// The monitoring that options ask for.
std::optional<MonitorPlan> monitor_for(const RunOptions& options,
                                       const Configuration& configuration, const Model& model) {
  if (options.flit_log.empty() && options.timeline.empty()) return std::nullopt;
  const Implementation& implementation = *model.network.implementation;
  if (!implementation.has_flits) {
    throw ConfigError(configuration.section("run").problem(
        "level", "there are no flits for --flit-log and --timeline",
        "leave them out, or set " + implementation.instead));
  }
  return monitor_plan(trace_of(configuration, *model.network.topology), model.topology());
}

// A finite workload may end before the waveform begins.
bool lacks_waveform(const Model& model, const Measurement& measurement) {
  const auto& trace = model.network.trace;
  return trace && measurement.cycles <= index(trace->from);
}

void print_notes(const Model& model, const Measurement& measurement) {
  std::vector<std::string> notes = measurement.verdict.notes;
  if (lacks_waveform(model, measurement)) {
    notes.push_back(
        fmt::format("there is no waveform: the run ended after {} cycles, before trace.from, {}",
                    measurement.cycles, index(model.network.trace->from)));
  }
  const auto& monitored = measurement.monitored;
  if (monitored && monitored->cut_off) {
    notes.push_back(fmt::format(
        "what is watched ends in cycle {}: with trace.signals or trace.to there is less",
        index(monitored->end)));
  }
  for (const std::string& note : notes) std::cerr << "note: " << note << '\n';
}

/// Opens the file of the waveform of wires, which the network writes.
void place_trace(const std::vector<Output>& outputs, std::list<OutputFile>& files, Model& model) {
  if (!model.network.implementation->has_signals) return;
  for (const Output& output : outputs) {
    if (output.option != kTrace) continue;
    SetupWatch::make_unfinished([&] {
      model.network.trace->file = files.emplace_front(output.path, output.spare).draft();
      return files.front().draft().c_str();
    });
  }
}

/// Completes the waveform of wires, which a network writes until it ends.
void end_trace(const Model& model, std::list<OutputFile>& files, Measurement& measurement) {
  if (files.empty()) return;
  measurement.network.reset();
  if (lacks_waveform(model, measurement)) files.clear();
}

/// The completion cycle of an experiment, run without files and progress; absent if it has none.
std::optional<std::uint64_t> completion_of(const RunOptions& options,
                                           const Configuration& configuration) {
  const Model model = make_model(configuration, options.unsafe, memory_limit(options.memory_limit));
  const Measurement measurement =
      measure(model, measurement_plan(configuration), [](const auto&, auto, auto) {});
  if (!measurement.complete()) return std::nullopt;
  return model.workload->completion_cycle(measurement.packets->last_arrival());
}

}  // namespace

int run_experiment(const RunOptions& options, const Configuration& configuration,
                   const std::vector<Output>& outputs, const Configuration* flows, Model* like) {
  const auto flow_cycles = flows == nullptr ? std::nullopt : completion_of(options, *flows);
  std::list<OutputFile> files;  // Outlives `setup`, which removes an unfinished file.
  const MemoryLimit limit = memory_limit(options.memory_limit);
  std::optional<SetupWatch> setup(std::in_place, options.quiet, limit);
  Model model = make_model(configuration, options.unsafe, limit, like);
  setup.emplace(true, limit);  // Shows no progress, which would mix with the notes that follow.
  if (!options.unsafe && like == nullptr) refuse_deadlock(model, configuration);
  note_replaced_result(options, configuration);
  note_idle_keys(options, configuration, model);
  place_trace(outputs, files, model);
  MeasurementPlan plan = measurement_plan(configuration);
  plan.packet_log = !options.packet_log.empty();
  plan.monitor = monitor_for(options, configuration, model);

  const Clock::time_point start = Clock::now();
  std::optional<StopSignal> stop;
  Measurement measurement = [&] {
    Progress progress(options.quiet);
    return measure(model, plan,
                   [&](const std::string& phase, std::uint64_t done, std::uint64_t planned) {
                     // The first report comes when the network is built. Signals are blocked until
                     // `setup` ends, so that none comes before `stop` awaits it.
                     if (!stop) stop.emplace();
                     setup.reset();
                     progress.show(phase, done, planned, "cycles");
                   });
  }();
  const std::chrono::duration<double> elapsed = Clock::now() - start;

  end_trace(model, files, measurement);
  measurement.flow_cycles = flow_cycles;
  const ordered_json result = to_json(measurement, configuration, model, elapsed.count());
  const std::vector<std::string> names =
      write_result(options, configuration, outputs, files, measurement, result.dump(2) + "\n");
  print_deadlock(measurement);
  if (!options.quiet) {
    print_notes(model, measurement);
    (options.json == "-" ? std::cerr : std::cout)
        << summary(result, measurement, configuration, model) << files_line(names) << std::flush;
  }
  // The SystemC kernel searches the list of all modules for each module destroyed, so destroying a
  // large network would take longer than running it. The end of the process frees its memory at
  // once.
  if (!kTearDown) static_cast<void>(measurement.network.release());
  return exit_code(measurement);
}

}  // namespace flitcast
