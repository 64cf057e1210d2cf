// SPDX-License-Identifier: Apache-2.0
#include "network/catalog.h"

#include <nlohmann/json.hpp>

namespace flitcast {

namespace {

void make_wormhole(const Section& router, const RouterContext&, NetworkParams& params) {
  params.router.synchronous_copies = router.text("copies") == "synchronous";
}

void make_virtual_cut_through(const Section& router, const RouterContext& context,
                              NetworkParams& params) {
  make_wormhole(router, context, params);
  params.router.whole_packet_credit = true;
}

std::vector<Param> copies_param() {
  Param copies{"copies", Param::Type::kChoice, "asynchronous", "",
               "Multicast: a flit leaves by each of its outputs when it can, or by all at once."};
  copies.choices = {"asynchronous", "synchronous"};
  return {copies};
}

void make_store_and_forward(const Section& router, const RouterContext& context,
                            NetworkParams& params) {
  params.router.store_and_forward = true;
  params.priority = find(queue_priorities(), router.text("priority"))
                        ->make(router, {context.topology, context.seed});
}

std::vector<Param> store_and_forward_params() {
  return menu_params({"priority", Param::Type::kChoice, "fifo", "",
                      "Which packet of an output's queue leaves first."},
                     queue_priorities());
}

}  // namespace

const Catalog<RouterMaker>& routers() {
  static const Catalog<RouterMaker> catalog{
      {"wormhole", "A head moves on as soon as the next buffer has room for a flit.",
       copies_param(), make_wormhole},
      {"virtual_cut_through",
       "A head moves on as soon as the next buffer has room for its whole packet.", copies_param(),
       make_virtual_cut_through},
      {"store_and_forward",
       "A packet moves on when all of it has arrived; a queue per output, buffers in packets.",
       store_and_forward_params(), make_store_and_forward},
  };
  return catalog;
}

}  // namespace flitcast
