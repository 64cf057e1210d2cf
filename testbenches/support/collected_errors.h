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

  /// The texts of all errors, in the order of the reports; those of flitcast are "module: text".
  static std::vector<std::string>& texts() {
    static std::vector<std::string> all;
    return all;
  }

 private:
  static void collect(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() != sc_core::SC_ERROR) {
      return sc_core::sc_report_handler::default_handler(report, actions);
    }
    texts().emplace_back(report.get_msg());
  }
};

/// Counts the reports of one id, and silences them while the object exists.
class Silenced {
 public:
  explicit Silenced(const char* id) : id_(id), before_(sc_core::sc_report_handler::get_count(id)) {
    sc_core::sc_report_handler::set_actions(id, sc_core::SC_DO_NOTHING);
  }
  ~Silenced() { sc_core::sc_report_handler::set_actions(id_, sc_core::SC_UNSPECIFIED); }
  Silenced(const Silenced&) = delete;
  Silenced& operator=(const Silenced&) = delete;

  int count() const { return sc_core::sc_report_handler::get_count(id_) - before_; }

 private:
  const char* const id_;
  const int before_;
};

}  // namespace flitcast::testing
