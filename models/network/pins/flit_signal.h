// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "base/flit.h"

namespace flitcast {

// What sc_signal<Flit> asks of its type.

inline bool operator==(const Flit& a, const Flit& b) {
  return a.destination == b.destination && a.packet == b.packet && a.remaining == b.remaining &&
         a.hops == b.hops && a.ties == b.ties && a.head == b.head;
}

inline std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  return out << (flit.head ? "head " : "flit ") << index(flit.packet) << " to "
             << index(flit.destination) << ", " << flit.remaining << " follow";
}

inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  static_assert(sizeof(NodeId) == sizeof(unsigned) && sizeof(PacketSlot) == sizeof(unsigned));
  sc_core::sc_trace(file, reinterpret_cast<const unsigned&>(flit.destination),
                    name + ".destination");
  sc_core::sc_trace(file, reinterpret_cast<const unsigned&>(flit.packet), name + ".packet");
  sc_core::sc_trace(file, flit.remaining, name + ".remaining");
  sc_core::sc_trace(file, flit.head, name + ".head");
}

}  // namespace flitcast
