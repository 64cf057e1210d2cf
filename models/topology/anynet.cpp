// SPDX-License-Identifier: Apache-2.0
// Network files of BookSim2's anynet: lines such as `router 0 node 0 router 1 15 router 2`.
//
// A number behind a neighbour is the latency of the channel to that neighbour in cycles (default
// 1). A link that only one router names leads both ways; the channel back then takes 1 cycle.
// Source: the comment that describes the format in src/networks/anynet.cpp of BookSim2 (Jiang et
// al., ISPASS 2013).
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "config/text_file.h"
#include "config/wording.h"
#include "topology/graph_file.h"

namespace flitcast {
namespace {

class AnynetReader {
 public:
  explicit AnynetReader(GraphFile& file) : file_(file) {}

  void read_line(const std::vector<GraphWord>& words) {
    for (std::size_t next = 0; next < words.size(); next += 2) {
      if (!is_kind(words[next]) || next + 1 == words.size()) {
        file_.fail(words[next], quoted(words[next].text) + " names no router and no node",
                   "write router NUMBER or node NUMBER, and behind a neighbour its latency");
        return;
      }
      const GraphWord one = member(words[next].text, words[next + 1]);
      if (next == 0) {
        head_ = one;
        continue;
      }
      const bool has_latency = next + 2 < words.size() && !is_kind(words[next + 2]);
      join(one, has_latency ? &words[next + 2] : nullptr);
      if (has_latency) ++next;
    }
  }

  void finish() {
    declare("router");
    declare("node");
    const auto named = links_;
    for (const auto& [ends, link] : named) {
      links_.try_emplace({ends.second, ends.first}, joined(link.to, link.from, {"1"}));
    }
    for (const auto& [ends, link] : links_) file_.links.push_back(link);
  }

 private:
  static GraphFile::Link joined(const GraphWord& from, const GraphWord& to,
                                const GraphWord& latency) {
    return {from, to, true, {{"latency", latency}}};
  }

  static bool is_kind(const GraphWord& word) {
    return word.text == "router" || word.text == "node";
  }

  /// The name of a member in the graph: "0" for a router, "node 0" for a node.
  GraphWord member(const std::string& kind, const GraphWord& word) {
    const auto number = number_in<std::uint32_t>(word.text);
    if (!number || *number >= kMaxRouters) {
      file_.fail(word, quoted(word.text) + " is no number of a " + kind,
                 "number them 0, 1, 2, ...");
    }
    members_[kind].emplace(number.value_or(0), word);
    const std::string text = std::to_string(number.value_or(0));
    return {kind == "node" ? "node " + text : text, word.line, word.column};
  }

  void join(const GraphWord& neighbour, const GraphWord* latency) {
    if (head_.text[0] != 'n' && neighbour.text[0] != 'n') {
      const auto ends = std::pair(std::stoul(head_.text), std::stoul(neighbour.text));
      const GraphWord cycles = latency == nullptr ? GraphWord{"1"} : *latency;
      if (links_.try_emplace(ends, joined(head_, neighbour, cycles)).second) return;
      file_.fail(neighbour, "router " + head_.text + " names this router twice",
                 "keep one of them; links in parallel are not read");
      return;
    }
    if (latency != nullptr && latency->text != "1") {
      file_.fail(*latency, "links of nodes have no latency of their own",
                 "drop it; link.latency sets that of the links of all nodes");
    }
    if (attached_.insert(std::minmax(head_.text, neighbour.text)).second) {
      file_.links.push_back({head_, neighbour, false});
    }
  }

  /// Declares the routers or nodes, whose numbers have no gaps.
  void declare(const std::string& kind) {
    std::uint32_t next = 0;
    for (const auto& [number, word] : members_[kind]) {
      if (number != next) {
        file_.fail(word, "there is no " + kind + " " + std::to_string(next),
                   "number them 0, 1, 2, ...");
      }
      next = number + 1;
      file_.nodes.push_back({member(kind, word), {}});
      if (kind == "node") file_.nodes.back().attributes["kind"] = {"terminal"};
    }
  }

  GraphFile& file_;
  GraphWord head_{};  // The router or node that begins the line.
  std::map<std::string, std::map<std::uint32_t, GraphWord>> members_;         // By kind and number.
  std::map<std::pair<unsigned long, unsigned long>, GraphFile::Link> links_;  // By routers.
  std::set<std::pair<std::string, std::string>> attached_;  // Names of routers and nodes.
};

void read_anynet(const std::string& text, GraphFile& file) {
  AnynetReader reader(file);
  std::istringstream input(text);
  LineReader lines(input, file.name);
  while (lines.next()) reader.read_line(words_of_line(lines.line(), lines.number()));
  reader.finish();
}

}  // namespace

GraphFormat anynet() {
  return {"anynet", "Network files of BookSim2", ".anynet", "write: router NUMBER node NUMBER",
          read_anynet};
}

}  // namespace flitcast
