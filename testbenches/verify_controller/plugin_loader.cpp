// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/plugin_loader.h"

#include <dlfcn.h>

#include <stdexcept>

namespace flitcast::verify {

MakeDut load_plugin(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  using Make = Dut* (*)(unsigned);
  const auto make = reinterpret_cast<Make>(dlsym(library, "flitcast_make_dut"));
  if (make == nullptr) throw std::runtime_error(dlerror());
  return [make](unsigned seed) { return std::unique_ptr<Dut>(make(seed)); };
}

}  // namespace flitcast::verify
