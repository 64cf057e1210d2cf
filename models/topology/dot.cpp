// SPDX-License-Identifier: Apache-2.0
// The language of Graphviz: https://graphviz.org/doc/info/lang.html
#include <iomanip>
#include <sstream>

#include "topology/graph_file.h"

namespace flitcast {
namespace {

std::string write_dot(const GraphFile& file) {
  std::ostringstream text;
  const auto end_line = [&](const GraphFile::Attributes& attributes) {
    const char* before = " [";
    for (const auto& [name, value] : attributes) {
      text << before << name << '=' << value.text;
      before = ", ";
    }
    text << (attributes.empty() ? ";\n" : "];\n");
  };
  text << "digraph " << std::quoted(file.name) << " {\n  node [shape=box];\n";
  for (const GraphFile::Node& node : file.nodes) {
    text << "  " << std::quoted(node.id.text);
    end_line(node.attributes);
  }
  for (const GraphFile::Link& link : file.links) {
    text << "  " << std::quoted(link.from.text) << " -> " << std::quoted(link.to.text);
    end_line(link.attributes);
  }
  text << "}\n";
  return text.str();
}

}  // namespace

GraphFormat dot() {
  return {"dot",    "The language of Graphviz, for drawings; only written", ".dot", "", nullptr,
          write_dot};
}

}  // namespace flitcast
