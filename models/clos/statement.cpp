// SPDX-License-Identifier: Apache-2.0
#include "clos/statement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "clos/trace.h"
#include "config/wording.h"

namespace flitcast::clos {
namespace {

constexpr const char* kBlanks = " \t\r\n";
constexpr const char* kSeparators = " \t\r\n,;";

class Reader {
 public:
  Reader(const std::string& text, const Structure& structure)
      : text_(text), structure_(structure) {}

  std::vector<Statement> run() {
    std::vector<Statement> statements;
    while (skip(kSeparators), at_ < text_.size()) {
      const std::size_t begin = at_;
      Statement statement =
          std::string("CDJL").find(text_[at_]) != std::string::npos ? of_event() : of_lecture();
      const std::size_t end = text_.find_last_not_of(kSeparators, at_ - 1) + 1;
      statement.text = text_.substr(begin, end - begin);
      statements.push_back(std::move(statement));
    }
    return statements;
  }

 private:
  void skip(const char* letters) {
    at_ = std::min(text_.find_first_not_of(letters, at_), text_.size());
  }

  bool accept(const std::string& word) {
    skip(kBlanks);
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  void expect(const std::string& word) {
    if (!accept(word)) refuse("\"" + word + "\"");
  }

  [[noreturn]] void refuse(const std::string& wanted) const {
    throw std::invalid_argument(fmt::format(
        "{} expected instead of \"{}\"; write \"I_3={{1,2}} over 1\", \"(I_2,0.8)={{3}} over "
        "1:{{3}}\", \"M_4={{3,4}}\" or \"end I_3\"",
        wanted, text_.substr(at_, 20)));
  }

  bool at_number() {
    skip(kBlanks);
    return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
  }

  std::uint32_t number() {
    const std::size_t end = at_number() ? text_.find_first_not_of("0123456789", at_) : at_;
    const std::string digits = text_.substr(at_, end - at_);
    if (digits.empty() || digits.size() > 9 || digits[0] == '0') refuse("a number from 1 on");
    at_ += digits.size();
    return static_cast<std::uint32_t>(std::stoul(digits)) - 1;
  }

  std::vector<std::uint32_t> set() {
    std::vector<std::uint32_t> members;
    const std::size_t begin = at_;
    expect("{");
    if (accept("}")) return members;
    do {
      members.push_back(number());
    } while (accept(","));
    expect("}");
    std::sort(members.begin(), members.end());
    if (std::adjacent_find(members.begin(), members.end()) != members.end()) {
      throw std::invalid_argument(
          fmt::format("\"{}\" names a number twice", text_.substr(begin, at_ - begin)));
    }
    return members;
  }

  Statement of_lecture() {
    Statement statement;
    if (accept("M")) statement.kind = Statement::Kind::kDestinationSet;
    if (accept("end")) statement.kind = Statement::Kind::kEnd;
    const bool weighted = accept("(");
    if (statement.kind != Statement::Kind::kDestinationSet) expect("I");
    accept("_");
    if (at_number() || statement.kind != Statement::Kind::kConnection) statement.number = number();
    if (statement.kind == Statement::Kind::kEnd) return statement;
    if (weighted) {
      expect(",");
      skip(kBlanks);
      const std::size_t end = std::min(text_.find_first_of(" )", at_), text_.size());
      statement.rate = parse_rate(text_.substr(at_, end - at_));
      at_ = end;
      expect(")");
    }
    expect("=");
    statement.switches = set();
    for (bool more = accept("over"); more; more = at_number()) {
      statement.legs.push_back({number(), std::nullopt});
      if (accept(":")) statement.legs.back().served = set();
      accept(",");
    }
    return statement;
  }

  Statement of_event() {
    const std::size_t end = std::min(text_.find_first_of(";\n", at_), text_.size());
    std::string line = text_.substr(at_, end - at_);
    at_ = end;
    if (line[0] == 'C' && line.find('=') == std::string::npos) line += " = B";
    const Event event = parse_trace(line, structure_.r2).front();
    Statement statement;
    if (const auto* disconnect = std::get_if<DisconnectEvent>(&event)) {
      statement.kind = Statement::Kind::kEnd;
      statement.number = index(disconnect->input);
    } else if (const auto* connect = std::get_if<ConnectEvent>(&event)) {
      statement.number = index(connect->input);
      for (const OutputId output : connect->outputs) {
        statement.switches.push_back(structure_.output_switch(output));
        statement.outputs.push_back(index(output));
      }
      for (std::size_t leg = 0; leg < connect->route.size(); ++leg) {
        statement.legs.push_back({index(connect->route.middle(leg)), {{}}});
        connect->route.served_set(leg).for_each([&](std::size_t k) {
          statement.legs.back().served->push_back(static_cast<std::uint32_t>(k));
        });
      }
    } else {
      throw std::invalid_argument("\"" + line + "\" is no connection; write C or D");
    }
    return statement;
  }

  const std::string& text_;
  const Structure& structure_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Statement> parse_statements(const std::string& text, const Structure& structure) {
  return Reader(text, structure).run();
}

std::string in_lecture(const BitSet& set) {
  std::vector<std::size_t> numbers;
  set.for_each([&](std::size_t k) { numbers.push_back(k + 1); });
  return fmt::format("{{{}}}", fmt::join(numbers, ","));
}

std::string in_lecture(const Route& route) {
  const std::vector<std::string> legs = tabulated(route.size(), [&](std::size_t leg) {
    return fmt::format("{}:{}", index(route.middle(leg)) + 1, in_lecture(route.served_set(leg)));
  });
  return joined(legs, " ");
}

}  // namespace flitcast::clos
