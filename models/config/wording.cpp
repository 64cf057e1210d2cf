// SPDX-License-Identifier: Apache-2.0
#include "config/wording.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace flitcast {
namespace {

constexpr std::size_t kLongest = 120;

std::string dumped(const std::string& text) {
  using Handler = nlohmann::json::error_handler_t;
  return nlohmann::json(text).dump(-1, ' ', false, Handler::ignore);
}

}  // namespace

std::string quoted(const std::string& text) {
  return dumped(text.size() <= kLongest ? text : text.substr(0, kLongest) + "...");
}

std::string printable(const std::string& name) {
  const std::string text = quoted(name);
  return name.empty() ? text : text.substr(1, text.size() - 2);
}

std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t kWidest = 100;
  const std::string margin(indent, ' ');
  std::istringstream words(text);
  std::string lines;
  std::string line;
  for (std::string word; words >> word;) {
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

std::size_t typing_errors(const std::string& word) {
  return std::clamp<std::size_t>(word.size() / 3, 1, 3);
}

std::string closest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = typing_errors(word) + 1;
  for (const std::string& candidate : candidates) {
    const bool abbreviated = word.size() > 2 && candidate.compare(0, word.size(), word) == 0;
    const std::size_t distance = abbreviated ? 1 : edit_distance(word, candidate, best_distance);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " and ";
    text += words[i];
  }
  return text;
}

std::string either(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " or ") + word;
  return text;
}

bool is_utf8(const std::string& bytes) {
  try {
    nlohmann::json(bytes).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace flitcast
