// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "base/bit_set.h"

namespace flitcast {

// What sc_signal<BitSet> asks of its type. Give such a signal a set of its size as initial value:
// sc_signal<BitSet> served{"served", BitSet(r)}. Its size must not change then.

inline std::ostream& operator<<(std::ostream& out, const BitSet& set) { return out << to_hex(set); }

inline void sc_trace(sc_core::sc_trace_file* file, const BitSet& set, const std::string& name) {
  for (std::size_t w = 0; w < set.word_count(); ++w) {
    sc_core::sc_trace(file, set.words()[w], name + "." + std::to_string(w));
  }
}

}  // namespace flitcast
