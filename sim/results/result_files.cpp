// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/sequences.h"
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

/// True if the file exists and is not a result of this configuration.
bool holds_another(const std::string& path, const Configuration& configuration) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) return false;
  const ordered_json result = read_json(path).value_or(nullptr);
  return !result.is_object() || result.value("id", ordered_json()) != configuration.id();
}

/// An output of the folder: OUT/NAME.TYPE, or OUT/NAME-ID.TYPE if the outputs of another
/// configuration have that name.
Output output_in_folder(const char* option, const RunOptions& options,
                        const Configuration& configuration, const std::string& type = "json") {
  return {option, plain_file(options, configuration, "", type),
          plain_file(options, configuration, "-" + configuration.id(), type)};
}

/// The files of the result, in addition to standard output.
std::vector<Output> result_files(const RunOptions& options, const Configuration& configuration) {
  std::vector<Output> files;
  if (!options.json.empty() && options.json != "-") {
    files.push_back({"--json", options.json});
  }
  if (!options.out.empty() || options.json.empty()) {
    files.push_back(output_in_folder(kOut, options, configuration));
  }
  return files;
}

/// True if the outputs of the folder are those of another configuration. A waveform without a
/// result does not identify its configuration.
bool are_of_another(const std::string& result, const std::list<OutputFile>& files,
                    const Configuration& configuration) {
  if (std::filesystem::exists(result)) return holds_another(result, configuration);
  return any_of(files, [](const OutputFile& file) {
    return !file.spare().empty() && std::filesystem::exists(file.path());
  });
}

}  // namespace

std::string csv_cell(std::string text) {
  constexpr const char* kBeginFormulas = "=+-@\t\r";
  if (text.find_first_of(kBeginFormulas) == 0) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  return '"' + all_replaced(text, "\"", "\"\"") + '"';
}

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
    outputs.push_back(output_in_folder(kTrace, options, configuration, waveform_type(options)));
  } else if (options.fst) {
    fail_option("--fst", "there is no waveform to pack", "name routers in trace.signals");
  }
  if (options.fst) require_packer();
  require_writable(outputs, configuration.input_files());
  return outputs;
}

std::string files_line(const std::vector<std::string>& files) {
  if (files.empty()) return "";
  return fmt::format("  {:<10} {}\n", "files", joined(mapped(files, visible)));
}

std::vector<std::string> put_in_place(const RunOptions& options, const Configuration& configuration,
                                      std::list<OutputFile>& files) {
  const std::string result = plain_file(options, configuration);
  put_in_place(files, [&] { return are_of_another(result, files, configuration); });
  std::vector<std::string> names;
  for (auto file = files.rbegin(); file != files.rend(); ++file) names.push_back(file->path());
  const auto moved = std::find_if(files.rbegin(), files.rend(), [](const OutputFile& file) {
    return !file.spare().empty() && file.path() == file.spare();
  });
  if (!options.quiet && moved != files.rend()) {
    std::cerr << fmt::format("note: the result goes to {}; {} is of another configuration\n",
                             visible(moved->path()), visible(result));
  }
  return names;
}

void note_replaced_result(const RunOptions& options, const Configuration& configuration) {
  if (options.quiet || options.json == "-" || !holds_another(options.json, configuration)) return;
  std::cerr << fmt::format("note: {} is of another configuration and will be replaced\n",
                           visible(options.json));
}

}  // namespace flitcast
