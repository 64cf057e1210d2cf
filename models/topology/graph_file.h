// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/catalog.h"
#include "config/problem.h"
#include "topology/graph.h"

namespace flitcast {

/// A word of a graph file with its place.
struct GraphWord {
  std::string text;
  int line = 0;
  int column = 0;
};

/// The nodes and links that a graph file states, with attributes by name.
///
/// A node has `kind`: router (the default) or terminal; a router may have `terminals`, a number of
/// nodes at it that are no nodes of the file. A link between routers has `latency` and
/// `cycles_per_flit`. Directed links have ports: `output` at a router that they leave, `input` at
/// one that they reach; ends without one take the lowest free port, links first and in file order.
/// A terminal has one link into the network and one out of it, or an undirected one.
struct GraphFile {
  using Attributes = std::map<std::string, GraphWord>;
  struct Node {
    GraphWord id;
    Attributes attributes{};
  };
  struct Link {
    GraphWord from;
    GraphWord to;
    bool directed = true;
    Attributes attributes{};
  };

  std::string name;  ///< The file name in messages.
  std::vector<Node> nodes{};
  std::vector<Link> links{};
  ProblemList problems{};

  void fail(const GraphWord& where, std::string what, std::string hint) {
    problems.add({{name, where.line, where.column}, "", std::move(what), std::move(hint)});
  }
};

/// A form of graph files.
struct GraphFormat {
  std::string name;
  std::string summary;        ///< One line, without a full stop.
  std::string ending;         ///< The ending of its files, ".graphml".
  std::string terminal_hint;  ///< How it attaches nodes to routers, for messages.
  /// Adds what the text states to the file. Null: the format is only written.
  void (*read)(const std::string& text, GraphFile& file) = nullptr;
  /// Null: the format is only read.
  std::string (*write)(const GraphFile& file) = nullptr;
};

/// The formats; files whose ending none of them has are of the first one. Programs can add others.
Catalog<GraphFormat>& graph_formats();

/// How files with attributes attach nodes to routers, for GraphFormat::terminal_hint.
inline constexpr auto kTerminalAttributes =
    "give nodes kind = terminal and a link with a router, or routers terminals = COUNT";

/// The words of a line, which blanks separate; # starts a comment.
std::vector<GraphWord> words_of_line(const std::string& text, int line);

/// The topology as a file of its name: routers and nodes ("node_0", ...) by number, channels in
/// their order, with their ports, latencies and flit times of their own, without failed routers.
GraphFile file_of(const Topology& topology);

/// The graph "custom FILE" of what a file states.
/// Throws ConfigError with all problems, those of the file included, in file order.
Graph graph_of(GraphFile file, const std::string& terminal_hint);

}  // namespace flitcast
