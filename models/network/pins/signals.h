// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "base/bit_set.h"
#include "base/flit.h"

namespace flitcast {

// The functions below are required by sc_signal<Flit>.

inline bool operator==(const Flit& a, const Flit& b) {
  return a.destination == b.destination && a.packet == b.packet && a.remaining == b.remaining &&
         a.hops == b.hops && a.ties == b.ties && a.head == b.head && a.route_field == b.route_field;
}

inline std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  return out << (flit.head ? "head " : "flit ") << index(flit.packet) << " to "
             << index(flit.destination) << ", " << flit.remaining << " follow";
}

inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  // The kernel keeps references and has no overload for identifiers, so it gets the numbers in
  // them.
  const auto number = [](const auto& id) -> const unsigned& {
    static_assert(sizeof(id) == sizeof(unsigned));
    return *static_cast<const unsigned*>(static_cast<const void*>(&id));
  };
  sc_core::sc_trace(file, number(flit.destination), name + ".destination");
  sc_core::sc_trace(file, number(flit.packet), name + ".packet");
  sc_core::sc_trace(file, flit.remaining, name + ".remaining");
  sc_core::sc_trace(file, flit.head, name + ".head");
}

// The functions below are required by sc_signal<BitSet>. The initial value of such a signal sets
// its size, which must not change: sc_signal<BitSet> served{"served", BitSet(r)}.

inline std::ostream& operator<<(std::ostream& out, const BitSet& set) { return out << to_hex(set); }

inline void sc_trace(sc_core::sc_trace_file* file, const BitSet& set, const std::string& name) {
  for (std::size_t w = 0; w < set.word_count(); ++w) {
    sc_core::sc_trace(file, set.words()[w], name + "." + std::to_string(w));
  }
}

namespace pins {

/// The values on the flit wires of a channel, or on its credit wires, in a cycle.
struct Token {
  bool valid = false;
  unsigned vc = 0;
  Flit flit{};

  /// True for a flit or credit of this VC; with `heads_only`, for a head.
  bool carries(unsigned of_vc, bool heads_only) const {
    return valid && vc == of_vc && (flit.head || !heads_only);
  }
};

/// A vector of ports of a module.
template <class T>
using Inputs = sc_core::sc_vector<sc_core::sc_in<T>>;
template <class T>
using Outputs = sc_core::sc_vector<sc_core::sc_out<T>>;

}  // namespace pins
}  // namespace flitcast
