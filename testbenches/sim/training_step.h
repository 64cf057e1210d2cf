// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traffic/chakra_writer.h"

namespace flitcast::program {

/// The trace of sim/examples/training_step: a step of training a model of two layers on 16 ranks
/// that have the data in parts. Gradients of the second layer are summed up while those of the
/// first are computed. Rank 5 is the slowest.
inline ChakraProgram training_step() {
  constexpr std::int64_t kAllReduce = 0;
  constexpr std::int64_t kGradients = 32768;  // Bytes of a layer.
  ChakraProgram program;
  for (std::size_t rank = 0; rank < 16; ++rank) {
    program.push_back(
        {computation(0, rank == 5 ? 6 : 4),  // Forward,
         computation(1, 5, {0}),             // and backward through layer 2
         collective(2, kAllReduce, kGradients, {1}), computation(3, 5, {1}),       // and layer 1.
         collective(4, kAllReduce, kGradients, {3}), computation(5, 2, {2, 4})});  // New weights.
  }
  return program;
}

}  // namespace flitcast::program
