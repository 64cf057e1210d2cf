// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/sequences.h"

namespace flitcast::clos {

/// A state of a search, numbered from 0 in the order of discovery.
using StateId = std::uint32_t;

/// The states that a search has found, each once, with its predecessor.
///
/// States are keys of w 64-bit words. Memory: 8 w + 4 bytes per state, and 4 bytes per slot of a
/// hash table with open addressing that is at most 2/3 full; it doubles when it grows, so that a
/// state takes 8 w + 10 to 8 w + 16 bytes, and briefly 8 w + 22. The limit is never exceeded: a
/// full set reports that and stays unchanged.
class StateSet {
 public:
  static constexpr StateId kNone = ~StateId{0};

  /// @param words       Words of a key, at least 1.
  /// @param most_bytes  Limit on memory.
  StateSet(std::size_t words, std::uint64_t most_bytes);

  std::size_t size() const { return size_; }
  std::uint64_t bytes() const {
    return chunks_.size() * chunk_bytes() + table_.size() * sizeof(StateId);
  }

  /// Prefetches the slot of a key that will be looked up soon. The tables are larger than caches,
  /// so waiting for memory would take half of a search's time.
  void prefetch(const std::uint64_t* key) const { __builtin_prefetch(&table_[first_slot(key)]); }
  /// The state with this key; new if id == size() before. kNone if it is new and there is no space.
  StateId insert(const std::uint64_t* key, StateId parent);

  const std::uint64_t* key(StateId id) const {
    return chunks_[id / kChunk].keys.get() + id % kChunk * words_;
  }
  StateId parent(StateId id) const { return chunks_[id / kChunk].parents[id % kChunk]; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 14;

  struct Chunk {
    std::unique_ptr<std::uint64_t[]> keys;
    std::unique_ptr<StateId[]> parents;
  };

  std::size_t first_slot(const std::uint64_t* key) const;
  bool has_key(StateId id, const std::uint64_t* key) const;
  /// The slot of the key, or the free slot for it.
  std::size_t slot_of(const std::uint64_t* key) const;
  bool make_space();
  void grow_table();
  std::uint64_t chunk_bytes() const { return kChunk * (words_ * 8 + sizeof(StateId)); }

  std::size_t words_;
  std::uint64_t most_bytes_;
  std::size_t size_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<StateId> table_;  ///< kNone: free. Its size is a power of two.
};

/// States that wait to be processed: the highest score first, the newest among equals.
class ScoredStack {
 public:
  /// @param scores  Upper limit of scores, exclusive.
  explicit ScoredStack(std::size_t scores) : by_score_(scores) {}

  void add(StateId id, std::size_t score) { by_score_[score].push_back(id); }
  /// Pops from a non-empty stack.
  StateId take() {
    std::size_t score = by_score_.size() - 1;
    while (by_score_[score].empty()) --score;
    const StateId id = by_score_[score].back();
    by_score_[score].pop_back();
    return id;
  }
  std::uint64_t bytes() const {
    return sum_of<std::uint64_t>(
        by_score_, [](const auto& states) { return states.capacity() * sizeof(StateId); });
  }

 private:
  std::vector<std::vector<StateId>> by_score_;
};

}  // namespace flitcast::clos
