// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/bit_set.h"

namespace flitcast {

/// Sets of equal size in one block of memory: row j is a set of numbers 0 .. columns() - 1.
class BitMatrix {
 public:
  BitMatrix(std::size_t rows, std::size_t columns)
      : columns_(columns), stride_(set_words(columns)), words_(rows * stride_, 0), rows_(rows) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  /// The number of words from the start of a row to the start of the next row.
  std::size_t stride() const { return stride_; }
  const SetWord* row(std::size_t row) const { return words_.data() + row * stride_; }
  SetWord* row(std::size_t row) { return words_.data() + row * stride_; }
  /// A copy of a row.
  BitSet set_of(std::size_t row) const { return {columns_, this->row(row)}; }

  bool test(std::size_t row, std::size_t column) const {
    return (this->row(row)[column / 64] >> column % 64 & 1) != 0;
  }
  void set(std::size_t row, std::size_t column) {
    this->row(row)[column / 64] |= SetWord{1} << column % 64;
  }
  void reset(std::size_t row, std::size_t column) {
    this->row(row)[column / 64] &= ~(SetWord{1} << column % 64);
  }
  void assign(std::size_t row, const BitSet& set) {
    std::copy_n(set.words(), stride_, this->row(row));
  }

  friend bool operator==(const BitMatrix& a, const BitMatrix& b) {
    return a.rows_ == b.rows_ && a.columns_ == b.columns_ && a.words_ == b.words_;
  }
  friend bool operator!=(const BitMatrix& a, const BitMatrix& b) { return !(a == b); }

 private:
  std::size_t columns_;
  std::size_t stride_;
  std::vector<SetWord> words_;
  std::size_t rows_;
};

}  // namespace flitcast
