// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flitcast {

/// The 64-bit FNV-1a hash of a text, as 16 hex digits. It tells texts apart that differ by
/// accident, not by intent. Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic
/// Hash Algorithm".
inline std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  std::string digits(16, '0');
  for (std::size_t d = digits.size(); d-- > 0; hash >>= 4)
    digits[d] = "0123456789abcdef"[hash & 15];
  return digits;
}

}  // namespace flitcast
