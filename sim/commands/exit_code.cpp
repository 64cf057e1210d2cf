// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <iostream>
#include <new>
#include <system_error>
#include <systemc>

#include "config/problem.h"
#include "config/wording.h"
#include "sim/commands/commands.h"

namespace flitcast {
namespace {

int tell(int exit_code, const std::string& what) {
  std::cerr << what << '\n';
  return exit_code;
}

}  // namespace

int exit_code_of(const std::function<int()>& command) {
  try {
    return command();
  } catch (const ConfigError& error) {
    return tell(kBadInput, error.what());
  } catch (const std::system_error& error) {
    return tell(kBadInput, visible(error.what()));
  } catch (const std::bad_alloc&) {
    return tell(kBadInput, "out of memory; `flitcast check` estimates what an experiment needs");
  } catch (const sc_core::sc_report& report) {
    return tell(kBrokenInvariant, std::string("internal error: ") + report.get_msg());
  } catch (const std::exception& error) {
    return tell(kBrokenInvariant, std::string("internal error: ") + error.what());
  }
}

}  // namespace flitcast
