// SPDX-License-Identifier: Apache-2.0
// The fuzzer of one reader, which the environment names: FLITCAST_READER=yaml flitcast-fuzz CORPUS.
// Its options are libFuzzer's.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <systemc>

#include "fuzz/readers.h"

namespace {

const flitcast::Reader& chosen() {
  const char* const name = std::getenv("FLITCAST_READER");
  static const flitcast::Reader& reader = flitcast::reader(name == nullptr ? "" : name);
  return reader;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen().read(std::string(data, data + size));
  return 0;
}

/// SystemC's library asks for it; a fuzzer starts elsewhere.
int sc_main(int, char*[]) { return 0; }
