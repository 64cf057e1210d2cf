// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traffic/chakra_writer.h"

namespace flitcast::program {

/// The trace of sim/examples/training_step: one training step of a two-layer model on 16
/// data-parallel ranks. Gradients of the second layer are summed while those of the first are
/// computed. Rank 5 is the slowest.
inline ChakraProgram training_step() {
  constexpr std::int64_t kAllReduce = 0;
  constexpr std::int64_t kGradients = 32768;  // Bytes of a layer.
  ChakraProgram program;
  for (std::size_t rank = 0; rank < 16; ++rank) {
    program.push_back(
        {computation(0, rank == 5 ? 6 : 4),                                   // Forward.
         computation(1, 5, {0}),                                              // Backward, layer 2.
         collective(2, kAllReduce, kGradients, {1}), computation(3, 5, {1}),  // Backward, layer 1.
         collective(4, kAllReduce, kGradients, {3}), computation(5, 2, {2, 4})});  // New weights.
  }
  return program;
}

}  // namespace flitcast::program
