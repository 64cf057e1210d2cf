// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace flitcast {

/// The same text without control characters, which would cut a message short, break its line or
/// steer the reader's terminal; they become \x1b and the like.
std::string visible(const std::string& text);

/// The user's own text as a message can show it: in quotes, on one line, cut where it is long.
std::string quoted(const std::string& text);

/// A name of the user as a message can show it: on one line, cut where it is long.
std::string printable(const std::string& name);

/// The words of `text` in lines of at most 100 columns, each after `indent` spaces and with its
/// end. A word that is longer stands alone.
std::string wrapped(const std::string& text, std::size_t indent);

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; any number
/// above `limit` when there are more than that.
/// Source: the optimal string alignment distance; Damerau, Communications of the ACM 7 (1964).
std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t limit);

/// How many edits a misspelt word of this length can be away from what was meant.
std::size_t typing_errors(const std::string& word);

/// The candidate that `word` most likely misspells or abbreviates, or "" when none is close.
std::string closest(const std::string& word, const std::vector<std::string>& candidates);

/// "a, b and c".
std::string listed(const std::vector<std::string>& words);

/// "a or b or c".
std::string either(const std::vector<std::string>& words);

/// The whole of `text` as a number in a form that every reader of YAML and JSON agrees on.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// Whether the bytes are UTF-8, as JSON output demands.
bool is_utf8(const std::string& bytes);

}  // namespace flitcast
