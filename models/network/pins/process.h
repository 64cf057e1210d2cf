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

/// Does the work of a process in a cycle. An exception is reported as an SC_ERROR of the module,
/// with the cycle, because the kernel would lose the message of any exception except its own.
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

/// Returns make(), for a member of a module. An exception is reported as an SC_ERROR of the module,
/// and rethrown if the report does not throw.
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
