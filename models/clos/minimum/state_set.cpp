// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/state_set.h"

#include <algorithm>

#include "clos/minimum/configuration.h"

namespace flitcast::clos {
namespace {

constexpr std::size_t kFirstSlots = std::size_t{1} << 12;

}  // namespace

StateSet::StateSet(std::size_t words, std::uint64_t most_bytes)
    : words_(words), most_bytes_(most_bytes), table_(kFirstSlots, kNone) {}

// A loop, since keys have one or two words and a library call costs more than the comparison.
bool StateSet::has_key(StateId id, const std::uint64_t* key) const {
  const std::uint64_t* const own = this->key(id);
  for (std::size_t w = 0; w < words_; ++w) {
    if (own[w] != key[w]) return false;
  }
  return true;
}

// Similar keys get distant slots.
std::size_t StateSet::first_slot(const std::uint64_t* key) const {
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < words_; ++w) hash = mix(hash ^ key[w]);
  return static_cast<std::size_t>(hash) & (table_.size() - 1);
}

std::size_t StateSet::slot_of(const std::uint64_t* key) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = first_slot(key);
  while (table_[slot] != kNone && !has_key(table_[slot], key)) slot = (slot + 1) & mask;
  return slot;
}

StateId StateSet::insert(const std::uint64_t* key, StateId parent) {
  std::size_t slot = slot_of(key);
  if (table_[slot] != kNone) return table_[slot];
  const std::size_t slots = table_.size();
  if (!make_space()) return kNone;
  if (table_.size() != slots) slot = slot_of(key);
  const auto id = static_cast<StateId>(size_++);
  Chunk& chunk = chunks_[id / kChunk];
  std::copy_n(key, words_, chunk.keys.get() + id % kChunk * words_);
  chunk.parents[id % kChunk] = parent;
  return table_[slot] = id;
}

// Grows both tables if needed, or neither.
bool StateSet::make_space() {
  const bool chunk_full = size_ == chunks_.size() * kChunk;
  const bool table_full = (size_ + 1) * 3 > table_.size() * 2;
  const std::uint64_t growth =
      (chunk_full ? chunk_bytes() : 0) + (table_full ? 2 * table_.size() * sizeof(StateId) : 0);
  if (size_ + 1 >= kNone || bytes() + growth > most_bytes_) return false;
  if (table_full) grow_table();
  if (chunk_full) {
    chunks_.push_back(
        {std::make_unique<std::uint64_t[]>(kChunk * words_), std::make_unique<StateId[]>(kChunk)});
  }
  return true;
}

void StateSet::grow_table() {
  table_ = std::vector<StateId>(2 * table_.size(), kNone);
  for (StateId id = 0; id < size_; ++id) table_[slot_of(key(id))] = id;
}

}  // namespace flitcast::clos
