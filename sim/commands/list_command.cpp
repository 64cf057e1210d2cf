// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "base/sequences.h"
#include "clos/catalog.h"
#include "collective/catalog.h"
#include "config/schema.h"
#include "config/wording.h"
#include "network/circuit/central_control.h"
#include "network/network_plan.h"
#include "network/router_entry.h"
#include "permutation/algorithm.h"
#include "routing/catalog.h"
#include "routing/queue_priority.h"
#include "sim/commands/command.h"
#include "sim/experiment/workload.h"
#include "sim/results/result.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep.h"
#include "topology/catalog.h"
#include "traffic/injection.h"
#include "traffic/pattern.h"
#include "traffic/trace.h"

namespace flitcast {

namespace {

/// A list of names that a user can choose or read, for programs and for readers.
struct Listing {
  std::string name;
  ordered_json (*entries)();
  /// The text of the entries, whose names begin with `beginning`.
  std::string (*text)(const ordered_json& entries, const std::string& beginning);
};

template <class Entry>
ordered_json entries_of(const Catalog<Entry>& catalog) {
  return ordered_json(mapped(catalog, [&](const Entry& entry) {
    return ordered_json{{"name", entry.name}, {"summary", entry.summary}};
  }));
}

/// All collectives, operation by operation.
ordered_json collective_entries() {
  ordered_json entries = ordered_json::array();
  for (const OperationName& operation : operations()) {
    for (const CollectiveEntry& entry : collectives()) {
      if (!entry.carries_out(operation.operation)) continue;
      entries.push_back({{"name", entry.name},
                         {"operation", operation.name},
                         {"summary", std::string(operation.name) + ": " + entry.summary}});
    }
  }
  return entries;
}

ordered_json figures() {
  return mapped(figure_reference(), [](const FigureMeaning& figure) {
    ordered_json entry{{"name", figure.name}};
    if (!figure.unit.empty()) entry["unit"] = figure.unit;
    entry["meaning"] = figure.meaning;
    return entry;
  });
}

/// A line for each entry.
std::string summaries_text(const ordered_json& entries, const std::string&) {
  return sum_of<std::string>(entries, [](const ordered_json& entry) {
    return fmt::format("  {:<25} {}\n", entry.at("name").get<std::string>(),
                       entry.at("summary").get<std::string>());
  });
}

/// The name and the unit of each figure, with the meaning below.
std::string figures_text(const ordered_json& entries, const std::string&) {
  return sum_of<std::string>(entries, [](const ordered_json& entry) {
    const std::string unit = entry.value("unit", "");
    return "  " + entry.at("name").get<std::string>() + (unit.empty() ? "" : ", " + unit) + "\n" +
           wrapped(entry.at("meaning").get<std::string>(), 6);
  });
}

std::string parameters_text(const ordered_json&, const std::string& beginning) {
  std::istringstream lines(parameter_text(experiment_schema()));
  std::string text;
  bool shown = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.front() != ' ') shown = line.rfind(beginning, 0) == 0;
    if (shown) text += line + "\n";
  }
  return text;
}

const std::vector<Listing> kListings{
    {"topologies", [] { return entries_of(topologies()); }, summaries_text},
    {"routings", [] { return entries_of(all_routings()); }, summaries_text},
    {"routers", [] { return entries_of(routers()); }, summaries_text},
    {"implementations", [] { return entries_of(implementations()); }, summaries_text},
    {"priorities", [] { return entries_of(queue_priorities()); }, summaries_text},
    {"workloads", [] { return entries_of(workloads()); }, summaries_text},
    {"interfaces", [] { return entries_of(interfaces()); }, summaries_text},
    {"collectives", collective_entries, summaries_text},
    {"permutations", [] { return entries_of(permutation_instances()); }, summaries_text},
    {"algorithms", [] { return entries_of(permutation_algorithms()); }, summaries_text},
    {"patterns", [] { return entries_of(patterns()); }, summaries_text},
    {"injections", [] { return entries_of(injections()); }, summaries_text},
    {"trace_formats", [] { return entries_of(trace_formats()); }, summaries_text},
    {"strategies", [] { return entries_of(clos::strategies()); }, summaries_text},
    {"controllers", [] { return entries_of(clos::controllers()); }, summaries_text},
    {"searches", [] { return entries_of(searches()); }, summaries_text},
    {"saturation_rules", [] { return entries_of(saturation_rules()); }, summaries_text},
    {"parameters", [] { return parameter_json(experiment_schema()); }, parameters_text},
    {"figures", figures, figures_text},
};

/// Prints all listings with their names, one after the other.
int print_overview() {
  std::string text;
  for (const Listing& listing : kListings) {
    const ordered_json entries = listing.entries();
    std::string names = fmt::format("{} of them", entries.size());
    if (listing.text == summaries_text) {
      std::vector<std::string> listed;
      for (const ordered_json& entry : entries) {
        const auto name = entry.at("name").get<std::string>();
        if (!contains(listed, name)) listed.push_back(name);
      }
      names = joined(listed);
    }
    text += listing.name + ":\n" + wrapped(names, 2);
  }
  text += "\nflitcast list LIST explains a listing, and flitcast list --json gives all of them.\n";
  std::cout << text;
  return kDone;
}

/// The entries of a listing whose names begin with `name`.
/// Throws ConfigError, with the nearest name, if there are none.
ordered_json entries_named(const Listing& listing, const std::string& name) {
  ordered_json found = ordered_json::array();
  std::vector<std::string> names;
  for (const ordered_json& entry : listing.entries()) {
    names.push_back(entry.at("name").get<std::string>());
    if (names.back().rfind(name, 0) == 0) found.push_back(entry);
    names.push_back(names.back().substr(0, names.back().find('.')));
  }
  if (!found.empty()) return found;
  const std::string meant = closest(name, names);
  fail_option("list " + listing.name, "no entry " + quoted(name),
              meant.empty() ? "see flitcast list " + listing.name : "did you mean " + meant + "?");
}

struct ListOptions : PrintOptions {
  std::string listing;
  std::string name;
};

int print_lists(const ListOptions& options) {
  if (options.listing.empty() && !options.json) return print_overview();
  ordered_json all = ordered_json::object();
  std::string text;
  for (const Listing& listing : kListings) {
    if (!options.listing.empty() && listing.name != options.listing) continue;
    all[listing.name] = entries_named(listing, options.name);
    text += listing.name + ":\n" + listing.text(all[listing.name], options.name);
  }
  if (all.empty()) {
    fail_option("list", "no listing " + quoted(options.listing),
                fmt::format("choose one of {}", fmt::join(listing_names(), ", ")));
  }
  return print(options.json, all, [&] { std::cout << text; });
}

void add_list_options(CLI::App& app, ListOptions& options) {
  app.add_option("LIST", options.listing, joined(listing_names()));
  app.add_option("NAME", options.name, "Only entries whose names begin with this");
}

std::string schema_text(const CLI::App&) { return experiment_json_schema().dump(2) + "\n"; }

}  // namespace

std::vector<Command> list_commands() {
  return {{"list", "List topologies, routings, parameters, figures and more",
           declare<ListOptions, add_list_options, print_lists>},
          {"schema", "Print the JSON Schema of experiment files", declare_text<schema_text>}};
}

std::vector<std::string> listing_names() {
  return mapped(kListings, [](const Listing& listing) { return listing.name; });
}

}  // namespace flitcast
