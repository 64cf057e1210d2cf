// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace flitcast {

/// The sizes of a Clos network as the user gives them: symmetric by n and r, or one by one. Sizes
/// are read as wide numbers so that too large ones are refused and not cut off.
struct ClosSizes {
  std::uint64_t n = 0;
  std::uint64_t r = 0;
  std::uint64_t m = 0;
  std::uint64_t n1 = 0, r1 = 0, n2 = 0, r2 = 0;  ///< 0: n or r.
};

struct ClosBoundOptions {
  ClosSizes sizes;
  std::uint64_t fan_out = 0;  ///< Most output switches of a connection; 0: all.
  std::string rate;           ///< Least rate of a connection, "1/2"; empty: single rate.
  bool json = false;
};

struct ClosDesignOptions {
  std::uint64_t ports = 0;
  std::uint64_t fan_out = 0;  ///< Most outputs of a connection; 0: all.
  std::string rate;
  std::uint64_t most = 20;  ///< Lines of the table.
  bool json = false;
};

struct ClosCrosspointOptions {
  std::uint64_t ports = 0;
  std::size_t k = 3;  ///< Up to so many levels.
  std::string rule = "thm3";
  bool json = false;
};

/// Who decides on requests.
struct ClosControlOptions {
  std::string strategy = "S1";
  std::uint64_t pass_limit = 0;
  std::string candidates = "all";
  std::string join = "incremental";
};

struct ClosRouteOptions {
  ClosSizes sizes;
  ClosControlOptions control;
  std::uint64_t seed = 1;
  std::string events;  ///< Text of a trace; outcomes may be left out.
  std::string file;    ///< The same in a file; "-": standard input.
  bool json = false;
};

struct ClosTrafficOptions {
  ClosSizes sizes;
  ClosControlOptions control;
  std::uint64_t seed = 1;
  std::uint64_t events = 10000;
  std::uint64_t fan_out = 0;
  std::uint64_t connect_percent = 75;
  std::uint64_t last_m = 0;    ///< A curve from m to here; 0: m alone.
  std::uint64_t capacity = 0;  ///< W of multirate traffic; 0: single rate.
  std::uint64_t least_weight = 1;
  std::uint64_t most_weight = 0;  ///< 0: the capacity.
  std::string trace;              ///< File for the events; "-": standard output.
  bool json = false;
};

struct ClosMinimumOptions {
  ClosSizes sizes;  ///< Its m: where to begin; 0: at n.
  std::string strategy = "S1";
  std::uint64_t most_states = 0;  ///< 0: no limit.
  std::uint64_t memory_mib = 8192;
  std::uint64_t seconds = 0;  ///< For each m; 0: no limit.
  bool json = false;
};

// Each prints its table, or JSON, to standard output and returns the exit code; throws ConfigError
// for bad input.
int clos_bound_command(const ClosBoundOptions& options);
int clos_designs_command(const ClosDesignOptions& options);
int clos_crosspoints_command(const ClosCrosspointOptions& options);
int clos_route_command(const ClosRouteOptions& options);
int clos_traffic_command(const ClosTrafficOptions& options);
int clos_minimum_command(const ClosMinimumOptions& options);

}  // namespace flitcast
