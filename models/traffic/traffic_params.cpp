// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic_params.h"

#include <utility>

#include "config/catalog.h"
#include "traffic/make_load.h"
#include "traffic/pattern.h"

namespace flitcast {

std::vector<Param> traffic_params() {
  std::vector<Param> params = menu_params(
      {"pattern", Param::Type::kChoice, "uniform", "", "Who sends to whom."}, patterns());
  for (Param& param : load_params()) params.push_back(std::move(param));
  return params;
}

std::vector<Param> multicast_traffic_params() {
  std::vector<Param> params{{"fan_out", Param::Type::kInteger, 0, "switches",
                             "Most output switches of a request, one node at each; 0: all.", 0,
                             65536}};
  for (Param& param : load_params()) params.push_back(std::move(param));
  return params;
}

}  // namespace flitcast
