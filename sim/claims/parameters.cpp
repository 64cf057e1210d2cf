// SPDX-License-Identifier: Apache-2.0
// Reads parameters as users write them. Forms of the documents first become keys and values; then
// the words are read from left to right.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "config/configuration.h"
#include "config/param.h"
#include "config/wording.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

constexpr const char* kSection = "claim";
constexpr const char* kIsNothing = "is no parameter, network or choice of this statement";

/// Forms of the documents, and the keys and values that they stand for.
const std::vector<std::pair<std::regex, const char*>>& forms() {
  static const std::vector<std::pair<std::regex, const char*>> forms{
      {std::regex("'"), ""},  // The primes of n' and r'.
      {std::regex(" *= *"), "="},
      {std::regex(R"(\b([A-Za-z]\w*): +)"), "$1="},
      {std::regex(R"(\b(\w+ of the example( below)?|(the page|that|same) state|same|any)\b)"), ""},
      {std::regex(R"(\brequest\b)"), ""},
      {std::regex(R"(\bv\( *(\w+) *, *(\w+) *, *(\w+) *\))"), "m=$1 n=$2 r=$3"},
      {std::regex(R"(\bv\( *(\w+) *, *(\w+) *, *(\w+) *, *(\w+) *, *(\w+) *\))"),
       "m=$1 n1=$2 r1=$3 n2=$4 r2=$5"},
      {std::regex(R"(\(I_(\w+) *, *([\w./]+) *\)=)"), "input=$1 w=$2 I="},
      {std::regex(R"((\w+)=(?=(?:\w+=)+([^ ,;=]+)))"), "$1=$2 "},
      {std::regex(R"((\w+) *-> *)"), "from=$1 to="}};
  return forms;
}

