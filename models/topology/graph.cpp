// SPDX-License-Identifier: Apache-2.0
#include "topology/graph.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "config/problem.h"
#include "config/text_file.h"
#include "config/wording.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"

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

namespace {

struct Word {
  std::string text;
  int line = 0;
  int column = 0;
};
using Words = std::vector<Word>;

Words split(const std::string& text, int line) {
  constexpr auto kBlanks = " \t\r";
  Words words;
  const std::string code = text.substr(0, text.find('#'));
  std::size_t begin = code.find_first_not_of(kBlanks);
  while (begin != std::string::npos) {
    const std::size_t end = std::min(code.find_first_of(kBlanks, begin), code.size());
    words.push_back({code.substr(begin, end - begin), line, static_cast<int>(begin) + 1});
    begin = code.find_first_not_of(kBlanks, end);
  }
  return words;
}

struct Link {
  Word from;
  Word to;
  std::uint32_t latency = 0;
  std::uint32_t cycles_per_flit = 0;
  bool both = true;
};

struct Terminal {
  Word name;
  Word router;
};

class GraphReader {
 public:
  explicit GraphReader(std::string file) : file_(std::move(file)) {}

  Graph read(std::istream& input) {
    LineReader lines(input, file_);
    while (lines.next()) read_line(split(lines.line(), lines.number()));
    resolve_links();
    resolve_terminals();
    problems_.throw_if_any();  // Reachability is meaningless while links are missing.
    check_ports();
    check_reachability(false);
    check_reachability(true);
    problems_.throw_if_any();
    std::vector<std::string> names;
    for (const Word& router : routers_) names.push_back(router.text);
    return Graph("custom " + file_, routers_.size(), graph_links_, homes_, std::move(names));
  }

 private:
  void read_line(const Words& words) {
    if (words.empty()) return;
    const std::string& keyword = words[0].text;
    if (keyword == "router") {
      read_router(words);
    } else if (keyword == "terminal") {
      read_terminal(words);
    } else if (keyword == "link") {
      read_link(words);
    } else {
      fail(words[0], quoted(keyword) + " is unknown",
           "begin the line with router, terminal or link");
    }
  }

  void read_router(const Words& words) {
    if (!expect_size(words, 2, "router NAME")) return;
    const auto number = static_cast<std::uint32_t>(routers_.size());
    if (numbers_.emplace(words[1].text, RouterId{number}).second) {
      routers_.push_back(words[1]);
    } else {
      fail(words[1], "router " + printable(words[1].text) + " is there already",
           "give it another name");
    }
  }

  void read_terminal(const Words& words) {
    if (!expect_size(words, 3, "terminal NAME ROUTER")) return;
    if (terminal_names_.insert(words[1].text).second) {
      terminals_.push_back({words[1], words[2]});
    } else {
      fail(words[1], "terminal " + printable(words[1].text) + " is there already",
           "give it another name");
    }
  }

  void read_link(const Words& words) {
    if (words.size() < 3) {
      fail(words[0], "a link joins two routers", "write: link ROUTER ROUTER");
      return;
    }
    Link link{words[1], words[2]};
    if (link.from.text == link.to.text) {
      fail(link.to, "a link from a router to itself carries nothing", "name another router");
    }
    for (std::size_t next = 3; next < words.size(); ++next) {
      if (words[next].text == "latency") {
        link.latency = read_cycles(words, ++next, "a latency", kMaxLinkLatency);
      } else if (words[next].text == "cycles_per_flit") {
        link.cycles_per_flit = read_cycles(words, ++next, "a flit time", kMaxCyclesPerFlit);
      } else if (words[next].text == "oneway" || words[next].text == "both") {
        link.both = words[next].text == "both";
      } else {
        fail(words[next], quoted(words[next].text) + " is unknown",
             "after the routers write latency CYCLES, cycles_per_flit CYCLES, oneway or both");
      }
    }
    links_.push_back(std::move(link));
  }

  // Returns 0 after a problem.
  std::uint32_t read_cycles(const Words& words, std::size_t at, const std::string& what,
                            std::uint32_t most) {
    const std::string hint = "write a whole number from 1 to " + std::to_string(most);
    if (at >= words.size()) {
      fail(words.back(), what + " is missing", hint);
      return 0;
    }
    const auto cycles = number_in<std::uint32_t>(words[at].text);
    if (cycles && *cycles >= 1 && *cycles <= most) return *cycles;
    fail(words[at], quoted(words[at].text) + " is not " + what + " in cycles", hint);
    return 0;
  }

