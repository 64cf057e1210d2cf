// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <systemc>

namespace flitcast::pins {

/// A module with a process for the rising edges of its clock.
class Clocked : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  /// Synchronous, active low.
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

 protected:
  explicit Clocked(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Clocked);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }

  virtual void on_clock() = 0;
};

/// Does a process's work of a cycle. What it throws is reported as an SC_ERROR of the module, with
/// the cycle: the kernel would lose the message of any exception but its own.
template <class Work>
void do_reporting(const sc_core::sc_object& module, std::uint64_t cycle, Work&& work) {
  try {
    work();
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const std::exception& error) {
    SC_REPORT_ERROR(module.name(), fmt::format("{}, cycle {}", error.what(), cycle).c_str());
  }
}

/// What `make` returns, for a member of a module. What it throws is reported as an SC_ERROR of the
/// module, and thrown on should the kernel not have thrown the report.
template <class Make>
auto make_reporting(const sc_core::sc_object& module, Make&& make) -> decltype(make()) {
  try {
    return make();
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const std::exception& error) {
    SC_REPORT_ERROR(module.name(), error.what());
    throw;
  }
}

}  // namespace flitcast::pins
