// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "config/configuration.h"
#include "config/param.h"
#include "config/wording.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

constexpr const char* kSection = "claim";
constexpr const char* kIsNothing = "is no parameter, network or choice of this statement";

/// The parts between separators, without those in brackets.
std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && separators.find(c) != separators.npos) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

/// Removes blanks around "=", and those in brackets.
std::string joined(const std::string& text) {
  std::string dense;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const std::size_t next = text.find_first_not_of(' ', at);
    const bool beside_sign =
        (next != text.npos && text[next] == '=') || (!dense.empty() && dense.back() == '=');
    if (c != ' ' || (depth == 0 && !beside_sign)) dense += c;
  }
  return dense;
}

bool is_list(const Param& param) {
  return param.type == Param::Type::kIntegers || param.type == Param::Type::kNumbers ||
         param.type == Param::Type::kTexts;
}

std::vector<std::string> in_brackets(const std::string& text) {
  const bool opens = text.size() >= 2 && std::string("([{").find(text[0]) != std::string::npos;
  if (!opens || std::string(")]}").find(text.back()) == std::string::npos) return {text};
  return split(text.substr(1, text.size() - 2), ",");
}

/// The numbers of "1..5"; empty for other text.
std::vector<std::string> in_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return {};
  const auto first = number_in<std::int64_t>(text.substr(0, dots));
  const auto last = number_in<std::int64_t>(text.substr(dots + 2));
  if (!first || !last || *last - *first >= 4096) return {};
  std::vector<std::string> all;
  for (std::int64_t one = *first; one <= *last; ++one) all.push_back(std::to_string(one));
  return all;
}

bool is_number(const std::string& text) { return number_in<double>(text).has_value(); }

/// Collects the values that a text gives to the keys of a statement.
class Assignments {
 public:
  explicit Assignments(const Statement& statement) : params_(statement.machine->params()) {}

  void read(std::string text) {
    // The primes of n' and r'.
    text.erase(std::remove(text.begin(), text.end(), '\''), text.end());
    // What is as in the example keeps the values of the example.
    static const std::regex kExample(
        "\\b(\\w+ of the example( below)?|(the page|that|same) state|same|any)\\b");
    text = std::regex_replace(text, kExample, "");
    if (!text.empty() && text.front() == '{') {  // JSON.
      for (const char c : {'{', '}', '"'})
        text.erase(std::remove(text.begin(), text.end(), c), text.end());
      std::replace(text.begin(), text.end(), ':', '=');
    }
    for (std::string word : split(joined(with_names_joined(text)), " ,;")) {
      if (word.back() == ':') word.pop_back();
      if (!word.empty() && word != "and") take(word);
    }
    if (!pending_.empty()) refuse(pending_, "has no value");
    if (!amount_.empty()) refuse(amount_, kIsNothing);
  }

  const std::vector<Problem>& problems() const { return problems_; }

