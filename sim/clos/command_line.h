// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "sim/clos/commands.h"

namespace flitcast {

/// The command line of `flitcast clos ...`; must live as long as `app`.
class ClosCommandLine {
 public:
  /// @param finish  Is given the exit code of the command that was called.
  void add_to(CLI::App& app, std::function<void(int)> finish);

 private:
  void add_bound(CLI::App& clos);
  void add_designs(CLI::App& clos);
  void add_crosspoints(CLI::App& clos);
  void add_route(CLI::App& clos);
  void add_traffic(CLI::App& clos);
  void add_minimum(CLI::App& clos);

  std::function<void(int)> finish_;
  ClosBoundOptions bound_;
  ClosDesignOptions designs_;
  ClosCrosspointOptions crosspoints_;
  ClosRouteOptions route_;
  ClosTrafficOptions traffic_;
  ClosMinimumOptions minimum_;
};

}  // namespace flitcast
