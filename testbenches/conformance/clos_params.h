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
/// the bare word "(exhaustive)". Fields `params` have this form, and many fields `expected`.
///
/// Throws std::invalid_argument for text that describes no instance: a key that is missing or
/// occurs twice, or an invalid number or mask.
class ClosParams {
 public:
  explicit ClosParams(const std::string& field);
  /// Requires that the instance has no words other than these: keys as "n=", bare words unchanged.
  /// A row with an unknown word must not be computed without it.
  ClosParams(const std::string& field, const std::vector<std::string>& understood);

  /// True if there is such a key, or such a bare word.
  bool has(const std::string& key) const { return values_.count(key) != 0; }
  /// The text after "key="; empty for a bare word.
  const std::string& text(const std::string& key) const;
  /// The whole value as a decimal number of up to 64 bits.
  std::uint64_t count(const std::string& key) const;
  /// The number for sizes of switches and the like, up to 32 bits.
  std::uint32_t size(const std::string& key) const;
  /// A set of numbers 0 .. `members` - 1 in hexadecimal.
  BitSet mask(const std::string& key, std::size_t members) const;
  /// The sets of a list "3,5,6,9".
  std::vector<BitSet> masks(const std::string& key, std::size_t members) const;
  /// The keys and bare words in the order of the field.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::vector<std::string> keys_;
  std::map<std::string, std::string> values_;
};

/// A recomputed item: its key in `expected`, and its text.
using Computed = std::pair<std::string, std::string>;

/// Compares a field "m=13 x=2" key by key with the computed items. A key of `expected` that
/// `computed` lacks, or an empty field, throws std::invalid_argument; a key that `expected` omits
/// is not checked.
Verdict compare(const std::string& expected, const std::vector<Computed>& computed);

}  // namespace flitcast::conformance
