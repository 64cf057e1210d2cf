// SPDX-License-Identifier: Apache-2.0
#include "topology/graph.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "config/text_file.h"
#include "config/wording.h"
#include "topology/catalog.h"
#include "topology/graph_file.h"

namespace flitcast {
namespace {

// The next port of one direction; `used` counts those of every router.
Endpoint take_port(std::vector<std::size_t>& used, RouterId router) {
  return {router, to_id<PortId>(used.at(index(router))++)};
}

}  // namespace

Graph::Graph(std::string name, std::size_t routers, const std::vector<GraphLink>& links,
             const std::vector<RouterId>& homes, std::vector<std::string> router_names)
    : Topology(std::move(name)), names_(std::move(router_names)) {
  require_buildable(routers, 0);
  if (!names_.empty() && names_.size() != routers) {
    throw std::invalid_argument("a name for each router, or none");
  }
  std::vector<std::size_t> inputs(routers);
  std::vector<std::size_t> outputs(routers);
  for (const GraphLink& link : links) {
    add_channel({take_port(outputs, link.from), take_port(inputs, link.to), link.latency,
                 link.cycles_per_flit});
  }
  for (const RouterId home : homes) add_node({take_port(inputs, home), take_port(outputs, home)});
  for (std::size_t router = 0; router < routers; ++router) {
    require_buildable(routers, std::max(inputs[router], outputs[router]));
    add_router(inputs[router], outputs[router]);
  }
}

Graph::Graph(std::string name, const std::vector<PortCounts>& ports,
             const std::vector<Channel>& channels, const std::vector<Attachment>& attachments,
             std::vector<std::string> router_names)
    : Topology(std::move(name)), names_(std::move(router_names)) {
  require_buildable(ports.size(), 0);
  for (const PortCounts& counts : ports) add_router(counts.inputs, counts.outputs);
  for (const Channel& channel : channels) add_channel(channel);
  for (const Attachment& attachment : attachments) add_node(attachment);
}

Graph read_graph(std::istream& input, const std::string& file) {
  const Catalog<GraphFormat>& formats = graph_formats();
  const GraphFormat* const found = first_where(formats, [&](const GraphFormat& one) {
    return std::filesystem::path(file).extension() == one.ending;
  });
  const GraphFormat& format = found == nullptr ? formats[0] : *found;
  if (format.read == nullptr) {
    fail({file, 0, 0}, format.name + " is only written", "export the graph as GraphML");
  }
  const std::optional<std::string> text = read_text(input);
  if (!text) fail({file, 0, 0}, "exceeds 64 MiB", "give the path of a graph file");
  GraphFile graph{file};
  format.read(*text, graph);
  return graph_of(std::move(graph), format.terminal_hint);
}

TopologyEntry custom_topology() {
  return {{"custom",
           "Any graph, read from a file.",
           {Param::file(
               "file",
               "Graph file with lines `router NAME`, `terminal NAME ROUTER` and `link "
               "ROUTER ROUTER [latency CYCLES] [cycles_per_flit CYCLES] [oneway]`; "
               "GraphML, node-link JSON, a network file of BookSim2 or InfraGraph if its "
               "name ends in .graphml, .json, .anynet or .yaml; relative to the configuration's "
               "folder or else to the working directory.")},
           [](const Section& section) -> std::unique_ptr<Topology> {
             const std::string path = section.path("file");
             std::ifstream input(path);
             if (!input || std::filesystem::is_directory(path)) {
               section.fail("file", "cannot read " + quoted(path),
                            "give the path of a graph file, relative to the configuration file");
             }
             return std::make_unique<Graph>(read_graph(input, path));
           },
           {"file: tree.graph"}}};
}

}  // namespace flitcast
