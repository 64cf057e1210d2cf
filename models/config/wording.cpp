// SPDX-License-Identifier: Apache-2.0
#include "config/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace flitcast {
namespace {

constexpr std::size_t kLongest = 120;

/// The bytes of the control character at `at`: 1, 2 for U+0080 to U+009F in UTF-8, 0 for others.
std::size_t control_bytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x20 || byte(at) == 0x7f) return 1;
  const bool second = at + 1 < text.size() && byte(at) == 0xc2 && byte(at + 1) < 0xa0;
  return second ? 2 : 0;
}

std::string dumped(const std::string& text) {
  using Handler = nlohmann::json::error_handler_t;
  return nlohmann::json(text).dump(-1, ' ', false, Handler::ignore);
}

}  // namespace

std::string visible(const std::string& text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = control_bytes(text, at);
    if (bytes == 0) shown += text[at++];
    for (const std::size_t end = at + bytes; at < end; ++at) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    }
  }
  return shown;
}

std::string quoted(const std::string& text) {
  return visible(dumped(text.size() <= kLongest ? text : text.substr(0, kLongest) + "..."));
}

std::string printable(const std::string& name) {
  const std::string text = quoted(name);
  return name.empty() ? text : text.substr(1, text.size() - 2);
}

std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t kWidest = 100;
  const std::string margin(indent, ' ');
  std::string lines;
  std::string line;
  for (const std::string& word : words_in(text)) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kWidest) {
      lines += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + margin + line + "\n";
}

std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t limit) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string closest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  // A longer word may have more errors; one more than the most is no match.
  std::size_t best_distance = std::clamp<std::size_t>(word.size() / 3, 1, 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool abbreviated = word.size() > 2 && candidate.compare(0, word.size(), word) == 0;
    const std::size_t distance = abbreviated ? 1 : edit_distance(word, candidate, best_distance);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string all_replaced(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
  return text;
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string listed(const std::vector<std::string>& words, const char* last_separator) {
  if (words.size() < 2) return joined(words);
  return joined({words.begin(), words.end() - 1}) + last_separator + words.back();
}

std::string either(const std::vector<std::string>& words) { return joined(words, " or "); }

bool is_utf8(const std::string& bytes) {
  try {
    nlohmann::json(bytes).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace flitcast
