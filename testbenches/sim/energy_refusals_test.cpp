// SPDX-License-Identifier: Apache-2.0
// Messages for routers that no energy table covers, and for invalid tables.
#include <string>
#include <vector>

#include "energy_tables.h"
#include "experiment.h"
#include "folder.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

struct Refused {
  std::string claim;
  std::string more;  ///< Lines of the experiment from the fifth on.
  std::vector<std::string> says;
};

const std::vector<Refused> kRefused{
    {"buffers of another depth than those of the table",
     "router: {buffer_depth: 9}\nenergy: {cells: table, table: round.yaml}",
     {"x.yaml:6:17: energy.cells: the table has no row for wormhole, 5 ports, 4 VCs of 9, 34 bits",
      "it has wormhole, 5 ports, 4 VCs of 8, 34 bits; wormhole, 5 ports, 4 VCs of 8, 40 bits; use "
      "one of these, or make what is needed by scripts/synth --energy --configurations "
      "wormhole-4x9x34, and name build/energy/energy.yaml under energy.table"}},
    {"stages behind the switch that the RTL has not",
     "router: {pipeline: {traversal: 2}}\nenergy: {cells: osu018}",
     {"no other can be made, as the RTL has 2 cycles of departure"}},
    {"stages of other lengths",
     "router: {pipeline: {route: 2}}\nenergy: {cells: osu018}",
     {"energy.cells: tables of energies are about routers with one cycle each of route "
      "computation and allocation of virtual channels"}},
    {"flows in place of flits",
     "run: {level: flow}\nenergy: {cells: osu018}",
     {"x.yaml:6:17: energy.cells: flows have no events with energies; set run.level: flit"}},
    {"flits too narrow for their headers",
     "energy: {cells: table, table: narrow.yaml, width: 8}",
     {"energy.width: a header takes 9 bits: 4 for 16 nodes, 4 for packets of 5 flits"}},
    {"packets longer than those of the row",
     "energy: {cells: table, table: short.yaml}",
     {"energy.cells: the table has no row for wormhole, 5 ports, 4 VCs of 8, 34 bits"}},
    {"a table that is not there",
     "energy: {cells: table, table: none.yaml}",
     {"energy.table: ", "none.yaml\" cannot be read"}},
    {"all mistakes of a table at once",
     "energy: {cells: table, table: wrong.yaml}",
     {"wrong.yaml:1:1: caveat: it is missing; add it",
      "wrong.yaml:2:8: volts: \"many\" is no number from 0 up; write one, such as 1.5",
      "wrong.yaml:3:1: wire_pf: tables of energies have no such key; use ",
      "wrong.yaml:4:17: wire_pf_per_mm: \"-1\" is no number from 0 up; write one, such as 1.5",
      "wrong.yaml:6:84: fits_in: tables of energies have no such key; use flits_in or bits_in "
      "or "}},
};

}  // namespace

TEST_CASE("unknown energies are refused, with those that are known", "[sim]") {
  const Folder folder;
  write_energy_tables(folder);
  std::string narrow = round_energies();
  narrow.replace(narrow.find("width: 34"), 9, "width: 8");
  folder.write("narrow.yaml", narrow);
  std::string short_packets = round_energies();
  short_packets.replace(short_packets.find("width: 34"), 9, "longest_packet: 4, width: 34");
  folder.write("short.yaml", short_packets);
  folder.write("wrong.yaml",
               "technology: x\nvolts: many\nwire_pf: 1\nwire_pf_per_mm: -1\nrows:\n"
               "  - {router: wormhole, ports: 5, virtual_channels: 4, buffer_depth: 8, parts: {a: "
               "{fits_in: 1}}}\n");
  for (const Refused& refused : kRefused) {
    INFO(refused.claim);
    folder.write("x.yaml", with(refused.more).text());
    const std::string said = refusal(folder, {"run", "x.yaml"});
    INFO(said);
    for (const std::string& text : refused.says) CHECK(said.find(text) != std::string::npos);
  }
}

TEST_CASE("a table of crossbars alone has no row for any router", "[sim]") {
  const Folder folder;
  folder.write("crossbars.yaml",
               "technology: x\ncaveat: y\nvolts: 1\nwire_pf_per_mm: 0\nrows:\n"
               "  - {crossbar: multicast, inputs: 5, outputs: 5, width: 34, clock_pj: 1, "
               "input_pin_pf: 1, parts: {}}\n");
  folder.write("x.yaml", with("energy: {cells: table, table: crossbars.yaml}").text());
  CHECK(refusal(folder, {"run", "x.yaml"}).find("it has none") != std::string::npos);
}

TEST_CASE("a network says which routers no row of energies can be made for", "[sim]") {
  const Folder folder;
  write_energy_tables(folder);
  Experiment experiment = with("energy: {cells: table, table: round.yaml}");
  experiment.topology = "{kind: mesh, sizes: [3, 3, 3]}";
  folder.write("x.yaml", experiment.text());
  CHECK(refusal(folder, {"run", "x.yaml"})
            .find("use one of these; no other can be made, as the RTL has routers of 5 ports") !=
        std::string::npos);
}

TEST_CASE("routers of whole packets that choose among outputs have no energies", "[sim]") {
  const Folder folder;
  Experiment experiment = with(
      "router: {kind: store_and_forward, virtual_channels: 2, buffer_depth: 2}\n"
      "energy: {cells: osu018}");
  experiment.routing = "{kind: minimal_adaptive}";
  folder.write("x.yaml", experiment.text());
  const std::string said = refusal(folder, {"run", "x.yaml"});
  INFO(said);
  CHECK(said.find("energy.cells: no RTL has routers of whole packets that choose among outputs") !=
        std::string::npos);
}

TEST_CASE("crossbars of circuits that no row is about are refused with all that they need",
          "[sim]") {
  const Folder folder;
  Experiment experiment = with("router: {kind: circuit}\nenergy: {cells: osu018}");
  experiment.topology = "{kind: clos, ports: [4], middle_switches: 3, switches: 4}";
  experiment.routing = "{kind: central_control}";
  experiment.workload = "{kind: clos_requests, load: 0.1, packet_length: 5}";
  folder.write("x.yaml", experiment.text());
  const std::string said = refusal(folder, {"run", "x.yaml"});
  INFO(said);
  CHECK(said.find("no row for multicast crossbar, 4x3, 34 bits; multicast crossbar, 3x4, 34 bits; "
                  "it has multicast crossbar, 5x5, 34 bits") != std::string::npos);
  CHECK(said.find("--configurations multicast_crossbar-4x3x34,multicast_crossbar-4x4x34,"
                  "multicast_crossbar-3x4x34,") != std::string::npos);
  CHECK(refusal(folder, {"run", "x.yaml", "--set", "router.stage_cycles=2"})
            .find("set router.stage_cycles to 1") != std::string::npos);
}
