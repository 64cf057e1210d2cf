// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// One fault in what the user wrote, with its hint.
struct Problem {
  Place place;
  std::string key;   ///< Full dotted name, "router.buffer_depth"; empty where no key is meant.
  std::string what;  ///< What is wrong.
  std::string hint;  ///< What to write instead.

  /// "file:line:col: key: what; hint", without the parts that are unknown, on one line whatever
  /// the user has written.
  std::string text() const;
};

/// Thrown for faults in the user's input; carries every fault that was found, in file order.
class ConfigError : public std::exception {
 public:
  /// The most problems that a message shows.
  static constexpr std::size_t kMostShown = 50;

  /// @param unkept  Found besides these, and only counted.
  explicit ConfigError(std::vector<Problem> problems, std::size_t unkept = 0);
  explicit ConfigError(Problem problem) : ConfigError(std::vector<Problem>{std::move(problem)}) {}

  const std::vector<Problem>& problems() const { return problems_; }
  /// All problems, one a line, each once; of those beyond kMostShown only the number.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::string text_;
};

/// Keeps the problems of an error with others, to be thrown later.
inline void append(std::vector<Problem>& problems, const ConfigError& error) {
  problems.insert(problems.end(), error.problems().begin(), error.problems().end());
}

/// Gathers faults, so that all come to light at once. A file may have millions: those beyond the
/// first, as many as a ConfigError shows, are counted and not kept.
class ProblemList {
 public:
  /// Runs a step that may find faults, and keeps them for later.
  template <class Step>
  void attempt(Step&& step) {
    try {
      std::forward<Step>(step)();
    } catch (const ConfigError& error) {
      for (const Problem& problem : error.problems()) add(problem);
    }
  }
  void add(Problem problem) {
    if (problems_.size() < ConfigError::kMostShown) {
      problems_.push_back(std::move(problem));
    } else {
      ++unkept_;
    }
  }

  /// Throws ConfigError if there are any.
  void throw_if_any() const {
    if (!problems_.empty()) throw ConfigError(problems_, unkept_);
  }

 private:
  std::vector<Problem> problems_;
  std::size_t unkept_ = 0;
};

/// Throws a ConfigError of one problem with the text itself, not with a key.
[[noreturn]] inline void fail(const Place& place, std::string what, std::string hint) {
  throw ConfigError(Problem{place, "", std::move(what), std::move(hint)});
}

}  // namespace flitcast
