// SPDX-License-Identifier: Apache-2.0
#include "base/bit_set.h"

#include <stdexcept>

namespace flitcast {

BitSet BitSet::full(std::size_t size) {
  BitSet result(size);
  for (SetWord& word : result.words_) word = ~SetWord{0};
  if (size % 64 != 0) result.words_.back() >>= 64 - size % 64;
  return result;
}

std::size_t BitSet::nth(std::size_t rank) const {
  std::size_t w = 0;
  for (unsigned here = popcount(words_[0]); rank >= here; here = popcount(words_[++w]))
    rank -= here;
  SetWord word = words_[w];
  while (rank-- > 0) word &= word - 1;
  return w * 64 + static_cast<std::size_t>(__builtin_ctzll(word));
}

BitSet& BitSet::operator&=(const BitSet& other) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  return *this;
}

BitSet& BitSet::operator|=(const BitSet& other) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  return *this;
}

BitSet& BitSet::operator-=(const BitSet& other) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  return *this;
}

std::string to_hex(const SetWord* words, std::size_t size) {
  std::string text;
  for (std::size_t digit = (size + 3) / 4; digit-- > 0;) {
    const auto value = words[digit / 16] >> digit % 16 * 4 & 0xf;
    if (value != 0 || !text.empty() || digit == 0) text += "0123456789abcdef"[value];
  }
  return text.empty() ? "0" : text;
}

std::string to_hex(const BitSet& set) { return to_hex(set.words(), set.size()); }

BitSet from_hex(const std::string& text, std::size_t size) {
  BitSet result(size);
  if (text.empty()) throw std::invalid_argument("a mask without digits");
  for (std::size_t place = 0; place < text.size(); ++place) {
    const char digit = text[text.size() - 1 - place];
    const std::size_t value = std::string("0123456789abcdef").find(digit);
    if (value == std::string::npos) {
      throw std::invalid_argument("\"" + text + "\" is not a mask of digits 0-9 and a-f");
    }
    for (std::size_t bit = 0; bit < 4; ++bit) {
      if ((value >> bit & 1) == 0) continue;
      const std::size_t member = place * 4 + bit;
      if (member >= size) {
        throw std::invalid_argument("mask " + text + " has member " + std::to_string(member) +
                                    ", but there are only " + std::to_string(size));
      }
      result.set(member);
    }
  }
  return result;
}

}  // namespace flitcast