  void resolve_links() {
    for (const Link& link : links_) {
      const auto from = resolve(link.from);
      const auto to = resolve(link.to);
      if (!from || !to) continue;
      graph_links_.push_back({*from, *to, link.latency, link.cycles_per_flit});
      if (link.both) {
        graph_links_.push_back({*to, *from, link.latency, link.cycles_per_flit});
      }
    }
  }

  void resolve_terminals() {
    if (terminals_.empty()) {
      fail({"", 1, 1}, "the graph has no terminal", "add lines: terminal NAME ROUTER");
    }
    for (const Terminal& terminal : terminals_) {
      if (const auto router = resolve(terminal.router)) homes_.push_back(*router);
    }
  }

  std::optional<RouterId> resolve(const Word& name) {
    const auto found = numbers_.find(name.text);
    if (found != numbers_.end()) return found->second;
    const std::string shown = printable(name.text);
    fail(name, "there is no router " + shown, "add a line: router " + shown);
    return std::nullopt;
  }

  void check_ports() {
    std::vector<std::size_t> inputs(routers_.size());
    for (const RouterId home : homes_) ++inputs[index(home)];
    std::vector<std::size_t> outputs = inputs;
    for (const GraphLink& link : graph_links_) {
      ++outputs[index(link.from)];
      ++inputs[index(link.to)];
    }
    for (std::size_t router = 0; router < routers_.size(); ++router) {
      const std::size_t ports = std::max(inputs[router], outputs[router]);
      if (ports <= kMaxPorts) continue;
      fail(
          routers_[router],
          "router " + printable(routers_[router].text) + " has " + std::to_string(ports) + " ports",
          "keep links and terminals of a router to 128");
    }
  }

  // Requires that every other router can be reached from the first terminal's router, along links
  // or, if `against`, in the reverse direction.
  void check_reachability(bool against) {
    std::vector<std::vector<std::uint32_t>> next(routers_.size());
    for (const GraphLink& link : graph_links_) {
      const auto [from, to] =
          against ? std::pair(link.to, link.from) : std::pair(link.from, link.to);
      next[index(from)].push_back(index(to));
    }
    const auto steps = count_steps({index(homes_.front())}, routers_.size(),
                                   [&](std::uint32_t router, auto&& lead) {
                                     for (const std::uint32_t there : next[router]) lead(there);
                                   });
    const std::string origin = printable(terminals_.front().name.text);
    for (std::size_t router = 0; router < routers_.size(); ++router) {
      if (steps[router] != kUnreached) continue;
      const std::string name = printable(routers_[router].text);
      fail(routers_[router],
           against ? "no path leads from router " + name + " to terminal " + origin
                   : "router " + name + " cannot be reached from terminal " + origin,
           against ? "add a link from it" : "add a link to it");
    }
  }

  bool expect_size(const Words& words, std::size_t size, const std::string& form) {
    if (words.size() == size) return true;
    const Word& where = words.size() > size ? words[size] : words[0];
    fail(where, words.size() > size ? quoted(where.text) + " is too much" : "a word is missing",
         "write: " + form);
    return false;
  }

  void fail(const Word& where, std::string what, std::string hint) {
    problems_.add({{file_, where.line, where.column}, "", std::move(what), std::move(hint)});
  }

  std::string file_;
  Words routers_;
  std::unordered_map<std::string, RouterId> numbers_;
  std::vector<Terminal> terminals_;
  std::set<std::string> terminal_names_;
  std::vector<Link> links_;
  std::vector<GraphLink> graph_links_;
  std::vector<RouterId> homes_;
  ProblemList problems_;
};

}  // namespace

Graph read_graph(std::istream& input, const std::string& file) {
  return GraphReader(file).read(input);
}

TopologyEntry custom_topology() {
  return {{"custom",
           "Any graph, read from a text file.",
           {Param::file("file",
                        "Graph file with lines `router NAME`, `terminal NAME ROUTER` and `link "
                        "ROUTER ROUTER [latency CYCLES] [cycles_per_flit CYCLES] [oneway]`; "
                        "relative to the configuration's "
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
