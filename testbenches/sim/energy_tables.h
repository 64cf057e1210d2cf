// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "folder.h"

namespace flitcast::program {

/// Energy table of wormhole routers with 4 VCs of 8 flits: an entry for 34 bits in round numbers,
/// with a different energy for each event, and one for 40 bits with twice the clock energy.
inline std::string round_energies() {
  const std::string row =
      "  - {router: wormhole, ports: 5, virtual_channels: 4, buffer_depth: 8, departure: 2, "
      "input_pin_pf: 0.01, leakage_uw: 3, area_um2: {a: 100, b: 50}, width: ";
  const std::string parts =
      "parts: {a: {flits_in: 1, flits_out: 2, packets: 3}, b: {send_changes: 5, source_changes: "
      "7}, "
      "c: {waits: 11, bits_in: 13, bits_out: 17}}}\n";
  return "technology: round numbers\ncaveat: of no silicon\nvolts: 2\nwire_pf_per_mm: "
         "0.1\nrows:\n" +
         row + "34, clock_pj: 19, " + parts + row + "40, clock_pj: 38, " + parts;
}

/// A row of a wormhole router with 5 ports whose values have exactly the terms of a fit.
inline std::string fitted_row(double vcs, double depth) {
  const double slots = vcs * depth;
  return fmt::format(
      "  - {{router: wormhole, ports: 5, virtual_channels: {}, buffer_depth: {}, departure: 2, "
      "width: 34, input_pin_pf: {}, leakage_uw: {}, area_um2: {{a: {}, b: 10}}, clock_pj: {}, "
      "parts: {{a: {{flits_in: {}, packets: 2}}}}}}\n",
      vcs, depth, 0.01 * vcs, 5 * 0.25 * slots, 5 * 7 * slots - 10, 5 * (3 * vcs + 2 * slots),
      1 + 2 * vcs + slots);
}

inline const std::string kFittedHead =
    "technology: exact terms\ncaveat: of no silicon\nvolts: 2\nwire_pf_per_mm: 0.1\nrows:\n";

inline void write_energy_tables(const Folder& folder) {
  folder.write("round.yaml", round_energies());
  std::string dearer = round_energies();
  for (std::size_t at = dearer.find("flits_in: 1"); at != std::string::npos;
       at = dearer.find("flits_in: 1", at + 1)) {
    dearer.replace(at, 11, "flits_in: 9");
  }
  folder.write("dearer.yaml", dearer);
  folder.write("pair.csv", "cycle,src,dst,flits\n0,0,3,2\n");
}

}  // namespace flitcast::program
