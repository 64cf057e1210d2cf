// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic_params.h"

#include <utility>

#include "base/flit.h"
#include "config/catalog.h"
#include "traffic/injection.h"
#include "traffic/pattern.h"

namespace flitcast {

std::vector<Param> traffic_params() {
  using Type = Param::Type;
  using nlohmann::json;
  std::vector<Param> params =
      menu_params({"pattern", Type::kChoice, "uniform", "", "Who sends to whom."}, patterns());
  params.push_back({"load", Type::kNumber, 0.1, "flits per node and cycle", "Offered load.", 0});
  for (Param& param :
       menu_params({"injection", Type::kChoice, "bernoulli", "", "When a node creates packets."},
                   injections())) {
    params.push_back(std::move(param));
  }
  params.push_back({"packet_length", Type::kIntegers, json::array({5}), "flits",
                    "Length of the packets, or a list of lengths.", 1, kMaxPacketLength});
  params.push_back({"packet_weights", Type::kNumbers, json::array(), "",
                    "Share of the packets for every length, in any scale; none: all equal.", 0});
  return params;
}

}  // namespace flitcast
