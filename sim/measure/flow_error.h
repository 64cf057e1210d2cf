// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/figures.h"

namespace flitcast {

/// The error of the completion cycle of runs with run.level: flow, measured on collective
/// operations that were run at both levels.
struct FlowError {
  std::size_t cases = 0;
  double mean = 0;     ///< Mean of the absolute errors, in percent of the cycles of flits.
  double largest = 0;  ///< The largest absolute error, in percent.
};

/// The error over the cases of an operation or, for others, over all cases.
FlowError flow_error(const std::string& operation);

extern const FigureTable<FlowError> kFlowErrorFigures;

/// The table of cases that scripts/flow_cases writes: operation, topology, algorithm and length,
/// then the cycles at the level of flits and at that of flows.
extern const char* const kFlowCases;

}  // namespace flitcast
