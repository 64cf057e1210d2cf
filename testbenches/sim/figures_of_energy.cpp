// SPDX-License-Identifier: Apache-2.0
// Energy of one packet, computed by hand from a table of round numbers.
#include "energy_tables.h"
#include "figure_paths.h"

namespace flitcast::program {
namespace {

// A packet of two flits goes from node 0 by routers 0, 1 and 2 to node 3 at router 3, without
// waiting. Destination 3 has two set bits; the head flit also has the head bit and one set bit of
// `remaining`.
constexpr double kBitsOfHead = 4 + 1;  // Includes the valid bit, after an idle wire.
constexpr double kBitsToTail = 2;      // The tail has neither of the two.
constexpr double kBitsToIdle = 2 + 1;
constexpr double kBits = kBitsOfHead + kBitsToTail + kBitsToIdle;

// Each router receives and sends two flits, allocates an output VC to one packet after a cycle, and
// connects one input to one output for a while.
constexpr double kDynamic = 2 * 1 + 2 * 2 + 3 + 1 * 11 + 2 * 5 + 2 * 7 + kBits * (13 + 17);

// The energy of a bit is 0.5 C V^2 at 2 V, with 3 mm of 0.1 pF and a pin of 0.01 pF.
constexpr double kLinkBit = 0.5 * 4 * (0.01 + 3 * 0.1);
constexpr double kNodeBit = 0.5 * 4 * 0.01;
// The two credits of a packet are consecutive, so the wire rises and falls once.
constexpr double kCredit = 2;

double link_pj(std::size_t router) {
  if (router == 0) return kBits * kLinkBit + kCredit * kNodeBit;
  if (router == 1 || router == 2) return (kBits + kCredit) * kLinkBit;
  return router == 3 ? kBits * kNodeBit + kCredit * kLinkBit : 0;
}

double cycles(const Observed& seen) { return static_cast<double>(seen.cycles_to_last_arrival()); }

/// Makes a list with a value for each of the 16 routers; only the first four are active.
template <class Value>
std::function<Json(const Observed&)> by_router(Value value) {
  return [value](const Observed& seen) {
    Json column = Json::array();
    for (std::size_t r = 0; r < 16; ++r) column.push_back(value(seen, r));
    return column;
  };
}

Json shares() {
  return {{{"part", "a"}, {"dynamic_pj", 4 * (2 + 4 + 3)}},
          {{"part", "b"}, {"dynamic_pj", 4 * (10 + 14)}},
          {{"part", "c"}, {"dynamic_pj", 4 * (11 + kBits * 30)}}};
}

Json member(const Json& list, const char* name) {
  Json column = Json::array();
  for (const Json& element : list) column.push_back(element.at(name));
  return column;
}

double all_links() { return link_pj(0) + link_pj(1) + link_pj(2) + link_pj(3); }

const auto kNumbers = by_router([](const Observed&, std::size_t r) { return r; });
const auto kFlits = by_router([](const Observed&, std::size_t r) { return r < 4 ? 2 : 0; });
const auto kClocks = by_router([](const Observed& seen, std::size_t) { return 19 * cycles(seen); });
const auto kDynamics =
    by_router([](const Observed&, std::size_t r) { return r < 4 ? kDynamic : 0; });
const auto kLinks = by_router([](const Observed&, std::size_t r) { return link_pj(r); });

Json routers(const Observed& seen) {
  Json list = Json::array();
  for (std::size_t r = 0; r < 16; ++r) {
    list.push_back({{"router", r},
                    {"flits", kFlits(seen)[r]},
                    {"clock_pj", kClocks(seen)[r]},
                    {"dynamic_pj", kDynamics(seen)[r]},
                    {"link_pj", kLinks(seen)[r]}});
  }
  return list;
}

}  // namespace

FigureGroup priced_packet() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: trace, format: csv, file: FOLDER/pair.csv}", "{watchdog: 2000}",
           "energy: {cells: table, table: FOLDER/round.yaml, link_mm: 3, payload: zero}"},
          {{"energy.technology", always("round numbers")},
           {"energy.caveat", always("of no silicon")},
           {"energy.payload", always("zero")},
           {"energy.row", always("wormhole, 5 ports, 4 VCs of 8, 34 bits")},
           {"energy.clock_pj", [](const Observed& seen) { return Json(16 * 19 * cycles(seen)); }},
           {"energy.dynamic_pj", always(4 * kDynamic)},
           {"energy.link_pj", always(all_links())},
           {"energy.total_pj",
            [](const Observed& seen) {
              return Json(16 * 19 * cycles(seen) + 4 * kDynamic + all_links());
            }},
           {"energy.leakage_uw", always(16 * 3)},
           {"energy.area_um2", always(16 * 150)},
           {"energy.estimate", always(nullptr)},
           {"energy.clock_error", always(nullptr)},
           {"energy.dynamic_error", always(nullptr)},
           {"energy.leakage_error", always(nullptr)},
           {"energy.area_error", always(nullptr)},
           {"energy.input_pin_error", always(nullptr)},
           {"energy.pj_per_flit_hop", always((4 * kDynamic + all_links()) / 8)},
           {"energy.parts", always(shares())},
           {"energy.parts.part", always(member(shares(), "part"))},
           {"energy.parts.dynamic_pj", always(member(shares(), "dynamic_pj"))},
           {"energy.routers", [](const Observed& seen) { return routers(seen); }},
           {"energy.routers.router", kNumbers},
           {"energy.routers.flits", kFlits},
           {"energy.routers.clock_pj", kClocks},
           {"energy.routers.dynamic_pj", kDynamics},
           {"energy.routers.link_pj", kLinks}}};
}

}  // namespace flitcast::program
