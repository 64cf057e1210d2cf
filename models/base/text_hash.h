// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

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
  std::uint64_t value() const { return hash_; }
  std::string digits() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

inline std::string hash_text(std::string_view text) {
  TextHash hash;
  hash.add(text);
  return hash.digits();
}

}  // namespace flitcast