/// The parts between separators that are not in brackets, without blanks.
std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && separators.find(c) != separators.npos) {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

/// The items of a list or a set, without its brackets; other text is its only item.
std::vector<std::string> in_brackets(const std::string& text) {
  const bool opens = text.size() >= 2 && std::string("([{").find(text[0]) != std::string::npos;
  if (!opens || std::string(")]}").find(text.back()) == std::string::npos) return {text};
  return split(text.substr(1, text.size() - 2), ",");
}

/// The numbers of "1..5"; empty for other text.
std::vector<std::string> in_range(const std::string& text) {
  static const std::regex kRange("(\\d{1,4})\\.\\.(\\d{1,4})");
  std::smatch ends;
  if (!std::regex_match(text, ends, kRange)) return {};
  return mapped(numbers(std::stoul(ends[1]), std::stoul(ends[2]) + 1),
                [](std::size_t one) { return std::to_string(one); });
}

bool is_number(const std::string& text) { return number_in<double>(text).has_value(); }

/// A name in the spellings of the documents: all_port as "all port" and "all-port".
std::regex spellings_of(const std::string& name, std::regex::flag_type flags) {
  return std::regex("\\b" + std::regex_replace(name, std::regex("_"), "[-_ ]") + "\\b", flags);
}

std::string quoted_for_yaml(const std::string& value) {
  static const std::regex kPlain("[\\w.+/-]*");
  return std::regex_match(value, kPlain) ? value : ordered_json(value).dump();
}

/// Collects the values that a text gives to the keys of a statement.
class Assignments {
 public:
  explicit Assignments(const Statement& statement) : params_(statement.machine.keys) {}

  void read(const std::string& text) {
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    if (json.is_object()) {
      for (const auto& [key, value] : json.items()) {
        assign(key, std::regex_replace(value.dump(), std::regex("\""), ""));
      }
      return;
    }
    for (const std::string& word : split(with_forms_read(text), " ,;")) take(word);
    if (!pending_.empty()) refuse(std::exchange(pending_, ""), "has no value");
    if (!amount_.empty()) refuse(std::exchange(amount_, ""), kIsNothing);
  }

  const ProblemList& problems() const { return problems_; }

  /// The values as a flow map in YAML.
  std::string yaml() const {
    std::vector<std::string> entries;
    for (const auto& [key, values] : values_) {
      const bool listed = values.size() != 1 || is_list(key);
      entries.push_back(key + ": " +
                        (listed ? fmt::format("[{}]", fmt::join(values, ", ")) : values.front()));
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
  }

 private:
  /// Keys and choices become single words, and forms of the documents keys and values.
  std::string with_forms_read(std::string text) const {
    for (const Param& param : params_) {
      text = std::regex_replace(text, spellings_of(param.key, std::regex::ECMAScript), param.key);
      for (const std::string& choice : param.choices) {
        text = std::regex_replace(text, spellings_of(choice, std::regex::icase), choice);
      }
    }
    for (const auto& [form, meaning] : forms()) text = std::regex_replace(text, form, meaning);
    return text;
  }

  const Param* find(const std::string& key) const {
    return first_where(params_, [&](const Param& param) { return param.key == key; });
  }
  bool is_list(const std::string& key) const {
    const Param* const param = find(key);
    return param != nullptr &&
           (param->type == Param::Type::kIntegers || param->type == Param::Type::kNumbers ||
            param->type == Param::Type::kTexts);
  }

  void take(const std::string& word) {
    const std::size_t sign = word.find('=');
    if (sign != word.npos) {
      assign_all(word.substr(0, sign), word.substr(sign + 1));
    } else if (!pending_.empty()) {
      assign(std::exchange(pending_, ""), word);
    } else if (word[0] == '(' || take_network(word) || take_choice(word) || take_more(word)) {
      return;  // Text in brackets is a remark.
    } else if (amount_.empty() && is_number(word)) {
      amount_ = word;
    } else if (find(word) != nullptr && amount_.empty()) {
      pending_ = word;
    } else if (find(word) != nullptr) {
      assign(word, std::exchange(amount_, ""));
    } else if (word != "x" && word != "and" && (word != "random" || amount_.empty())) {
      refuse(word, kIsNothing);
    }
  }

  /// "n=4", or "(n,r)=(2,3)".
  void assign_all(const std::string& key, const std::string& value) {
    const std::vector<std::string> keys = in_brackets(key);
    if (keys.size() < 2) return assign(key, value);
    const std::vector<std::string> values = in_brackets(value);
    if (values.size() != keys.size()) return refuse(key, "has not as many values as keys");
    for (std::size_t k = 0; k < keys.size(); ++k) assign(keys[k], values[k]);
  }

  void assign(const std::string& key, const std::string& value) {
    if (value.empty()) return refuse(key, "has no value");
    const bool is_size = std::regex_match(key, std::regex("n[1-9]"));
    if (is_size && find(key) == nullptr && find("sizes") != nullptr) {
      return assign_size(static_cast<std::size_t>(key[1] - '1'), value);
    }
    const std::vector<std::string> items = in_brackets(value);
    const bool may_go_on = is_list(key) && items == std::vector<std::string>{value};
    last_ = may_go_on ? key : "";
    std::vector<std::string>& values = values_[key];
    values = is_list(key) ? in_range(value) : std::vector<std::string>{};
    if (!values.empty()) return;
    for (const std::string& item : items) values.push_back(quoted_for_yaml(item));
  }

  /// Sets one size of the network; the others keep their values.
  void assign_size(std::size_t dimension, const std::string& value) {
    std::vector<std::string>& sizes = values_["sizes"];
    if (dimension > sizes.size()) return refuse(value, "is the size of a dimension too many");
    if (dimension == sizes.size()) sizes.emplace_back();
    sizes[dimension] = quoted_for_yaml(value);
  }

  bool take_network(const std::string& word) {
    static const std::regex kNetwork("[TMKQ](\\d+|\\(.*)");
    if (!std::regex_match(word, kNetwork)) return false;
    for (const char* key : {"network", "sizes", "n"}) {
      if (find(key) == nullptr) continue;
      assign(key, key == std::string("network") ? word : word.substr(1));
      return true;
    }
    return false;
  }

  bool take_choice(const std::string& word) {
    for (const Param& param : params_) {
      if (!contains(param.choices, word)) continue;
      assign(param.key, word);
      return true;
    }
    return false;
  }

  /// A further number of the list before.
  bool take_more(const std::string& word) {
    if (last_.empty() || !is_number(word)) return false;
    values_[last_].push_back(word);
    return true;
  }

  void refuse(const std::string& word, const std::string& what) {
    const auto possible =
        mapped(params_, [](const Param& param) { return param.key + ": " + expectation(param); });
    problems_.add({{},
                   "",
                   quoted(word) + " " + what,
                   possible.empty() ? "it has no parameters"
                                    : fmt::format("give {}", fmt::join(possible, "; "))});
  }

  const std::vector<Param>& params_;
  std::map<std::string, std::vector<std::string>> values_;
  std::string last_;     // The key of a list without brackets, whose next item may follow.
  std::string pending_;  // A key whose value is the next word.
  std::string amount_;   // A value whose key follows: "1000 random requests".
  ProblemList problems_;
};

}  // namespace

Section parameters_of(const Statement& statement, const std::string& text) {
  Assignments assignments(statement);
  assignments.read(statement.example);
  assignments.read(text);
  ProblemList problems = assignments.problems();
  Section parameters = Section::of(kSection, {});
  problems.attempt([&] {
    parameters = read_section(kSection, statement.machine.keys, assignments.yaml(), "parameters");
  });
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    throw about(statement, error.problems());
  }
  return parameters;
}

}  // namespace flitcast::claims
