// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace flitcast {

/// A position in a file of the user. Line and column count from 1; 0: unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One problem in the user's input, with its hint.
struct Problem {
  Place place;
  /// Full dotted name, "router.buffer_depth"; empty if the problem concerns no key.
  std::string key;
  std::string what;  ///< Describes the problem.
  std::string hint;  ///< Describes the correct input.

  /// "file:line:col: key: what; hint" without unknown parts, always on one line.
  std::string text() const;
};

/// Thrown for problems in the user's input; carries all problems that were found, in file order.
class ConfigError : public std::exception {
 public:
  /// The largest number of problems that a message shows.
  static constexpr std::size_t kMostShown = 50;

  /// @param unkept  The number of further problems, which are only counted.
  explicit ConfigError(std::vector<Problem> problems, std::size_t unkept = 0);
  explicit ConfigError(Problem problem) : ConfigError(std::vector<Problem>{std::move(problem)}) {}

  const std::vector<Problem>& problems() const { return problems_; }
  /// All problems, one per line, without duplicates; problems beyond kMostShown are only counted.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::string text_;
};

/// Appends the problems of an error to others, to be thrown later.
inline void append(std::vector<Problem>& problems, const ConfigError& error) {
  problems.insert(problems.end(), error.problems().begin(), error.problems().end());
}

/// Collects problems, so that all are reported at once. A file may have millions: only as many as a
/// ConfigError shows are kept, the others are counted.
class ProblemList {
 public:
  /// Runs a step and keeps the problems that it throws.
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

  /// Throws ConfigError if there are problems.
  void throw_if_any() const {
    if (!problems_.empty()) throw ConfigError(problems_, unkept_);
  }

 private:
  std::vector<Problem> problems_;
  std::size_t unkept_ = 0;
};

/// Throws a ConfigError of one problem with an option of the command line.
[[noreturn]] inline void fail_option(std::string option, std::string what, std::string hint) {
  throw ConfigError(Problem{{}, std::move(option), std::move(what), std::move(hint)});
}

/// Throws a ConfigError of one problem that concerns the text itself rather than a key.
[[noreturn]] inline void fail(const Place& place, std::string what, std::string hint) {
  throw ConfigError(Problem{place, "", std::move(what), std::move(hint)});
}

}  // namespace flitcast
