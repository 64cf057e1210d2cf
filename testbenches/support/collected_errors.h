// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <vector>

namespace flitcast::testing {

/// Collects the errors that are reported to the kernel. While an object of this class exists,
/// errors do not throw.
class CollectedErrors {
 public:
  CollectedErrors() {
    texts().clear();
    sc_core::sc_report_handler::set_handler(&collect);
  }
  ~CollectedErrors() { sc_core::sc_report_handler::set_handler(nullptr); }
  CollectedErrors(const CollectedErrors&) = delete;
  CollectedErrors& operator=(const CollectedErrors&) = delete;

  /// "module: text" of every error, in the order of the reports.
  static std::vector<std::string>& texts() {
    static std::vector<std::string> all;
    return all;
  }

 private:
  static void collect(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() != sc_core::SC_ERROR) {
      return sc_core::sc_report_handler::default_handler(report, actions);
    }
    texts().push_back(std::string(report.get_msg_type()) + ": " + report.get_msg());
  }
};

}  // namespace flitcast::testing
