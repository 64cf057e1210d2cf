// SPDX-License-Identifier: Apache-2.0
// A user's trace format: four numbers a line and nothing else.
#include <sstream>

#include "extension.h"

namespace {

using namespace flitcast;

/// Lines "CYCLE SOURCE DESTINATION FLITS".
Trace read_plain(const std::string& path, const Section& workload) {
  TraceBuilder builder(path, Trace::Unit::kLine);
  const auto in = open_trace_file(path, workload);
  std::string line;
  for (std::uint64_t number = 1; std::getline(*in, line); ++number) {
    std::istringstream words(line);
    std::uint64_t cycle = 0;
    std::uint32_t source = 0, destination = 0, flits = 0;
    if (!(words >> cycle >> source >> destination >> flits) || flits == 0) {
      throw ConfigError(trace_problem(path, Trace::Unit::kLine, number, "", "no packet",
                                      "write CYCLE SOURCE DESTINATION FLITS"));
    }
    builder.add(number, {Cycle{cycle}, NodeId{source}, NodeId{destination}, flits, 0, 0, number});
  }
  return builder.finish("");
}

}  // namespace

flitcast::TraceFormatEntry plain_trace_format() {
  return {"plain",
          "four numbers a line: cycle source destination flits",
          {},
          read_plain,
          {"file: packets.txt"}};
}
