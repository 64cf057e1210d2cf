// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verify_controller/verify.h"

namespace flitcast::verify {

/// Throws std::runtime_error if no file can be created in the folder, which is created if
/// necessary.
void require_writable(const std::string& folder);

/// Writes the scenario of the verdict as STEM.json and its waveform as STEM.fst, each completely or
/// not at all.
/// Throws std::runtime_error with the name of a file that cannot be written, for instance on a full
/// disk. A waveform of a long replay of more than 16 MiB that does not fit may be truncated
/// silently, or end the program.
void write_replay(const std::string& stem, const Verdict& verdict);
void write_waveform(const std::string& stem, const Task& task, const Verdict& verdict,
                    const MakeDut& make_dut);

}  // namespace flitcast::verify
