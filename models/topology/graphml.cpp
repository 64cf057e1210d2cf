// SPDX-License-Identifier: Apache-2.0
// Source: Brandes et al., GraphML progress report, Graph Drawing 2001. Nested graphs, hyperedges
// and ports of the language are refused.
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "config/text_file.h"
#include "config/wording.h"
#include "topology/graph_file.h"

namespace flitcast {
namespace {

class GraphMlReader {
 public:
  GraphMlReader(const std::string& text, GraphFile& file)
      : text_(text), lines_(text), file_(file) {}

  void read() {
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text_.data(), text_.size());
    if (!parsed) {
      fail({file_.name, lines_.line_of(static_cast<std::size_t>(parsed.offset)), 0},
           std::string("this is not XML: ") + parsed.description(),
           "correct it here or just before");
    }
    const pugi::xml_node root = document.child("graphml");
    const pugi::xml_node graph = root.child("graph");
    if (!graph) fail({file_.name, 1, 0}, "there is no <graph> in a <graphml>", "write GraphML");
    for (const pugi::xml_node part : root) read_declaration(part, graph);
    directed_ = graph.attribute("edgedefault").as_string() != std::string("undirected");
    for (const pugi::xml_node part : graph) read_part(part);
  }

 private:
  /// An attribute that the file declares.
  struct Key {
    std::string name;
    std::string domain;  // "node", "edge", "graph" or "all".
    std::string fallback;
  };

  void read_declaration(const pugi::xml_node& part, const pugi::xml_node& graph) {
    const std::string tag = part.name();
    if (tag == "key") {
      keys_[part.attribute("id").as_string()] = {part.attribute("attr.name").as_string(),
                                                 part.attribute("for").as_string("all"),
                                                 part.child_value("default")};
    } else if (tag != "desc" && part != graph) {
      refuse(part);
    }
  }

  void read_part(const pugi::xml_node& part) {
    const std::string tag = part.name();
    if (tag == "node") {
      file_.nodes.push_back({word(part, "id"), attributes(part)});
    } else if (tag == "edge") {
      file_.links.push_back({word(part, "source"), word(part, "target"),
                             part.attribute("directed").as_bool(directed_), attributes(part)});
    } else if (tag != "desc") {
      refuse(part);
    }
  }

  /// The values of a node or an edge, with the defaults of its kind.
  GraphFile::Attributes attributes(const pugi::xml_node& item) {
    GraphFile::Attributes values;
    for (const auto& [id, key] : keys_) {
      if (key.fallback.empty() || (key.domain != item.name() && key.domain != "all")) continue;
      values[key.name] = at(key.fallback, item.offset_debug());
    }
    for (const pugi::xml_node part : item) {
      const auto key = keys_.find(part.attribute("key").as_string());
      if (part.name() != std::string("data")) {
        refuse(part);
      } else if (key == keys_.end()) {
        file_.fail(at("", part.offset_debug()), "the file declares no such key",
                   "add a <key> for it");
      } else {
        values[key->second.name] = at(part.child_value(), part.offset_debug());
      }
    }
    return values;
  }

  void refuse(const pugi::xml_node& part) {
    file_.fail(at("", part.offset_debug()), "<" + printable(part.name()) + "> means nothing here",
               "drop it: nodes, edges and their data are read");
  }

  GraphWord word(const pugi::xml_node& part, const char* attribute) const {
    return at(part.attribute(attribute).as_string(), part.offset_debug());
  }

  /// A word that stands at a byte of the file.
  GraphWord at(const std::string& text, std::ptrdiff_t offset) const {
    return {text, lines_.line_of(static_cast<std::size_t>(offset))};
  }

  const std::string& text_;
  const LineIndex lines_;
  GraphFile& file_;
  std::map<std::string, Key> keys_;
  bool directed_ = true;
};

void read_graphml(const std::string& text, GraphFile& file) { GraphMlReader(text, file).read(); }

std::string write_graphml(const GraphFile& file) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("graphml");
  root.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
  const auto declare = [&](const char* name, const char* domain, const char* type) {
    pugi::xml_node key = root.append_child("key");
    key.append_attribute("id") = name;
    key.append_attribute("for") = domain;
    key.append_attribute("attr.name") = name;
    key.append_attribute("attr.type") = type;
  };
  declare("kind", "node", "string");
  for (const char* name : {"output", "input", "latency", "cycles_per_flit"}) {
    declare(name, "edge", "int");
  }
  pugi::xml_node graph = root.append_child("graph");
  graph.append_attribute("edgedefault") = "directed";
  const auto append = [](pugi::xml_node item, const GraphFile::Attributes& attributes) {
    for (const auto& [name, value] : attributes) {
      pugi::xml_node data = item.append_child("data");
      data.append_attribute("key") = name.c_str();
      data.text() = value.text.c_str();
    }
  };
  for (const GraphFile::Node& one : file.nodes) {
    pugi::xml_node node = graph.append_child("node");
    node.append_attribute("id") = one.id.text.c_str();
    append(node, one.attributes);
  }
  for (const GraphFile::Link& one : file.links) {
    pugi::xml_node edge = graph.append_child("edge");
    edge.append_attribute("source") = one.from.text.c_str();
    edge.append_attribute("target") = one.to.text.c_str();
    append(edge, one.attributes);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace

GraphFormat graphml() {
  return {"graphml",    "GraphML, with attributes as those that are written",
          ".graphml",   kTerminalAttributes,
          read_graphml, write_graphml};
}

}  // namespace flitcast
