// SPDX-License-Identifier: Apache-2.0
// Graphs with one declaration per line; graph.h has the form.
#include <sstream>

#include "config/text_file.h"
#include "config/wording.h"
#include "topology/graph_file.h"

namespace flitcast {
namespace {

using LineWords = std::vector<GraphWord>;

bool expect_size(GraphFile& file, const LineWords& words, std::size_t size,
                 const std::string& form) {
  if (words.size() == size) return true;
  const GraphWord& where = words.size() > size ? words[size] : words[0];
  file.fail(where, words.size() > size ? quoted(where.text) + " is too much" : "a word is missing",
            "write: " + form);
  return false;
}

void read_link(GraphFile& file, const LineWords& words) {
  if (words.size() < 3) {
    file.fail(words[0], "a link joins two routers", "write: link ROUTER ROUTER");
    return;
  }
  GraphFile::Link link{words[1], words[2], false};
  for (std::size_t next = 3; next < words.size(); ++next) {
    const std::string& word = words[next].text;
    if (word == "oneway" || word == "both") {
      link.directed = word == "oneway";
    } else if (word != "latency" && word != "cycles_per_flit") {
      file.fail(words[next], quoted(word) + " is unknown",
                "after the routers write latency CYCLES, cycles_per_flit CYCLES, oneway or both");
    } else if (++next == words.size()) {
      file.fail(words.back(), "a number of cycles is missing", "write it behind " + word);
    } else if (!link.attributes.emplace(word, words[next]).second) {
      file.fail(words[next], "a second " + word, "leave one of them out");
    }
  }
  file.links.push_back(std::move(link));
}

// Terminals may have the names of routers, which have no blanks.
void read_words(GraphFile& file, const LineWords& words) {
  const std::string& keyword = words[0].text;
  if (keyword == "router") {
    if (expect_size(file, words, 2, "router NAME")) file.nodes.push_back({words[1]});
  } else if (keyword == "terminal") {
    if (!expect_size(file, words, 3, "terminal NAME ROUTER")) return;
    const GraphWord id{"terminal " + words[1].text, words[1].line, words[1].column};
    file.nodes.push_back({id, {{"kind", {"terminal"}}}});
    file.links.push_back({id, words[2], false});
  } else if (keyword == "link") {
    read_link(file, words);
  } else {
    file.fail(words[0], quoted(keyword) + " is unknown",
              "begin the line with router, terminal or link");
  }
}

void read_graph_lines(const std::string& text, GraphFile& file) {
  std::istringstream input(text);
  LineReader lines(input, file.name);
  while (lines.next()) {
    const LineWords words = words_of_line(lines.line(), lines.number());
    if (!words.empty()) read_words(file, words);
  }
}

}  // namespace

GraphFormat graph_lines() {
  return {"graph", "Lines `router NAME`, `terminal NAME ROUTER` and `link ROUTER ROUTER`", ".graph",
          "add lines: terminal NAME ROUTER", read_graph_lines};
}

}  // namespace flitcast
