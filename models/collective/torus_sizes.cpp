// SPDX-License-Identifier: Apache-2.0
#include "collective/torus_sizes.h"

namespace flitcast {

namespace {

std::string to_text(const Sizes& sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

}  // namespace

std::string use_one_of(const std::vector<Sizes>& choices) {
  std::string text = "use " + to_text(choices.front());
  for (std::size_t i = 1; i < choices.size(); ++i) {
    text += (i + 1 < choices.size() ? ", " : " or ") + to_text(choices[i]);
  }
  return text;
}

}  // namespace flitcast
