// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace flitcast {

namespace detail {

constexpr unsigned log2_ceil(unsigned value) {
  unsigned log2 = 0;
  while ((1U << log2) < value) ++log2;
  return log2;
}

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// Places arrays one after another into a block of the caller, or only measures the arrays if there
/// is no block.
class BumpAllocator {
 public:
  explicit BumpAllocator(std::byte* block) : block_(block) {}

  template <class T>
  T* take(std::size_t count) {
    std::byte* const at = block_ == nullptr ? nullptr : block_ + used_;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer.
    used_ += aligned(count * sizeof(T));
    if (at == nullptr) return nullptr;
    T* const array = reinterpret_cast<T*>(at);
    std::uninitialized_value_construct_n(array, count);
    return array;
  }
  std::size_t used() const { return used_; }

 private:
  std::byte* block_;
  std::size_t used_ = 0;
};

/// The number of stages beyond the first, each of which needs a register.
constexpr unsigned extra_stages(unsigned cycles) { return cycles > 1 ? cycles - 1 : 0; }

}  // namespace detail

}  // namespace flitcast
