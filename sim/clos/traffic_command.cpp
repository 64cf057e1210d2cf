// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <list>

#include "clos/multirate/multirate_traffic.h"
#include "clos/trace.h"
#include "clos/traffic.h"
#include "sim/clos/command.h"
#include "sim/host/output_file.h"
#include "sim/host/process.h"

namespace flitcast {
namespace {

struct TrafficOptions : PrintOptions {
  ClosSizes sizes;
  ClosAdmissionOptions control;
  std::uint64_t seed = 1;
  std::uint64_t events = 10000;
  std::uint64_t fan_out = 0;
  std::uint64_t connect_percent = 75;
  std::uint64_t last_m = 0;    ///< The last m of a curve that starts at m; 0: m alone.
  std::uint64_t capacity = 0;  ///< W of multirate traffic; 0: single rate.
  std::uint64_t least_weight = 1;
  std::uint64_t most_weight = 0;  ///< 0: the capacity.
  std::string trace;              ///< File for the events; "-": standard output.
};

clos::RequestParams request_params(const TrafficOptions& options,
                                   const clos::Structure& structure) {
  require_fan_out("--fmax", options.fan_out, structure);
  clos::RequestParams params;
  params.seed = options.seed;
  params.most_fan_out = static_cast<std::uint32_t>(options.fan_out);
  params.connect_percent = static_cast<std::uint32_t>(options.connect_percent);
  return params;
}

ordered_json counts_json(const clos::Structure& structure, const clos::TrafficCounts& counts) {
  const double share = counts.requests == 0 ? 0.0
                                            : static_cast<double>(counts.blocked) /
                                                  static_cast<double>(counts.requests);
  return {{"m", structure.m},
          {"requests", counts.requests},
          {"blocked", counts.blocked},
          {"blocking_probability", share},
          {"maxpass", counts.most_passes}};
}

/// Thrown when a signal (StopSignal) stops the run.
struct Stopped {};

/// The number of events between two checks for a signal.
constexpr std::uint64_t kEventsAtATime = 10'000;

/// Runs all events in parts, and checks the state of the control after them; `run` gets the number
/// of events of each part.
template <class Control, class Run>
ordered_json run_unless_stopped(const clos::Structure& structure, const TrafficOptions& options,
                                Control& control, Run run) {
  clos::TrafficCounts total;
  for (std::uint64_t left = options.events; left > 0;) {
    if (StopSignal::received() != 0) throw Stopped{};
    const std::uint64_t part_size = std::min(left, kEventsAtATime);
    const clos::TrafficCounts part = run(part_size);
    total.requests += part.requests;
    total.blocked += part.blocked;
    total.most_passes = std::max(total.most_passes, part.most_passes);
    left -= part_size;
  }
  control.state().verify();
  return counts_json(structure, total);
}

/// Receives the lines of a trace one by one; null if no trace is written.
using TraceSink = std::function<void(const std::string& line)>;

ordered_json single_rate(const clos::Structure& structure, const TrafficOptions& options,
                         const TraceSink& trace) {
  clos::ConnectionAdmission control = make_control(structure, options.control, options.seed);
  clos::RequestGenerator generator(structure, request_params(options, structure));
  clos::TraceHash hash;
  const clos::EventSink sink = [&](const clos::Event& event) {
    hash.add(event);
    if (trace) trace(hash.line());
  };
  ordered_json json = run_unless_stopped(structure, options, control, [&](std::uint64_t events) {
    return clos::run_traffic(control, generator, events, sink);
  });
  json["hash"] = fmt::format("{:016x}", hash.value());
  json["M"] = destination_sets_of(control.state());
  return json;
}

ordered_json multirate(const clos::Structure& structure, const TrafficOptions& options) {
  const clos::WeightRange weights{static_cast<clos::Weight>(options.capacity),
                                  static_cast<clos::Weight>(options.least_weight)};
  clos::MultirateAdmission control =
      make_multirate_control(structure, weights, options.control, options.seed);
  clos::MultirateRequestGenerator generator(
      structure, weights,
      {request_params(options, structure), static_cast<clos::Weight>(options.most_weight)});
  ordered_json json = run_unless_stopped(structure, options, control, [&](std::uint64_t events) {
    return clos::run_multirate_traffic(control, generator, events);
  });
  json["l2sum"] = control.state().loads().output_link_sum();
  return json;
}

std::vector<clos::Structure> points_of(const TrafficOptions& options) {
  std::vector<clos::Structure> points;
  ClosSizes sizes = options.sizes;
  const std::uint64_t last = std::max(options.last_m, sizes.m);
  if (options.last_m != 0 && options.last_m < sizes.m) {
    fail({}, fmt::format("--to is {}, below --m", options.last_m), "give a larger one");
  }
  for (; sizes.m <= last; ++sizes.m) points.push_back(structure_of(sizes));
  return points;
}

void require_sound(const TrafficOptions& options) {
  if (options.capacity == 0 && (options.least_weight != 1 || options.most_weight != 0)) {
    fail({}, "--bmin and --wmax are weights of multirate traffic", "give --capacity, too");
  }
  if (options.trace.empty()) return;
  if (options.capacity != 0) {
    fail({}, "multirate traffic has no trace", "leave out --trace or --capacity");
  }
  if (options.last_m != 0) fail({}, "a curve has no trace", "leave out --trace or --to");
  if (options.trace == "-" && options.json) {
    fail({}, "--trace - and --json both want standard output", "give --trace a file");
  }
}

void print_traffic(const ordered_json& result) {
  std::cout << fmt::format("{:>8} {:>12} {:>12} {:>10} {:>8}  {}\n", "m", "requests", "blocked",
                           "share", "maxpass", "trace hash");
  for (const ordered_json& point : result.at("points")) {
    std::cout << fmt::format("{:>8} {:>12} {:>12} {:>10.3g} {:>8}  {}\n", cell(point, "m"),
                             cell(point, "requests"), cell(point, "blocked"),
                             point.at("blocking_probability").get<double>(), cell(point, "maxpass"),
                             cell(point, "hash"));
  }
}

/// Runs the points of the curve; after a signal it returns the complete points.
ordered_json run_points(const TrafficOptions& options, const TraceSink& trace) {
  ordered_json result{{"status", "ok"},
                      {"strategy", options.control.strategy},
                      {"seed", options.seed},
                      {"events", options.events}};
  result["points"] = ordered_json::array();
  const std::vector<clos::Structure> points = points_of(options);
  try {
    for (const clos::Structure& structure : points) {
      result["points"].push_back(options.capacity != 0 ? multirate(structure, options)
                                                       : single_rate(structure, options, trace));
    }
  } catch (const Stopped&) {
    result["status"] = "stopped";
    std::cerr << fmt::format("flitcast: stopped by a signal after {} of {} points\n",
                             result["points"].size(), points.size());
  }
  return result;
}

/// Runs the points and writes the file of the trace; after a signal no file is written.
ordered_json run_into_file(const TrafficOptions& options) {
  std::list<OutputFile> file;
  file.emplace_back(options.trace);
  ordered_json result =
      run_points(options, [&file](const std::string& line) { file.front().write(line); });
  if (StopSignal::received() == 0) put_in_place(file);
  return result;
}

int traffic_command(const TrafficOptions& options) {
  require_sound(options);
  if (!options.trace.empty() && options.trace != "-") {
    require_writable({{"--trace", options.trace}}, {});
  }
  const StopSignal stop;
  if (options.trace == "-") {
    run_points(options, [](const std::string& line) { std::cout << line; });
  } else {
    const ordered_json result =
        options.trace.empty() ? run_points(options, nullptr) : run_into_file(options);
    print(options.json, result, [&] { print_traffic(result); });
  }
  return StopSignal::received() == 0 ? kDone : kStoppedBySignal + StopSignal::received();
}

void add_traffic_flags(CLI::App& command, TrafficOptions& traffic) {
  add_sizes(command, traffic.sizes);
  add_number(command, "--m", traffic.sizes.m, "Middle switches");
  add_number(command, "--to", traffic.last_m, "Last m of a curve that begins at --m");
  add_control(command, traffic.control);
  add_number(command, "--seed", traffic.seed, "Seed of the random numbers");
  add_number(command, "--events", traffic.events, "Connects and disconnects", 1);
  add_number(command, "--fmax", traffic.fan_out, "Most output switches of a request; 0: all");
  add_number(command, "--pconn", traffic.connect_percent, "Per cent of events that connect", 0,
             100);
  add_number(command, "--capacity", traffic.capacity,
             "Multirate: the capacity of a link in units of weight", 1, 1 << 30);
  add_number(command, "--bmin", traffic.least_weight, "Least weight of a connection", 1, 1 << 30);
  add_number(command, "--wmax", traffic.most_weight, "Largest weight; 0: the capacity", 0, 1 << 30);
  command.add_option("--trace", traffic.trace, "File for the events; - for standard output")
      ->option_text("OUT")
      ->check(fault_of_file_name);
}

}  // namespace

Command clos_traffic() {
  return {"traffic", "Random requests, and how many are blocked",
          declare<TrafficOptions, add_traffic_flags, traffic_command>};
}

}  // namespace flitcast
