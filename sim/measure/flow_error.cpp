// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/flow_error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "config/csv.h"

namespace flitcast {

FlowError flow_error(const std::string& operation) {
  FlowError all;
  FlowError own;
  std::istringstream text(kFlowCases);
  for (const CsvRecord& record : read_csv(text, "flow_cases.csv")) {
    if (record.line == 1) continue;
    const double flits = std::stod(record.fields[4]);
    const double error = 100 * std::abs(std::stod(record.fields[5]) - flits) / flits;
    for (FlowError* const one : {&all, &own}) {
      if (one == &own && record.fields[0] != operation) continue;
      ++one->cases;
      one->mean += (error - one->mean) / static_cast<double>(one->cases);
      one->largest = std::max(one->largest, error);
    }
  }
  return own.cases > 0 ? own : all;
}

const FigureTable<FlowError> kFlowErrorFigures{
    {"flow.cases", "",
     "At run.level flow: operations like this one, or any if there is none, that were run at both "
     "levels.",
     &FlowError::cases},
    {"flow.mean_error_percent", "%", "Mean error of their completion cycles at the flow level.",
     &FlowError::mean},
    {"flow.largest_error_percent", "%", "The largest of these errors.", &FlowError::largest},
};

}  // namespace flitcast
