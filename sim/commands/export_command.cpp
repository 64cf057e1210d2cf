// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "routing/routing_table.h"
#include "sim/commands/command.h"
#include "sim/experiment/model.h"
#include "sim/host/output_file.h"
#include "sim/sweep/sweep.h"
#include "topology/catalog.h"
#include "topology/graph_file.h"

namespace flitcast {

namespace {

struct ExportOptions : ExperimentOptions {
  std::optional<std::size_t> point;  ///< Point of the sweep, from 0.
  std::string out;                   ///< File for the text; empty: standard output.
};

/// Writes the text that `text_of` makes of a point of the experiment.
int write_export(const ExportOptions& options,
                 const std::function<std::string(const Configuration&)>& text_of) {
  const Configuration configuration = point_of(sweep_of(options), options.point);
  if (options.out.empty()) {
    std::cout << text_of(configuration);
    return kDone;
  }
  require_writable({{"--out", options.out}}, configuration.input_files());
  write_files({{options.out, text_of(configuration)}});
  return kDone;
}

void add_export_options(CLI::App& app, ExportOptions& options) {
  add_experiment(app, options);
  add_point(app, options.point, "Use this point of the file's sweep, from 0");
  add_file(app, "--out", options.out, "File for the text; without it, standard output");
}

std::string table_of(const Configuration& configuration, const ExportOptions& options) {
  const Model model = make_model(configuration, options.unsafe);
  const Section& section = configuration.section("routing");
  const char* reason = "a central control finds the paths";
  std::string text;
  try {
    if (model.network.routing != nullptr) {
      return routing_table_text(model.topology(), *model.network.routing,
                                model.network.params.router.virtual_channels, options.out);
    }
  } catch (const std::invalid_argument& error) {
    text = error.what();
  }
  section.fail("kind", "no table holds this routing: " + (text.empty() ? reason : text),
               "export another routing, such as up_down");
}

int export_routing(const ExportOptions& options) {
  return write_export(options, [&](const Configuration& configuration) {
    return table_of(configuration, options);
  });
}

void add_routing_options(CLI::App& app, ExportOptions& options) {
  add_export_options(app, options);
  app.add_flag("--unsafe", options.unsafe, "Accept a network that can deadlock");
}

struct GraphOptions : ExportOptions {
  std::string format;
};

std::vector<std::string> written_formats() {
  return names_where(graph_formats(), &GraphFormat::write);
}

int export_graph(const GraphOptions& options) {
  return write_export(options, [&](const Configuration& configuration) {
    const auto topology =
        make_topology(configuration.section("topology"), configuration.section("link"));
    return graph_formats().find(options.format)->write(file_of(*topology));
  });
}

void add_graph_options(CLI::App& app, GraphOptions& options) {
  add_export_options(app, options);
  options.format = written_formats().front();
  app.add_option("--format", options.format, "Form of the file")
      ->check(CLI::IsMember(written_formats()))
      ->capture_default_str();
}

Action declare_export(CLI::App& app) {
  return declare_subcommands(
      app, {{"graph", "Write the topology of an experiment for `kind: custom` and other programs",
             declare<GraphOptions, add_graph_options, export_graph>},
            {"routing", "Write the routing of an experiment as a table for `kind: table`",
             declare<ExportOptions, add_routing_options, export_routing>}});
}

}  // namespace

Command export_command() {
  return {"export", "Write parts of an experiment for other files and programs", declare_export};
}

}  // namespace flitcast
