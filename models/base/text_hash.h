// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flitcast {

/// The 64-bit FNV-1a hash of a text that is given in parts, as 16 hex digits. It distinguishes
/// texts that differ by accident, but does not resist attacks.
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm".
class TextHash {
 public:
  void add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  std::string digits() const {
    std::string digits(16, '0');
    std::uint64_t rest = hash_;
    for (std::size_t d = digits.size(); d-- > 0; rest >>= 4) {
      digits[d] = "0123456789abcdef"[rest & 15];
    }
    return digits;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

inline std::string hash_text(std::string_view text) {
  TextHash hash;
  hash.add(text);
  return hash.digits();
}

}  // namespace flitcast
