// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "traffic/trace.h"

namespace flitcast {

/// Reads a Netrace 1.0 trace: the coherence messages of a 64-core system with their dependencies.
///
/// All numbers are little-endian.
///
///   header       4 magic 0x484A5455, 4 version (float 1.0), 30 name, 1 number of nodes, 1 unused,
///                8 cycles, 8 packets, 4 length of the notes, 4 number of regions, 8 unused;
///                the notes; 24 for each region
///   each packet  8 cycle, 4 id, 4 address, 1 type, 1 source, 1 destination, 1 kinds of the nodes,
///                1 number of dependencies; 4 for each: the id of a packet that waits for this one
///
/// A message is 8 bytes long, or 72 if its type carries a cache line of 64; the packet has
/// ceil(bytes / flit_bytes) flits. A packet of a message to the sender itself stays one.
///
/// @param file  For messages. A malformed trace throws ConfigError with the byte, counted in the
///              uncompressed file, and the reason.
/// Source: Hestness, Grot and Keckler, Netrace: Dependency-Driven Trace-Based Network-on-Chip
/// Simulation, NoCArc 2010; Hestness and Keckler, technical report TR-10-11, UT Austin.
Trace read_netrace(std::istream& in, const std::string& file, std::uint32_t flit_bytes);

}  // namespace flitcast
