// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "conformance/check.h"

namespace flitcast::conformance {

/// The words of a field of the Clos table: "n=4 m=7 I=f,74 (exhaustive)" has the keys n, m, I and
/// the bare word "(exhaustive)". Fields `params` are written so, and many fields `expected`.
///
/// Everything that does not describe an instance throws std::invalid_argument: a key twice or
/// missing, a number or a mask that is none.
class ClosParams {
 public:
  explicit ClosParams(const std::string& field);
  /// Of an instance that has no other words than these: keys as "n=", bare words as they are. A row
  /// that says more than is understood must not be computed as if it did not.
  ClosParams(const std::string& field, const std::vector<std::string>& understood);

  /// Whether there is such a key, or such a bare word.
  bool has(const std::string& key) const { return values_.count(key) != 0; }
  /// What follows "key="; empty for a bare word.
  const std::string& text(const std::string& key) const;
  /// The whole value as a decimal number of up to 64 bits.
  std::uint64_t count(const std::string& key) const;
  /// The same, for sizes of switches and the like.
  std::uint32_t size(const std::string& key) const;
  /// A set of numbers 0 .. `members` - 1 in hexadecimal.
  BitSet mask(const std::string& key, std::size_t members) const;
  /// The same of a list "3,5,6,9".
  std::vector<BitSet> masks(const std::string& key, std::size_t members) const;
  /// Keys and bare words, in their order in the field.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::vector<std::string> keys_;
  std::map<std::string, std::string> values_;
};

/// A recomputed item: its key in `expected`, and its text.
using Computed = std::pair<std::string, std::string>;

/// Compares a field "m=13 x=2" key by key with what was computed. A key that `expected` names and
/// `computed` lacks, or an empty field, throws std::invalid_argument; a key that `expected` leaves
/// out is not verified.
Verdict compare(const std::string& expected, const std::vector<Computed>& computed);

}  // namespace flitcast::conformance
