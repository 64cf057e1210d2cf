// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verify_controller/verify.h"

namespace flitcast::verify {

/// Throws std::runtime_error if no file can be made in the folder, which is created if need be.
void require_writable(const std::string& folder);

/// The scenario of the verdict as STEM.json and its waveform as STEM.fst, each whole or not at all.
/// Throws std::runtime_error with the name of the file that cannot be written, on a full disk, say.
/// A waveform of more than 16 MiB, of a long replay, that does not fit may be cut short without a
/// word, or end the program.
void write_replay(const std::string& stem, const Verdict& verdict);
void write_waveform(const std::string& stem, const Task& task, const Verdict& verdict,
                    const MakeDut& make_dut);

}  // namespace flitcast::verify
