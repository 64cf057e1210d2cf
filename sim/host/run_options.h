// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flitcast {

/// The command-line options for one experiment.
struct ExperimentOptions {
  std::string file;
  std::vector<std::string> overrides;         ///< "a.b=value".
  std::optional<std::uint64_t> memory_limit;  ///< Limit on the memory of the run, in bytes.
  bool unsafe = false;                        ///< Run even if the routing can deadlock.
  bool quiet = false;                         ///< Print neither progress nor summary.
};

struct RunOptions : ExperimentOptions {
  std::optional<std::size_t> point;  ///< Point of the sweep, from 0.
  std::string points;                ///< Some points of the sweep, "0-3,7"; empty: all.
  std::string rerun;                 ///< "failed": rerun failed points.
  std::string out;                   ///< Folder for the result, or empty.
  std::string json;                  ///< File for the result, "-" for standard output, or empty.
  std::string packet_log;            ///< CSV file with a row per packet, or empty.
  std::string flit_log;              ///< CSV file with a row per flit and buffer, or empty.
  std::string timeline;              ///< File with trace events, or empty.
  bool both = false;                 ///< Run at the flow level, too.
  bool fst = false;                  ///< The waveform is packed as FST.
};

}  // namespace flitcast
