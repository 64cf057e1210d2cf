// SPDX-License-Identifier: Apache-2.0
#include "traffic/chakra_folder.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "config/wording.h"

namespace flitcast {
namespace {

namespace fs = std::filesystem;

/// A file of a rank: "ring.12.et".
struct RankFile {
  std::string name;
  std::uint32_t rank = 0;
};

std::optional<RankFile> rank_file(const fs::path& file) {
  const fs::path numbered = file.stem();
  const std::string dot_rank = numbered.extension();
  if (file.extension() != kChakraEnding || dot_rank.size() < 2) return std::nullopt;
  const auto rank = number_in<std::uint32_t>(dot_rank.substr(1));
  if (!rank) return std::nullopt;
  return RankFile{numbered.stem(), *rank};
}

using Ranks = std::multimap<std::uint32_t, std::string>;

/// The files of every trace in the folder, by the name of the trace.
std::map<std::string, Ranks> traces_in(const fs::path& folder) {
  std::map<std::string, Ranks> traces;
  std::error_code ignored;  // Entries that cannot be examined are skipped.
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const auto file = rank_file(entry.path().filename());
    if (file) traces[file->name].emplace(file->rank, entry.path());
  }
  return traces;
}

std::string missing_ranks(std::uint32_t from, std::uint32_t to) {
  if (from + 1 == to) return fmt::format("rank {} is missing", from);
  return fmt::format("ranks {} to {} are missing", from, to - 1);
}

/// The files in the order of their ranks, which must be 0, 1, 2, ...
std::vector<std::string> in_order(const Ranks& ranks, const Section& workload) {
  std::vector<std::string> files;
  ProblemList problems;
  std::uint32_t next = 0;
  for (const auto& [rank, file] : ranks) {
    if (rank < next) {
      problems.add(workload.problem("file", fmt::format("{} is rank {} again", quoted(file), rank),
                                    "remove one of its files"));
    } else if (rank > next) {
      problems.add(workload.problem(
          "file", fmt::format("{} although there is {}", missing_ranks(next, rank), quoted(file)),
          "give every rank its file, from 0 up"));
    }
    next = rank + 1;
    files.push_back(file);
  }
  problems.throw_if_any();
  return files;
}

}  // namespace

std::vector<std::string> chakra_files(const std::string& path, const Section& workload) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  std::map<std::string, Ranks> traces = traces_in(folder);
  if (!is_folder) {
    const std::string name = fs::path(path).filename();
    const Ranks chosen = traces[name];
    traces.clear();
    if (!chosen.empty()) traces[name] = chosen;
  }
  if (traces.empty()) {
    workload.fail("file", quoted(path) + " leads to no files NAME.RANK.et",
                  "name their folder, or folder/NAME");
  }
  if (traces.size() > 1) {
    workload.fail("file",
                  fmt::format("{} holds several traces, of {} and {}", quoted(path),
                              quoted(traces.begin()->first), quoted(traces.rbegin()->first)),
                  fmt::format("name one of them: {}", (folder / traces.begin()->first).string()));
  }
  return in_order(traces.begin()->second, workload);
}

}  // namespace flitcast
