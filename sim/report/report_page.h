// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/report/report_runs.h"

namespace flitcast {

/// What a page shows of runs:
///
///   title, version, points, missing, keys    as in the description of a sweep
///   columns, rows, figures                   the table of `collect`; what its figures mean
///   one_in                                   1: rows has all runs; else one in so many, as the
///                                            page would be too large
///   config                                   of the first run
///   layouts                                  topologies: name, routers [x, y], links, which are
///                                            [0, from, port, to], [1, node, to], [2, node, from,
///                                            port]
///   runs                                     what is drawn of single runs: label, layout, loads
///   (of
///                                            its links), histogram, series, link_series (flits of
///                                            every link in every span), distances
///   without_details                          how many runs have no such drawings, as the page
///   would
///                                            be too large
nlohmann::ordered_json report_data(const ReportRuns& runs);

/// The page: one HTML file that needs nothing else, with the library that draws the charts in it.
std::string report_page(const nlohmann::ordered_json& data);

}  // namespace flitcast
