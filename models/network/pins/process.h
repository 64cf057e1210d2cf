// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <systemc>

#include "network/report.h"

namespace flitcast::pins {

/// Calls work(), which does the work of a process in a cycle. An exception is reported as an
/// error of the module by `rule`, with the cycle, because the kernel would lose the message of any
/// exception except its own. Returns false after an exception whose report does not throw.
template <class Work>
bool do_reporting(const char* rule, sc_core::sc_object& module, std::uint64_t cycle, Work&& work) {
  try {
    work();
    return true;
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const std::exception& error) {
    report_error(rule, module.name(), fmt::format("{}, cycle {}", error.what(), cycle));
  }
  return false;
}

/// A module with a process for the rising edges of its clock. The module counts either all edges or
/// only the edges out of reset.
class Clocked : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  /// Synchronous, active low.
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

 protected:
  enum class Counted { kAllEdges, kOutOfReset };

  explicit Clocked(const sc_core::sc_module_name& name, Counted counted = Counted::kAllEdges)
      : sc_module(name), counts_reset_(counted == Counted::kAllEdges) {
    SC_HAS_PROCESS(Clocked);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }

  /// The work at an edge out of reset; do_reporting() reports its exceptions.
  virtual void tick() = 0;
  /// The work at an edge in reset.
  virtual void reset() = 0;
  /// Drives the outputs that follow the edge; called after tick() or reset().
  virtual void drive_outputs() {}

  std::uint64_t cycle_ = 0;  ///< Edges counted before this one.

 private:
  void on_clock() {
    const bool runs = rst_ni.read();
    if (runs) {
      do_reporting("pins/invariant", *this, cycle_, [this] { tick(); });
    } else {
      reset();
    }
    if (runs || counts_reset_) ++cycle_;
    drive_outputs();
  }

  const bool counts_reset_;
};

/// A clocked module with outputs that follow its inputs in the same cycle.
class Following : public Clocked {
 protected:
  explicit Following(const sc_core::sc_module_name& name) : Clocked(name) {
    SC_HAS_PROCESS(Following);
    SC_METHOD(follow_inputs);
    sensitive << clocked_;
  }

  /// Makes follow_inputs() run when a port in one of these vectors changes.
  template <class... Ports>
  void follow(const Ports&... vectors) {
    const auto add = [this](const auto& ports) {
      for (const auto& port : ports) sensitive << port;
    };
    (add(vectors), ...);
  }
  /// Drives the outputs; also runs after every edge.
  virtual void follow_inputs() = 0;

 private:
  void drive_outputs() final { clocked_.notify(sc_core::SC_ZERO_TIME); }

  sc_core::sc_event clocked_{"clocked"};
};

/// Returns make(), for a member of a module. An exception is reported as an SC_ERROR of the module,
/// and rethrown if the report does not throw.
template <class Make>
auto make_reporting(const sc_core::sc_object& module, Make&& make) -> decltype(make()) {
  try {
    return make();
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const std::exception& error) {
    report_error("pins/parameters", module.name(), error.what());
    throw;
  }
}

}  // namespace flitcast::pins
