# SPDX-License-Identifier: Apache-2.0
"""One point through the tools: Yosys and ABC, OpenSTA, nextpnr.

A point has a `top` module, its `files` and its `parameters`: a controller (designs.py) or another block (routers.py).

Cells: osu018, 0.18 um; a gate is the area of a NAND2X1. No wires are modelled. Area and period are
of one netlist, mapped for speed with at most 8 loads on a net: without that limit the designs with
much fan-out look up to twice as slow. The store of a controller is an input: neither it nor its write
port counts.
"""
import os
import re
import signal
import subprocess

# OpenSTA of 2019 reads no concatenation on the left of an assignment, hence splitnets and -simple-lhs.
MAP = """
{keep} synth -flatten -top {top}; {cut} dfflibmap -liberty {cells};
abc -D 500 -constr drive -liberty {cells} -script map.abc; opt_clean -purge; tee -q -o area.txt stat -liberty {cells};
rename -top top; setundef -zero; splitnets -ports; opt_clean -purge; write_verilog -noattr -noexpr -simple-lhs mapped.v
"""
DRIVE = "set_driving_cell INVX4\nset_load 0.05\n"
MAP_ABC = "strash; dch -f; map -B 0.9 -D 500; topo; buffer -c -N 8; upsize -D 500; dnsize -D 500; stime -p\n"
TIMING = """
read_liberty {cells}
read_verilog mapped.v
link_design top
create_clock -name clock -period 1000 [get_ports clk_i]
set_input_delay 0 -clock clock [all_inputs]
set_output_delay 0 -clock clock [all_outputs]
set_load 0.05 [all_outputs]
set_input_transition 0.1 [all_inputs]
report_checks -path_delay max -format full -to [all_registers -data_pins]
"""

# Blocks that read the store or select a bit. CUT removes them: their outputs then arrive at time 0.
READS = ["flitcast_clos_read_ahead", "flitcast_clos_read_port", "flitcast_clos_row_select"]
CUT = "expose -evert {reads}; hierarchy -top {top}; opt_clean -purge;"

# The core is what searches. Each of these is mapped by itself, and counts as storage.
NOT_CORE = ["flitcast_clos_beat_control", *READS]
PARTS = """
{keep} synth -flatten -top {top}; dfflibmap -liberty {cells}; abc -fast -liberty {cells}; opt_clean -purge;
tee -q -o parts.txt stat -liberty {cells}
"""

# The store does not fit on pins, so it is shifted in.
BOARD = """
module board (
  input clk_i, rst_ni, shift_i, req_valid_i, beat_ready_i,
  output req_ready_o, beat_valid_o, beat_last_o, beat_fail_o,
  output [{index_w}-1:0] beat_middle_o, output [{r}-1:0] beat_set_o
);
  logic [{bits}-1:0] held_q;
  always_ff @(posedge clk_i) held_q <= {{held_q[{bits}-2:0], shift_i}};
  {module} #({parameters}) u_controller (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o,
    .beat_fail_o, .beat_ready_i, .req_set_i(held_q[{r}-1:0]), .req_avail_i(held_q[{r}+:{m}]),
    .store_i(held_q[{r}+{m}+:{m}*{r}])
  );
endmodule
"""


class NotDone(Exception):
    """A step that gave no result; the text says why."""


RUNNING = set()  # Tools, each the leader of a process group.


def stop_tools():
    """Ends all that run, in whatever thread."""
    for process in list(RUNNING):
        os.killpg(process.pid, signal.SIGKILL)


