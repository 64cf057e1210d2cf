// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace flitcast {

/// Where something stands in a file that the user wrote. Line and column count from 1; 0: unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One fault in what the user wrote, with its remedy.
struct Problem {
  Place place;
  std::string key;     ///< Full dotted name, "router.buffer_depth"; empty where no key is meant.
  std::string what;    ///< What is wrong.
  std::string remedy;  ///< What to write instead.

  /// "file:line:col: key: what; remedy", without the parts that are unknown.
  std::string text() const;
};

/// Thrown for faults in the user's input; carries every fault that was found, in file order.
class ConfigError : public std::exception {
 public:
  explicit ConfigError(std::vector<Problem> problems);
  explicit ConfigError(Problem problem) : ConfigError(std::vector<Problem>{std::move(problem)}) {}

  const std::vector<Problem>& problems() const { return problems_; }
  /// All problems, one a line.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::string text_;
};

/// Keeps the problems of an error with others, to be thrown later.
inline void append(std::vector<Problem>& problems, const ConfigError& error) {
  problems.insert(problems.end(), error.problems().begin(), error.problems().end());
}

/// Throws a ConfigError of one problem with the text itself, not with a key.
[[noreturn]] inline void fail(const Place& place, std::string what, std::string remedy) {
  throw ConfigError(Problem{place, "", std::move(what), std::move(remedy)});
}

}  // namespace flitcast
