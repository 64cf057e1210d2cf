// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitcast {

/// The examples of an entry of a catalog; one section without keys if the entry has no examples.
template <class Entry>
std::vector<std::string> examples_of(const Entry& entry) {
  return entry.examples.empty() ? std::vector<std::string>{""} : entry.examples;
}

}  // namespace flitcast
