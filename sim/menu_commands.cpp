// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "clos/catalog.h"
#include "collective/catalog.h"
#include "collective/rounds/catalog.h"
#include "config/parameter_list.h"
#include "network/catalog.h"
#include "routing/catalog.h"
#include "sim/central_control.h"
#include "sim/commands.h"
#include "sim/schema.h"
#include "sim/sweep.h"
#include "topology/catalog.h"
#include "traffic/injection.h"
#include "traffic/pattern.h"
#include "traffic/trace.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

/// A list of things that a user can name, each with a line about it.
struct Menu {
  std::string name;
  ordered_json entries = ordered_json::array();
};

template <class Entry>
Menu menu_of(const std::string& name, const Catalog<Entry>& catalog) {
  Menu menu{name};
  for (const auto& entry : catalog) {
    menu.entries.push_back({{"name", entry.name}, {"summary", entry.summary}});
  }
  return menu;
}

/// All collectives, each with the operation that it carries out.
Menu collective_menu() {
  Menu menu{"collectives"};
  for (const OperationEntry& operation : operations()) {
    for (const auto& entry : operation.algorithms()) {
      menu.entries.push_back({{"name", entry.name},
                              {"operation", operation.name},
                              {"summary", std::string(operation.name) + ": " + entry.summary}});
    }
  }
  for (const RoundOperationEntry& operation : round_operations()) {
    for (const auto& entry : round_methods()) {
      menu.entries.push_back({{"name", entry.name},
                              {"operation", operation.name},
                              {"summary", std::string(operation.name) + ": " + entry.summary}});
    }
  }
  return menu;
}

std::vector<Menu> menus() {
  return {menu_of("topologies", topologies()),
          menu_of("routings", all_routings()),
          menu_of("routers", routers()),
          collective_menu(),
          menu_of("patterns", patterns()),
          menu_of("injections", injections()),
          menu_of("formats", trace_formats()),
          menu_of("strategies", clos::strategies()),
          menu_of("controllers", clos::controllers()),
          {"parameters", parameter_json(experiment_schema())}};
}

void print(const Menu& menu) {
  std::cout << menu.name << ":\n";
  if (menu.name == "parameters") {
    std::cout << parameter_text(experiment_schema());
    return;
  }
  for (const ordered_json& entry : menu.entries) {
    std::cout << fmt::format("  {:<25} {}\n", entry.at("name").get<std::string>(),
                             entry.at("summary").get<std::string>());
  }
}

std::vector<Menu> chosen(const std::string& name) {
  std::string names;
  for (Menu& menu : menus()) {
    if (menu.name == name) return {std::move(menu)};
    names += (names.empty() ? "" : ", ") + menu.name;
  }
  if (name.empty()) return menus();
  throw ConfigError(Problem{{}, "list", "no menu \"" + name + "\"", "choose one of " + names});
}

}  // namespace

int list_command(const std::string& menu, bool as_json) {
  ordered_json all = ordered_json::object();
  for (const Menu& chosen_menu : chosen(menu)) {
    if (as_json) {
      all[chosen_menu.name] = chosen_menu.entries;
    } else {
      print(chosen_menu);
    }
  }
  if (as_json) std::cout << all.dump(2) << '\n';
  return kDone;
}

int schema_command() {
  std::cout << experiment_json_schema().dump(2) << '\n';
  return kDone;
}

int points_command(const ExperimentOptions& options, bool as_json) {
  const Sweep sweep(options.file, options.overrides, experiment_schema());
  sweep.check();
  ordered_json table = ordered_json::array();
  for (std::size_t point = 0; point < sweep.size(); ++point) {
    const Configuration configuration = sweep.point(point);
    const ordered_json values = sweep.values(configuration);
    table.push_back({{"point", point}, {"id", configuration.id()}, {"values", values}});
    if (!as_json)
      std::cout << fmt::format("{:>5}  {}  {}\n", point, configuration.id(), values.dump());
  }
  if (as_json) std::cout << table.dump(2) << '\n';
  return kDone;
}

}  // namespace flitcast
