// SPDX-License-Identifier: Apache-2.0
// Runs the test session inside SystemC's kernel.
#define CATCH_CONFIG_RUNNER
#include <systemc>

#include "support/fresh_kernel.h"
#include "support/test_catch.h"

namespace flitcast::testing {
namespace {

#if CATCH_VERSION_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

// Installs a new kernel for every run of a test body.
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
