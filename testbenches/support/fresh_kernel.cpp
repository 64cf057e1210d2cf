// SPDX-License-Identifier: Apache-2.0
#include "support/fresh_kernel.h"

#include <cstddef>
#include <systemc>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define FLITCAST_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FLITCAST_ADDRESS_SANITIZER
#endif
#endif
#ifdef FLITCAST_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace flitcast::testing {

// Keeps the old kernels, because modules that outlive their test still point to them.
void install_fresh_kernel() {
  static auto& kept = *new std::vector<sc_core::sc_simcontext*>;  // Reachable for the leak check.
  kept.push_back(sc_core::sc_curr_simcontext);
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
}

void forget_unwound_frames() {
#ifdef FLITCAST_ADDRESS_SANITIZER
  constexpr std::size_t kDeepest = std::size_t{1} << 18;
  char* const here = static_cast<char*>(__builtin_frame_address(0));
  __asan_unpoison_memory_region(here - kDeepest, kDeepest);
#endif
}

}  // namespace flitcast::testing
