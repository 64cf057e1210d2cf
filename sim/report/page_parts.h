// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast {

// The files of sim/report/page, and the library that draws charts, which the build makes part of
// the program (scripts/cmake/flitcast_embed.cmake).

extern const char* const kPageHtml;  ///< With /*STYLE*/, /*DATA*/, /*LIBRARY*/ and /*SCRIPT*/.
extern const char* const kPageCss;
extern const char* const kChartsJs;
extern const char* const kNetworkJs;
extern const char* const kPageJs;
/// Chart.js, under the MIT licence that stands at its beginning.
extern const char* const kChartLibraryJs;

}  // namespace flitcast
