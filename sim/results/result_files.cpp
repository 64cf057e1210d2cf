// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "config/wording.h"
#include "sim/host/output_file.h"
#include "sim/results/result.h"

namespace flitcast {
namespace {

constexpr const char* kOut = "--out";

/// OUT/NAME.json, OUT/NAME-3.json for point 3 of a sweep.
std::string plain_file(const RunOptions& options, const Configuration& configuration,
                       const std::string& suffix = "", const std::string& type = "json") {
  return fmt::format("{}/{}{}{}.{}", options.out.empty() ? "out" : options.out,
                     configuration.name(), options.point ? fmt::format("-{}", *options.point) : "",
                     suffix, type);
}

/// True if there is a file that is no result of this configuration, but of another or none at all.
bool holds_another(const std::string& path, const Configuration& configuration) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) return false;
  const ordered_json result = read_json(path).value_or(nullptr);
  return !result.is_object() || result.value("id", ordered_json()) != configuration.id();
}

/// The plain file, unless a result of another configuration is there, which stays: then
/// OUT/NAME-ID.json.
std::string file_in_folder(const RunOptions& options, const Configuration& configuration) {
  std::string file = plain_file(options, configuration);
  if (!holds_another(file, configuration)) return file;
  return plain_file(options, configuration, "-" + configuration.id());
}

/// Where the result goes besides standard output.
std::vector<Output> result_files(const RunOptions& options, const Configuration& configuration) {
  std::vector<Output> files;
  if (!options.json.empty() && options.json != "-") {
    files.push_back({"--json", options.json});
  }
  if (!options.out.empty() || options.json.empty()) {
    files.push_back({kOut, file_in_folder(options, configuration)});
  }
  return files;
}

}  // namespace

bool has_waveform(const Configuration& configuration) {
  return !configuration.section("trace").texts("signals").empty();
}

std::string waveform_type(const RunOptions& options) { return options.fst ? "fst" : "vcd"; }

std::vector<Output> outputs_of(const RunOptions& options, const Configuration& configuration) {
  std::vector<Output> outputs = result_files(options, configuration);
  if (!options.packet_log.empty()) outputs.push_back({kPacketLog, options.packet_log});
  if (!options.flit_log.empty()) outputs.push_back({kFlitLog, options.flit_log});
  if (!options.timeline.empty()) outputs.push_back({kTimeline, options.timeline});
  if (has_waveform(configuration)) {
    outputs.push_back({kTrace, plain_file(options, configuration, "", waveform_type(options))});
  } else if (options.fst) {
    fail_option("--fst", "there is no waveform to pack", "name routers in trace.signals");
  }
  if (options.fst) require_packer();
  require_writable(outputs, configuration.input_files());
  return outputs;
}

std::vector<Output> without_waveform(std::vector<Output> outputs) {
  const auto waveform = [](const Output& output) { return output.option == kTrace; };
  outputs.erase(std::remove_if(outputs.begin(), outputs.end(), waveform), outputs.end());
  return outputs;
}

std::string files_line(const std::vector<Output>& outputs) {
  if (outputs.empty()) return "";
  std::vector<std::string> names;
  for (const Output& output : outputs) names.push_back(visible(output.path));
  return fmt::format("  {:<10} {}\n", "files", fmt::join(names, ", "));
}

void note_other_results(const RunOptions& options, const Configuration& configuration,
                        const std::vector<Output>& outputs) {
  if (options.quiet) return;
  for (const Output& output : outputs) {
    if (output.option != kOut && output.option != "--json") continue;
    if (output.option == kOut && output.path != plain_file(options, configuration)) {
      std::cerr << fmt::format("note: the result goes to {}; {} is of another configuration\n",
                               visible(output.path), visible(plain_file(options, configuration)));
    } else if (holds_another(output.path, configuration)) {
      std::cerr << fmt::format("note: {} is of another configuration and will be replaced\n",
                               visible(output.path));
    }
  }
}

}  // namespace flitcast
