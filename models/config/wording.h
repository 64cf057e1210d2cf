// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace flitcast {

/// The text with control characters replaced by \x1b and the like, since they would truncate a
/// message, break its line or control the terminal.
std::string visible(const std::string& text);

/// Text of the user for a message: in quotes, on one line, cut if it is long.
std::string quoted(const std::string& text);

/// A name of the user for a message: on one line, cut if it is long.
std::string printable(const std::string& name);

/// The words of `text` in lines of at most 100 columns, each with a line end and after `indent`
/// spaces. A longer word gets its own line.
std::string wrapped(const std::string& text, std::size_t indent);

/// The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into
/// `b`; any number above `limit` if there are more.
/// Source: the optimal string alignment distance; Damerau, Communications of the ACM 7 (1964).
std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t limit);

/// The candidate that `word` most likely misspells or abbreviates, or "" if none is close.
std::string closest(const std::string& word, const std::vector<std::string>& candidates);

/// The text with every `part` replaced.
std::string all_replaced(std::string text, const std::string& part, const std::string& by);

/// The words between spaces and line ends.
std::vector<std::string> words_in(const std::string& text);

/// "a, b, c".
std::string joined(const std::vector<std::string>& words, const char* separator = ", ");

/// "a, b and c".
std::string listed(const std::vector<std::string>& words, const char* last_separator = " and ");

/// "a or b or c".
std::string either(const std::vector<std::string>& words);

/// The number that the whole of `text` spells in a form on which all readers of YAML and JSON
/// agree.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// True if the bytes are UTF-8, which JSON output requires.
bool is_utf8(const std::string& bytes);

}  // namespace flitcast