  /// The values as a flow map in YAML.
  std::string yaml() const {
    std::vector<std::string> entries;
    for (const auto& [key, values] : values_) {
      const Param* param = find(key);
      const bool listed = values.size() != 1 || (param != nullptr && is_list(*param));
      entries.push_back(key + ": " +
                        (listed ? fmt::format("[{}]", fmt::join(values, ", ")) : values.front()));
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
  }

 private:
  /// Writes keys and choices of several words as one: "independent draws" as independent_draws.
  std::string with_names_joined(std::string text) const {
    std::vector<std::string> names;
    for (const Param& param : params_) {
      names.push_back(param.key);
      names.insert(names.end(), param.choices.begin(), param.choices.end());
    }
    for (const std::string& name : names) {
      std::string spoken = name;
      std::replace(spoken.begin(), spoken.end(), '_', ' ');
      for (std::size_t at = text.find(spoken); at != text.npos; at = text.find(spoken, at + 1)) {
        text.replace(at, name.size(), name);
      }
    }
    return text;
  }

  const Param* find(const std::string& key) const {
    const auto found = std::find_if(params_.begin(), params_.end(),
                                    [&](const Param& param) { return param.key == key; });
    return found == params_.end() ? nullptr : &*found;
  }

  void take(const std::string& word) {
    const bool has_sign = word.find('=') != word.npos;
    if (!pending_.empty()) {
      assign(std::exchange(pending_, ""), word);
    } else if (word == "request" || (word[0] == '(' && !has_sign)) {
      return;  // A remark, such as "(the figure network)".
    } else if (word == "->" && find("to") != nullptr && !amount_.empty()) {
      assign("from", std::exchange(amount_, ""));
      pending_ = "to";
    } else if (has_sign) {
      take_assignment(word);
    } else if (take_network(word) || take_choice(word) || take_more(word)) {
      return;
    } else if (amount_.empty() && is_number(word)) {
      amount_ = word;
    } else if (!amount_.empty() && find(word) != nullptr) {
      assign(word, std::exchange(amount_, ""));
    } else if (find(word) != nullptr) {
      pending_ = word;
    } else if (word == "random" && !amount_.empty()) {
      return;
    } else if (word != "x") {  // Between sizes.
      refuse(word, kIsNothing);
    }
  }

  /// "n=4", "m=r=3", "(n,r)=(2,3)", or "(I_1,0.3)={1,2}", a request of an input for a weight.
  void take_assignment(const std::string& word) {
    const std::size_t sign = word.find('=');
    if (const std::size_t next = word.find('=', sign + 1); next != word.npos) {
      assign(word.substr(0, sign), word.substr(word.rfind('=') + 1));
      return take_assignment(word.substr(sign + 1));
    }
    const std::vector<std::string> keys = in_brackets(word.substr(0, sign));
    const std::string value = word.substr(sign + 1);
    if (keys.size() == 2 && keys[0].rfind("I_", 0) == 0 && is_number(keys[1])) {
      assign("input", keys[0].substr(2));
      assign("w", keys[1]);
      return assign("I", value);
    }
    if (keys.size() < 2) return assign(keys.empty() ? "" : keys[0], value);
    const std::vector<std::string> values = in_brackets(value);
    if (values.size() != keys.size()) return refuse(word, "has not as many values as keys");
    for (std::size_t k = 0; k < keys.size(); ++k) assign(keys[k], values[k]);
  }

  void assign(const std::string& key, const std::string& value) {
    const bool is_size = key.size() == 2 && key[0] == 'n' && std::isdigit(key[1]) != 0;
    if (is_size && find(key) == nullptr && find("sizes") != nullptr) {
      return assign_size(static_cast<std::size_t>(key[1] - '1'), value);
    }
    if (value.empty()) return refuse(key, "has no value");
    const Param* const param = find(key);
    std::vector<std::string> values;
    if (param != nullptr && is_list(*param)) values = in_range(value);
    if (!values.empty()) return values_of(key).swap(values);
    for (const std::string& item : in_brackets(value)) values.push_back(quoted_for_yaml(item));
    values_of(key) = std::move(values);
  }

  /// The values of a key, which may be new; it becomes the last one.
  std::vector<std::string>& values_of(const std::string& key) {
    std::vector<std::string> values;
    const auto known = std::find_if(values_.begin(), values_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (known != values_.end()) {
      values = std::move(known->second);
      values_.erase(known);
    }
    values_.emplace_back(key, std::move(values));
    return values_.back().second;
  }

  /// Sets one size of the network; the others keep their values.
  void assign_size(std::size_t dimension, const std::string& value) {
    std::vector<std::string>& sizes = values_of("sizes");
    if (dimension > sizes.size()) return refuse(value, "is the size of a dimension too many");
    if (dimension == sizes.size()) sizes.emplace_back();
    sizes[dimension] = quoted_for_yaml(value);
  }

  bool take_network(const std::string& word) {
    if (word.size() < 2 || std::string("TMKQv").find(word[0]) == std::string::npos) return false;
    const std::string sizes = word.substr(1);
    if (sizes[0] != '(' && !is_number(sizes)) return false;
    if (word[0] == 'v') return take_clos(in_brackets(sizes));
    for (const char* key : {"network", "sizes", "n"}) {
      if (find(key) == nullptr) continue;
      assign(key, std::string(key) == "network" ? word : sizes);
      return true;
    }
    return false;
  }

  bool take_clos(const std::vector<std::string>& sizes) {
    const std::vector<std::string> keys =
        sizes.size() == 5 ? std::vector<std::string>{"m", "n1", "r1", "n2", "r2"}
                          : std::vector<std::string>{"m", "n", "r"};
    if (sizes.size() != keys.size()) return false;
    for (std::size_t k = 0; k < keys.size(); ++k) assign(keys[k], sizes[k]);
    return true;
  }

  /// A choice of any key; "all-port" names the choice all_port.
  bool take_choice(std::string word) {
    std::replace(word.begin(), word.end(), '-', '_');
    const auto is_named = [&word](const std::string& choice) {
      return std::equal(word.begin(), word.end(), choice.begin(), choice.end(),
                        [](char a, char b) { return std::tolower(a) == std::tolower(b); });
    };
    for (const Param& param : params_) {
      const auto named = std::find_if(param.choices.begin(), param.choices.end(), is_named);
      if (named == param.choices.end()) continue;
      assign(param.key, *named);
      return true;
    }
    return false;
  }

  /// A further number of the list before.
  bool take_more(const std::string& word) {
    const Param* last = values_.empty() ? nullptr : find(values_.back().first);
    if (last == nullptr || !is_list(*last) || !is_number(word)) return false;
    values_.back().second.push_back(word);
    return true;
  }

  static std::string quoted_for_yaml(const std::string& value) {
    const bool plain = std::all_of(value.begin(), value.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '+' || c == '-' || c == '/';
    });
    return plain ? value : ordered_json(value).dump();
  }

  void refuse(const std::string& word, const std::string& what) {
    std::vector<std::string> possible;
    for (const Param& param : params_) possible.push_back(param.key + ": " + expectation(param));
    problems_.push_back({{},
                         "",
                         quoted(word) + " " + what,
                         possible.empty() ? "it has no parameters"
                                          : fmt::format("give {}", fmt::join(possible, "; "))});
  }

  std::vector<Param> params_;
  std::vector<std::pair<std::string, std::vector<std::string>>> values_;  // In their order.
  std::string pending_;  // A key whose value is the next word.
  std::string amount_;   // A value whose key follows: "1000 random requests".
  std::vector<Problem> problems_;
};

}  // namespace

Section parameters_of(const Statement& statement, const std::string& text) {
  Assignments assignments(statement);
  assignments.read(statement.example);
  assignments.read(text);
  ProblemList problems;
  for (const Problem& problem : assignments.problems()) problems.add(problem);
  Section parameters = Section::of(kSection, {});
  problems.attempt([&] {
    parameters =
        read_section(kSection, statement.machine->params(), assignments.yaml(), "parameters");
  });
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    throw about(statement, error.problems());
  }
  return parameters;
}

}  // namespace flitcast::claims
