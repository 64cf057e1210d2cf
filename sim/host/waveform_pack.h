// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace flitcast {

/// Where the value change dump of a waveform goes: its own file, or beside x.fst, into which it is
/// packed in the end, x.fst.vcd.
std::string dump_of(const std::string& waveform);

/// Throws ConfigError, about --fst, unless there is a program here that packs.
void require_packer();

/// Packs the dump of x.fst and removes it; nothing for other files, or without a dump. A file of
/// FST has about a tenth of the size of a long dump. Throws std::system_error if it cannot be
/// written; the dump stays then.
/// Source: GTKWave, vcd2fst(1).
void pack_waveform(const std::string& waveform);

}  // namespace flitcast
