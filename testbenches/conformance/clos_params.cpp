// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_params.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

std::uint64_t to_number(const std::string& key, const std::string& text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  for (const char c : text) {
    const std::uint64_t digit = static_cast<unsigned char>(c) - std::uint64_t{'0'};
    if (digit > 9 || number > (kMost - digit) / 10) {
      throw std::invalid_argument(key + "=" + text + " is not a number of up to 64 bits");
    }
    number = 10 * number + digit;
  }
  if (text.empty()) throw std::invalid_argument(key + " has no value; give it a number");
  return number;
}

}  // namespace

ClosParams::ClosParams(const std::string& field) {
  for (const std::string& word : split(field, ' ')) {
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (!values_.emplace(key, value).second) {
      throw std::invalid_argument("\"" + key + "\" is given twice in \"" + field + "\"");
    }
    keys_.push_back(key);
  }
}

ClosParams::ClosParams(const std::string& field, const std::vector<std::string>& understood)
    : ClosParams(field) {
  for (const std::string& word : split(field, ' ')) {
    const std::size_t equals = word.find('=');
    const std::string name = equals == std::string::npos ? word : word.substr(0, equals + 1);
    if (name.empty()) continue;
    if (std::find(understood.begin(), understood.end(), name) == understood.end()) {
      throw std::invalid_argument("\"" + name + "\" in \"" + field + "\" is not understood here");
    }
  }
}

const std::string& ClosParams::text(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw std::invalid_argument("no \"" + key + "=\" is given");
  return found->second;
}

std::uint64_t ClosParams::count(const std::string& key) const { return to_number(key, text(key)); }

std::uint32_t ClosParams::size(const std::string& key) const {
  const std::uint64_t number = count(key);
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument(key + "=" + text(key) + " is too large for a size");
  }
  return static_cast<std::uint32_t>(number);
}

BitSet ClosParams::mask(const std::string& key, std::size_t members) const {
  return from_hex(text(key), members);
}

std::vector<BitSet> ClosParams::masks(const std::string& key, std::size_t members) const {
  std::vector<BitSet> sets;
  for (const std::string& mask : split(text(key), ',')) sets.push_back(from_hex(mask, members));
  return sets;
}

Verdict compare(const std::string& expected, const std::vector<Computed>& computed) {
  const ClosParams wanted(expected);
  if (wanted.keys().empty()) throw std::invalid_argument("nothing is expected");
  std::vector<Difference> differences;
  for (const std::string& key : wanted.keys()) {
    const auto got = std::find_if(computed.begin(), computed.end(),
                                  [&](const Computed& item) { return item.first == key; });
    if (got == computed.end()) {
      throw std::invalid_argument("no result is called \"" + key + "\" here");
    }
    if (got->second != wanted.text(key)) {
      differences.push_back({key, wanted.text(key), got->second});
    }
  }
  return Verdict::of(std::move(differences));
}

}  // namespace flitcast::conformance
