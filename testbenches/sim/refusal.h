// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "folder.h"
#include "program.h"
#include "support/test_catch.h"

namespace flitcast::program {

/// True if a text contains a part.
inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Starts flitcast with faulty input, checks the common requirements (exit code 2, no standard
/// output, no file changed), and returns the text of standard error.
inline std::string refusal(const Folder& folder, const Arguments& arguments) {
  const std::vector<std::string> before = folder.contents();
  const Outcome outcome = run(folder.path(), arguments);
  INFO("flitcast " << Catch::Detail::stringify(arguments) << "\n" << outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(folder.contents() == before);
  CHECK(outcome.err.find("internal error") == std::string::npos);
  return outcome.err;
}

}  // namespace flitcast::program
