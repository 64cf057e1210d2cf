// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast {

/// The program `flitcast`: reads the command line, runs the command and returns the exit code;
/// errors are messages on standard error. Once per process, as SystemC elaborates once.
///
/// A program of its own adds entries to the catalogs (topologies(), routings(), workloads(), ...)
/// and then calls this: its experiments may name them like those that are there.
int run_program(int argc, char* argv[]);

}  // namespace flitcast
