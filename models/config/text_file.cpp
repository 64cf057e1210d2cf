// SPDX-License-Identifier: Apache-2.0
#include "config/text_file.h"

#include "config/problem.h"

namespace flitcast {

std::optional<std::string> read_text(std::istream& input) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  constexpr std::size_t kPart = std::size_t{64} << 10;
  std::string text;
  while (input && text.size() <= kMost) {
    const std::size_t size = text.size();
    text.resize(size + kPart);
    input.read(text.data() + size, kPart);
    text.resize(size + static_cast<std::size_t>(input.gcount()));
  }
  if (text.size() > kMost) return std::nullopt;
  return text;
}

bool LineReader::next() {
  constexpr std::streamsize kLongest = 1'000'000;
  buffer_.resize(kLongest + 1);
  ++number_;
  input_.getline(buffer_.data(), kLongest + 1);
  const std::streamsize taken = input_.gcount();
  if (input_.fail() && taken > 0) {
    fail({file_, number_, 0}, "a line of more than a million bytes", "name a text file");
  }
  if (input_.fail()) return false;
  line_.assign(buffer_.data(), static_cast<std::size_t>(input_.eof() ? taken : taken - 1));
  return true;
}

}  // namespace flitcast
