// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/sweep/merged_table.h"

namespace flitcast {

/// The results that a report compares.
struct ReportRuns {
  std::string title;
  std::vector<std::string> keys;  ///< Keys in which the results differ, slowest first.
  std::vector<PointResult> results;
  std::size_t points = 0;  ///< Includes points without a result.
  /// The goals and the sets of `flitcast optimise`, as in pareto.json, and the `title` of its
  /// sweep.
  std::vector<ordered_json> optima{};
};

/// Reads the results at some paths, and notes damaged ones on standard error:
///  - the folder of a sweep: the points that have a result;
///  - another folder: every result in it, by the names of the files; they differ in all keys of
///    their configurations that are not the same;
///  - the file of a result.
/// The keys of results of several paths are the sections that sweeps label, then all keys in which
/// the configurations differ. Throws ConfigError with all paths that hold no result, are named
/// twice, or have no kind of run in common with the first path.
ReportRuns read_runs(const std::vector<std::string>& paths);

/// The data of a page:
///
///   title, version, points, missing, keys    as in the description of a sweep
///   columns, rows, figures                   the table of `collect`; what its figures mean
///   one_in                                   1: rows has all runs; n: it has every n-th run, since
///                                            the page would be too large
///   config                                   of the first run
///   optima                                   as in ReportRuns
///   layouts                                  topologies: name, routers [x, y], links, which are
///                                            [0, from, port, to], [1, node, to], [2, node, from,
///                                            port]
///   runs                                     drawings of single runs: label, layout, loads (of its
///                                            links), histogram, series, link_series (flits of
///                                            every link in every span), distances
///   without_details                          number of runs without such drawings, which would
///                                            make the page too large
ordered_json report_data(const ReportRuns& runs);

/// The page: one HTML file that needs nothing else, with the library that draws the charts in it.
std::string report_page(const ordered_json& data);

// The files of sim/report/page, and the library that draws charts, which the build makes part of
// the program (scripts/cmake/flitcast_embed.cmake).

extern const char* const kPageHtml;  ///< With /*STYLE*/, /*DATA*/, /*LIBRARY*/ and /*SCRIPT*/.
extern const char* const kPageCss;
extern const char* const kDrawingJs;
extern const char* const kChartsJs;
extern const char* const kParetoJs;
extern const char* const kNetworkJs;
extern const char* const kPageJs;
/// Chart.js, under the MIT licence that stands at its beginning.
extern const char* const kChartLibraryJs;

}  // namespace flitcast
