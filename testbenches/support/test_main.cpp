// SPDX-License-Identifier: Apache-2.0
// The test session, run inside SystemC's kernel.
#define CATCH_CONFIG_RUNNER
#include <cstddef>
#include <systemc>
#include <vector>

#include "support/fresh_kernel.h"
#include "support/test_catch.h"

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

// The old kernels are kept: modules that outlive their test still point to them.
void install_fresh_kernel() {
  static auto& kept = *new std::vector<sc_core::sc_simcontext*>;  // Outlives the leak check.
  kept.push_back(sc_core::sc_curr_simcontext);
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
}

namespace {

// SystemC 2.3.4 tells the address sanitizer of every switch of its threads, but not where the main
// stack is that it comes back to. After an exception the sanitizer then leaves the frames that were
// unwound marked as theirs; they are given back before each test body.
void forget_unwound_frames() {
#ifdef FLITCAST_ADDRESS_SANITIZER
  constexpr std::size_t kDeepest = std::size_t{1} << 18;
  char* const here = static_cast<char*>(__builtin_frame_address(0));
  __asan_unpoison_memory_region(here - kDeepest, kDeepest);
#endif
}

#if CATCH_VERSION_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

// Every run of a test body gets a kernel of its own.
class FreshKernel : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void sectionStarting(const Catch::SectionInfo& section) override {
    ListenerBase::sectionStarting(section);
    forget_unwound_frames();
    if (depth_++ == 0) install_fresh_kernel();
  }

  void sectionEnded(const Catch::SectionStats& section) override {
    --depth_;
    ListenerBase::sectionEnded(section);
  }

 private:
  int depth_ = 0;  // Sections nest; the outermost one is the test body.
};

CATCH_REGISTER_LISTENER(FreshKernel)

}  // namespace
}  // namespace flitcast::testing

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL,
                                          sc_core::SC_DISPLAY | sc_core::SC_THROW);
  return Catch::Session().run(argc, argv);
}
