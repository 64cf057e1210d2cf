// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "traffic/trace.h"

namespace flitcast {

/// Reads packets from comma-separated text.
///
///   # all-to-one, then the answer
///   cycle, src, dst, flits, id, deps
///   0,     1,   0,   5,     10,
///   0,     2,   0,   5,     11,
///   40,    0,   1,   1,     12,  10;11
///
/// The first line names the columns, in any order; the rows need not be sorted. Blank lines and
/// lines that start with # are skipped.
///
///   cycle   not created before, 0 to kMaxTraceCycle
///   src     node, 0 to 2^32 - 1
///   dst     node, 0 to 2^32 - 1
///   flits   length, 1 to kMaxPacketLength
///   id      optional: a number that no other row has, below 2^64
///   deps    optional, needs id: ids of the packets that must have arrived, parted by `;` or blanks
///   class   optional: for the reader; the network knows no message classes
///
/// @param file  For messages. All faults are thrown as one ConfigError with line, column and
///              remedy.
Trace read_csv_trace(std::istream& in, const std::string& file);

}  // namespace flitcast
