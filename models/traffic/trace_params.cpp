// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_params.h"

#include "config/catalog.h"
#include "traffic/trace_format.h"

namespace flitcast {

std::vector<Param> trace_params() {
  using Type = Param::Type;
  std::vector<Param> params = menu_params(
      {"format", Type::kChoice, {}, "", "How the packets are written down."}, trace_formats());
  params.push_back(
      {"file",
       Type::kText,
       {},
       "",
       "The trace, plain or compressed by bzip2; relative to the configuration's folder "
       "or else to the working directory."});
  Param dependencies{"dependencies", Type::kChoice, "honour", "",
                     "Whether a packet waits for the packets that it depends on."};
  dependencies.choices = {"honour", "ignore"};
  params.push_back(dependencies);
  return params;
}

}  // namespace flitcast
