// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast {

/// The program `flitcast`: reads the command line, runs the command and returns the exit code;
/// errors are messages on standard error. Must be called once per process, because SystemC
/// elaborates once.
///
/// A program with own models adds entries to the catalogs (topologies(), routings(), workloads(),
/// ...) before the call; its experiments can then name them like built-in entries.
int run_program(int argc, char* argv[]);

}  // namespace flitcast
