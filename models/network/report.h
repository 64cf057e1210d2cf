// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>

namespace flitcast {

/// Reports an SC_ERROR with the id "/flitcast/" + rule, by which sc_report_handler can count,
/// silence or stop at one kind of fault.
/// @param rule    "AREA/RULE"; scripts/site/text/guide/reports.md explains every one.
/// @param module  Its full name, with which the text begins.
inline void report_error(const std::string& rule, const char* module, const std::string& text,
                         const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  sc_core::sc_report_handler::report(sc_core::SC_ERROR, ("/flitcast/" + rule).c_str(),
                                     (module + (": " + text)).c_str(), file, line);
}

}  // namespace flitcast
