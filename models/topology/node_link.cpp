// SPDX-License-Identifier: Apache-2.0
// The node-link JSON of networkx:
// https://networkx.org/documentation/stable/reference/readwrite/json_graph.html
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "config/text_file.h"
#include "config/wording.h"
#include "topology/graph_file.h"

namespace flitcast {
namespace {

using Json = nlohmann::ordered_json;

/// Reads nodes and links during the parsing, because only then their lines are known: the lines on
/// which they end.
class NodeLinkReader {
 public:
  NodeLinkReader(const std::string& text, GraphFile& file)
      : input_(text), lines_(text), file_(file) {}

  void read() {
    Json rest;
    try {
      rest = Json::parse(input_, [&](int depth, Json::parse_event_t event, const Json& value) {
        return keep(depth, event, value);
      });
    } catch (const Json::parse_error& error) {
      fail({file_.name, lines_.line_of(error.byte - 1), 0}, "this is not JSON",
           "correct it here or just before");
    } catch (const Json::out_of_range&) {
      fail({file_.name, line_read(), 0}, "this number is too large",
           "write one of less than 10^308");
    }
    if (!rest.is_object()) fail({file_.name, 1, 0}, "there is no map", "write node-link JSON");
    for (const auto& [key, value] : rest.items()) check(key, value);
    const bool directed = rest.value("directed", Json()) == Json(true);
    const bool parallel = rest.value("multigraph", Json()) != Json(false);
    std::set<std::pair<std::string, std::string>> joined;
    for (GraphFile::Link& link : file_.links) {
      link.directed = directed;
      const std::pair ends(link.from.text, link.to.text);
      const bool is_new =
          joined.insert(ends).second && (directed || joined.count({ends.second, ends.first}) == 0);
      if (parallel || is_new) continue;
      file_.fail(link.from,
                 "a second link joins " + quoted(ends.first) + " and " + quoted(ends.second),
                 "drop one of them, or write \"multigraph\": true");
    }
  }

 private:
  bool keep(int depth, Json::parse_event_t event, const Json& value) {
    if (depth == 1 && event == Json::parse_event_t::key) key_ = value.get<std::string>();
    if (depth != 2 || event != Json::parse_event_t::object_end) return true;
    const int line = line_read();
    GraphFile::Attributes attributes;
    for (const auto& [name, one] : value.items()) {
      attributes[name] = {one.is_string() ? one.get<std::string>() : one.dump(), line};
    }
    const auto extract = [&](const char* name) {
      const auto found = attributes.extract(name);
      if (!found.empty()) return found.mapped();
      file_.fail({"", line}, "there is no " + quoted(name), "write one");
      return GraphWord{"", line};
    };
    if (key_ == "nodes") {
      const GraphWord id = extract("id");
      file_.nodes.push_back({id, attributes});
    } else if (is_links(key_)) {
      const GraphWord from = extract("source");
      const GraphWord to = extract("target");
      attributes.erase("key");  // It only tells links in parallel apart.
      file_.links.push_back({from, to, true, attributes});
    } else {
      return true;
    }
    return false;
  }

  /// The line of the last byte that the parser has read.
  int line_read() {
    const auto read = input_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
    return lines_.line_of(static_cast<std::size_t>(read) - 1);
  }

  static bool is_links(const std::string& key) { return key == "links" || key == "edges"; }

  /// Refuses what is left after the nodes and links have been taken.
  void check(const std::string& key, const Json& value) {
    if (key == "nodes" || is_links(key)) {
      if (value != Json::array()) {
        file_.fail({"", 1}, quoted(key) + " is not a list of maps", "write a map for every item");
      }
    } else if (key == "graph" && value.is_object()) {
      for (const auto& [name, one] : value.items()) check("graph." + name, one);
    } else if (key != "directed" && key != "multigraph" && key != "graph.name" &&
               key != "graph.node_default" && key != "graph.edge_default") {
      file_.fail({"", 1}, "the key " + quoted(key) + " means nothing here", "drop it");
    }
  }

  std::istringstream input_;
  const LineIndex lines_;
  GraphFile& file_;
  std::string key_;  // The key of the outer map whose value is being parsed.
};

void read_node_link(const std::string& text, GraphFile& file) { NodeLinkReader(text, file).read(); }

std::string write_node_link(const GraphFile& file) {
  Json document{{"directed", true}, {"multigraph", true}, {"graph", Json::object()}};
  const auto append = [&](const char* list, Json item, const GraphFile::Attributes& more) {
    for (const auto& [name, value] : more) {
      item[name] = name == "kind" ? Json(value.text) : Json::parse(value.text);
    }
    document[list].push_back(std::move(item));
  };
  for (const auto& node : file.nodes) append("nodes", {{"id", node.id.text}}, node.attributes);
  document["links"] = Json::array();
  for (const auto& link : file.links) {
    append("links", {{"source", link.from.text}, {"target", link.to.text}}, link.attributes);
  }
  return document.dump(1) + "\n";
}

}  // namespace

GraphFormat node_link() {
  return {"node_link",    "Node-link JSON of networkx, with attributes as those that are written",
          ".json",        kTerminalAttributes,
          read_node_link, write_node_link};
}

}  // namespace flitcast
