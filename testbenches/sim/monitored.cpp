// SPDX-License-Identifier: Apache-2.0
#include "monitored.h"

#include <iterator>
#include <sstream>

#include "support/test_catch.h"

namespace flitcast::program {

std::vector<std::vector<std::string>> csv_lines(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(csv);
  for (std::string line; std::getline(text, line);) {
    lines.push_back({""});
    for (const char letter : line) {
      if (letter == ',') {
        lines.back().emplace_back();
      } else {
        lines.back().back() += letter;
      }
    }
  }
  return lines;
}

std::vector<Row> rows_of(const std::string& csv) {
  const std::string header = "packet,flit,router,port,vc,arrived_cycle,left_cycle\n";
  REQUIRE(csv.substr(0, header.size()) == header);
  std::vector<Row> rows;
  for (const auto& cells : csv_lines(csv.substr(header.size()))) {
    REQUIRE(cells.size() == 7);
    rows.push_back({cells[0], std::stoi(cells[1]), std::stoi(cells[2]), std::stoi(cells[3]),
                    std::stoi(cells[4]), cells[5], cells[6]});
  }
  return rows;
}

Waveform::Waveform(const std::string& text) {
  std::map<std::string, std::string> names;
  std::vector<std::string> scopes;
  std::istringstream words(text);
  std::uint64_t time = 0;
  for (std::string word; words >> word;) {
    std::string more;
    if (word == "$comment" || word == "$version" || word == "$date") {
      while (words >> more && more != "$end") {
      }
    } else if (word == "$scope") {
      words >> word >> more;
      scopes.push_back(more);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string type, width, code, name;
      words >> type >> width >> code >> name;
      std::string full;
      for (const std::string& scope : scopes) full += scope + ".";
      CHECK(names.emplace(code, full + name).second);
    } else if (word[0] == '#') {
      const std::uint64_t next = std::stoull(word.substr(1));
      CHECK(next >= time);
      time = next;
    } else if (word[0] == 'b') {
      words >> more;
      REQUIRE(names.count(more) == 1);
      variables_[names.at(more)][time] = word.substr(1);
    }
  }
  CHECK(scopes.empty());
}

const std::string& Waveform::bits(const std::string& name, std::uint64_t cycle) const {
  INFO(name << " in cycle " << cycle);
  REQUIRE(has(name));
  const Values& values = variables_.at(name);
  const auto later = values.upper_bound(cycle);
  REQUIRE(later != values.begin());
  return std::prev(later)->second;
}

bool Waveform::known(const std::string& name, std::uint64_t cycle) const {
  return bits(name, cycle).find('x') == std::string::npos;
}

std::uint64_t Waveform::number(const std::string& name, std::uint64_t cycle) const {
  return std::stoull(bits(name, cycle), nullptr, 2);
}

}  // namespace flitcast::program
