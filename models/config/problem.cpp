// SPDX-License-Identifier: Apache-2.0
#include "config/problem.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast {
namespace {

std::string text_of(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  return text;
}

}  // namespace

std::string Problem::text() const {
  std::string text = text_of(place);
  for (const std::string& part : {key, what}) {
    if (!text.empty() && !part.empty()) text += ": ";
    text += part;
  }
  return visible(hint.empty() ? text : text + "; " + hint);
}

ConfigError::ConfigError(std::vector<Problem> problems, std::size_t unkept)
    : problems_(std::move(problems)) {
  sort_by(problems_, [](const Problem& one) {
    return std::tie(one.place.file, one.place.line, one.place.column);
  });
  std::set<std::string> shown;
  for (const Problem& problem : problems_) {
    const std::string text = problem.text();
    if (!shown.insert(text).second || shown.size() > kMostShown) continue;
    if (!text_.empty()) text_ += '\n';
    text_ += text;
  }
  const std::size_t hidden = unkept + shown.size() - std::min(shown.size(), kMostShown);
  if (hidden == 0) return;
  text_ += "\n" + std::to_string(hidden) + " more problems are not shown; correct these first";
}

}  // namespace flitcast
