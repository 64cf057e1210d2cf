// SPDX-License-Identifier: Apache-2.0
// libsystemc's main calls sc_main: the test session runs inside it.
#define CATCH_CONFIG_RUNNER
#include <systemc>

#include "support/test_catch.h"

namespace {

// A module built after sc_start throws E529, so every test body gets a kernel of its own. The old one
// is leaked: modules that outlive their test still point to it.
class FreshKernel : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;

  void sectionStarting(const Catch::SectionInfo& section) override {
    TestEventListenerBase::sectionStarting(section);
    if (m_sectionStack.size() == 1) {
      sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
      sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
    }
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(FreshKernel)

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL,
                                          sc_core::SC_DISPLAY | sc_core::SC_THROW);
  return Catch::Session().run(argc, argv);
}
