// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flitcast {

/// A word of a set, for 64 possible members; bit b of word w represents the number 64 w + b.
using SetWord = std::uint64_t;

/// The number of words of a set of numbers 0 .. members - 1.
constexpr std::size_t set_words(std::size_t members) { return (members + 63) / 64; }

/// The number of members in the word.
constexpr unsigned popcount(SetWord word) {
  // This code avoids the popcount instruction, which some processors that may run the binary lack.
  word -= word >> 1 & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<unsigned>(word * 0x0101010101010101U >> 56);
}

/// True if every member of one set is in the other; both have that number of words.
inline bool is_subset(const SetWord* part, const SetWord* whole, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if ((part[w] & ~whole[w]) != 0) return false;
  }
  return true;
}
/// True if two sets, both of that number of words, have no common member.
inline bool are_disjoint(const SetWord* a, const SetWord* b, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if ((a[w] & b[w]) != 0) return false;
  }
  return true;
}

/// A set of numbers 0 .. size() - 1, of any size that is fixed when the set is made.
///
/// No operation but construction and growing assignment allocates. The operands of an operation
/// must have the same size, and members must be below that size; neither is checked.
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) : size_(size), words_(set_words(size), 0) {}
  /// The set of all numbers 0 .. size - 1.
  static BitSet full(std::size_t size);
  /// The set of the members whose bits are set in `words`, an array of set_words(size) words.
  BitSet(std::size_t size, const SetWord* words)
      : size_(size), words_(words, words + set_words(size)) {}

  std::size_t size() const { return size_; }
  const SetWord* words() const { return words_.data(); }
  SetWord* words() { return words_.data(); }
  std::size_t word_count() const { return words_.size(); }

  bool test(std::size_t member) const { return (words_[member / 64] >> member % 64 & 1) != 0; }
  void set(std::size_t member) { words_[member / 64] |= SetWord{1} << member % 64; }
  void reset(std::size_t member) { words_[member / 64] &= ~(SetWord{1} << member % 64); }
  void clear() { std::fill(words_.begin(), words_.end(), SetWord{0}); }

  bool any() const {
    for (const SetWord word : words_) {
      if (word != 0) return true;
    }
    return false;
  }
  bool none() const { return !any(); }
  std::size_t count() const {
    std::size_t members = 0;
    for (const SetWord word : words_) members += popcount(word);
    return members;
  }
  /// The smallest member; size() if there is none.
  std::size_t first() const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if (words_[w] != 0) return w * 64 + static_cast<std::size_t>(__builtin_ctzll(words_[w]));
    }
    return size_;
  }
  /// The member that has `rank` smaller members in the set, for rank < count().
  std::size_t nth(std::size_t rank) const;
  bool intersects(const BitSet& other) const {
    return !are_disjoint(words(), other.words(), word_count());
  }
  bool contains(const BitSet& other) const {
    return is_subset(other.words(), words(), word_count());
  }

  BitSet& operator&=(const BitSet& other);
  BitSet& operator|=(const BitSet& other);
  /// Removes the members of `other`.
  BitSet& operator-=(const BitSet& other);

  friend bool operator==(const BitSet& a, const BitSet& b) {
    return a.size_ == b.size_ && a.words_ == b.words_;
  }
  friend bool operator!=(const BitSet& a, const BitSet& b) { return !(a == b); }

  /// The smallest member for which holds(member) returns true; size() if there is none.
  template <class Holds>
  std::size_t find(Holds&& holds) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (SetWord rest = words_[w]; rest != 0; rest &= rest - 1) {
        const std::size_t member = w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest));
        if (holds(member)) return member;
      }
    }
    return size_;
  }
  /// Calls visit(member) for every member in rising order; members that visit() adds or removes may
  /// or may not be visited.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (SetWord rest = words_[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
      }
    }
  }

 private:
  std::size_t size_;
  std::vector<SetWord> words_;
};

/// Writes a set as a hexadecimal mask, in which bit k is member k, without leading zeros: {0, 3} is
/// "9", {} is "0".
std::string to_hex(const BitSet& set);
/// Writes a set of numbers 0 .. size - 1, given by its words, as the same mask.
std::string to_hex(const SetWord* words, std::size_t size);
/// Reads a mask that to_hex() has written as a set of numbers 0 .. size - 1.
/// Throws std::invalid_argument for other text and for members not below `size`.
BitSet from_hex(const std::string& text, std::size_t size);

}  // namespace flitcast