def run(command, folder, log, limit):
    """Runs a tool to the end of its time; its output goes to folder/log."""
    with open(folder / log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        RUNNING.add(process)
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise NotDone(f"not done in {limit} s") from None
        finally:
            RUNNING.discard(process)
    text = (folder / log).read_text(encoding="utf-8")
    if process.returncode != 0:
        lines = [line for line in text.splitlines() if "ERROR" in line] or text.splitlines()[-1:] or [""]
        reason = lines[0].split("'")[0].strip()[:60]  # Names of cells, in quotes, can be long.
        raise NotDone(f"{command[0]}: {reason}; see {folder.name}/{log}")
    return text


TOP = "flitcast_clos_controller"


def files_under(top, rtl, left_out=()):
    """The files of a module, and of what it instantiates, and so on; without those of some modules."""
    files = {file.stem: file for file in rtl.glob("*/*.sv") if file.stem not in left_out}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    used, found = set(), [top]
    while found:
        text = texts[found[-1]]
        used.add(found.pop())
        found += [name for name in texts if name not in used and f"  {name} #(" in text]
    return [files[name] for name in sorted(used)]


def files_of(design, rtl):
    """The files of a controller of the design."""
    registry = (rtl / "clos_search" / "flitcast_clos_search.sv").read_text(encoding="utf-8")
    units = re.findall(r"Design == \d+\) begin : gen_(\w+)", registry)
    return files_under(TOP, rtl, [f"flitcast_clos_{unit}" for unit in units if unit != design.unit])


def read_rtl(rtl, point):
    files = " ".join(map(str, point.files(rtl)))
    parameters = " ".join(f"-chparam {key} {value}" for key, value in point.parameters.items())
    return f"read_verilog -sv {files}; hierarchy -top {point.top} {parameters};"


def areas(text, cells):
    """Reads a `stat` report: module -> its area in NAND2 and its flip-flops, without the modules in it."""
    nand2 = float(re.search(r"cell \(NAND2X1\).*?area\s*:\s*([\d.]+)", cells.read_text(encoding="utf-8"),
                            re.DOTALL).group(1))
    result = {}
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name = part.split(" ===")[0]
        area = re.search(r"Chip area for .*: ([\d.]+)", part)
        flops = sum(int(count) for count in re.findall(r"^\s+DFF\w+\s+(\d+)", part, re.MULTILINE))
        result[name] = (float(area.group(1)) / nand2 if area else 0.0, flops)
    return result


def keep(modules):
    """Yosys: leaves these modules as they are when all others become one."""
    return "".join(f"setattr -mod -set keep_hierarchy 1 *{module}*; " for module in modules)


def has_reads(point, rtl):
    return any(file.stem in READS for file in point.files(rtl))


def time_without_reads(point, rtl, cells, folder, limit):
    """The period without the reads, of a design that has any."""
    inner = folder.with_name(f"{folder.name}-without-reads")
    inner.mkdir(exist_ok=True)
    cut = CUT.format(top=TOP, reads=" ".join(f"t:*{module}*" for module in READS))
    return {"period_without_reads_ns": synthesize(point, rtl, cells, inner, limit, keep(READS), cut)["period_ns"]}


def synthesize(point, rtl, cells, folder, limit, kept="", cut=""):
    """Gates, flip-flops and period of a controller or another block; with `kept` and `cut` of a part."""
    (folder / "drive").write_text(DRIVE, encoding="utf-8")
    (folder / "map.abc").write_text(MAP_ABC, encoding="utf-8")
    (folder / "timing.tcl").write_text(TIMING.format(cells=cells), encoding="utf-8")
    script = read_rtl(rtl, point) + MAP.format(top=point.top, cells=cells, keep=kept,
                                               cut=cut).replace("\n", " ")
    run(["yosys", "-q", "-p", script], folder, "yosys.log", limit)
    gates, flops = areas((folder / "area.txt").read_text(encoding="utf-8"), cells)[point.top]
    text = run(["sta", "-no_splash", "-exit", "timing.tcl"], folder, "timing.log", limit)
    # A virtual clock would leave the paths between registers out in silence.
    if not re.search(r"Endpoint: \S+ \(rising edge-triggered flip-flop", text):
        raise NotDone(f"the slowest path does not end at a flip-flop; see {folder.name}/timing.log")
    arrival = float(re.search(r"([\d.]+)\s+data arrival time", text).group(1))
    setup = -float(re.search(r"(-?[\d.]+)\s+\S+\s+library setup time", text).group(1))
    return {"gates": gates, "flip_flops": flops, "period_ns": arrival + setup}


def split_parts(point, rtl, cells, folder, limit):
    """Gates and flip-flops of the core, each part mapped for area."""
    script = read_rtl(rtl, point) + PARTS.format(keep=keep(NOT_CORE), top=TOP,
                                                 cells=cells).replace("\n", " ")
    run(["yosys", "-q", "-p", script], folder, "parts.log", limit)
    gates, flops = areas((folder / "parts.txt").read_text(encoding="utf-8"), cells)[TOP]
    return {"core_gates": gates, "core_flip_flops": flops}


def place(point, rtl, folder, limit):
    """Logic cells and clock of an iCE40 HX8K, the cells of the shifted store included."""
    held = point.m * point.r + point.m + point.r
    (folder / "board.sv").write_text(BOARD.format(
        module=TOP, r=point.r, m=point.m, bits=held, index_w=max(1, (point.m - 1).bit_length()),
        parameters=", ".join(f".{key}({value})" for key, value in point.parameters.items())), encoding="utf-8")
    files = " ".join(map(str, point.files(rtl)))
    run(["yosys", "-q", "-p", f"read_verilog -defer -sv {files} board.sv; synth_ice40 -top board -json board.json"],
        folder, "ice40.log", limit)
    text = run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "board.json", "--pcf-allow-unconstrained",
                "--freq", "50", "--timing-allow-fail", "--seed", "1"], folder, "place.log", limit)
    used = int(re.search(r"ICESTORM_LC:\s+(\d+)/", text).group(1))
    return {"fpga_cells": used, "fpga_cells_of_inputs": held,
            "fpga_mhz": float(re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", text)[-1])}
