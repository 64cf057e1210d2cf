// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective_params.h"

#include "base/flit.h"
#include "collective/catalog.h"

namespace flitcast {

namespace {

using Type = Param::Type;

void append(std::vector<Param>& params, std::vector<Param> more) {
  for (Param& param : more) params.push_back(std::move(param));
}

}  // namespace

std::vector<Param> collective_params() {
  Param operation{"operation", Type::kChoice, "broadcast", "", "What all nodes do together."};
  for (const OperationEntry& entry : operations()) operation.choices.emplace_back(entry.name);
  std::vector<Param> params{operation};
  for (const OperationEntry& entry : operations()) {
    append(params, only_while("operation", entry.name,
                              menu_params({"algorithm", Type::kChoice, nullptr, "", "Schedule."},
                                          entry.algorithms())));
  }
  Param source{"source", Type::kInteger, 0, "node", "The one that has the data.", 0, 16777215};
  source.when = {"operation", {"broadcast", "scatter"}};
  Param timing{
      "timing", Type::kChoice, "rounds", "",
      "rounds: each waits for the one before; self_timed: sends wait for their data only."};
  timing.choices = {"rounds", "self_timed"};
  append(params, {source,
                  {"length", Type::kInteger, 64, "flits", "Of a chunk.", 1, kMaxPacketLength},
                  timing});
  return params;
}

}  // namespace flitcast
