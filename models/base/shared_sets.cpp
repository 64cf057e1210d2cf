// SPDX-License-Identifier: Apache-2.0
#include "base/shared_sets.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace flitcast {

SharedSet SharedSets::range(std::size_t first, std::size_t size) const {
  const bool is_part = size > 0 && size < members_;
  return {static_cast<std::uint32_t>(is_part ? first : 0), static_cast<std::uint32_t>(size)};
}

bool SharedSets::test(const SharedSet& set, std::size_t member) const {
  if (set.is_range()) {
    return (member < set.first ? member + members_ : member) - set.first < set.size;
  }
  return (stored_[set.first - SharedSet::kStored][member / 64] >> member % 64 & 1) != 0;
}

// The union of two ranges is a range if one of them begins in the other, or right behind it.
SharedSet SharedSets::united(const SharedSet& a, const SharedSet& b) {
  for (const auto& [front, back] : {std::pair(a, b), std::pair(b, a)}) {
    if (back.size == 0) return front;
    const std::size_t offset = (members_ + back.first - front.first) % members_;
    if (!a.is_range() || !b.is_range() || offset > front.size) continue;
    const std::size_t size = std::max<std::size_t>(front.size, offset + back.size);
    return range(front.first, std::min(members_, size));
  }
  if (a == last_a_ && b == last_b_) return last_union_;
  BitSet bits(members_);
  for (const SharedSet& set : {a, b}) {
    if (!set.is_range()) bits |= BitSet(members_, stored_[set.first - SharedSet::kStored]);
    for (std::size_t n = 0; n < set.size && set.is_range(); ++n) {
      bits.set((set.first + n) % members_);
    }
  }
  const SharedSet result = shared(bits);
  last_a_ = a;
  last_b_ = b;
  return last_union_ = result;
}

SharedSet SharedSets::shared(const BitSet& bits) {
  const std::size_t begin =
      bits.find([&](std::size_t member) { return !bits.test((member + members_ - 1) % members_); });
  const SharedSet run = range(begin, bits.count());
  if (bits.find([&](std::size_t member) { return !test(run, member); }) == members_) return run;
  std::vector<SetWord> words{bits.words(), bits.words() + bits.word_count()};
  if (stored() == most_stored_ && places_.count(words) == 0) {
    throw std::length_error("more than " + std::to_string(most_stored_) + " different sets of " +
                            std::to_string(members_) + " numbers");
  }
  const auto [place, is_new] =
      places_.try_emplace(std::move(words), static_cast<std::uint32_t>(stored()));
  if (is_new) stored_.push_back(place->first.data());
  return {SharedSet::kStored + place->second, run.size};
}

}  // namespace flitcast
