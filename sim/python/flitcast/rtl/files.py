# SPDX-License-Identifier: Apache-2.0
"""The files of an exported design, and how they come into their folder."""
import pathlib
import shutil
import tempfile

from ..astra.inputs import Report
from ..outputs import check_new_folder
from .blocks import block_files, renamed
from .package import package_text
from .readme import readme_text
from .refusals import ExportError
from .routers import router_block
from .routes import route_module_name, route_text
from .streams import BLOCKS, streams_text
from .testbench import events_text, testbench_text
from .top import top_text

MARK = "SPDX-License-Identifier: Apache-2.0"


def sources_of(design, prefix, stream_classes=None):
    """{path: text} of the synthesizable files, each behind those that it needs; with a number of classes, those of streams."""
    files = {f"{design.name}_pkg.sv": package_text(design, stream_classes)}
    files |= {f"{route_module_name(design, router)}.sv": route_text(design, router) for router in design.routers}
    files |= {f"{design.name}.sv": renamed(top_text(design), prefix)}
    needed = (router_block(design.shape), "flitcast_delay_line", *(BLOCKS if stream_classes else ()))
    if stream_classes:
        files[f"{design.name}_streams.sv"] = renamed(streams_text(design), prefix)
    blocks = {f"blocks/{name}": text for name, text in block_files(prefix, needed).items()}
    return blocks | {path: f"// {MARK}\n{text}" for path, text in files.items()}


def all_files(design, prefix, vectors, facts):
    """{path: text} of the whole folder."""
    sources = sources_of(design, prefix, facts.stream_classes)
    files = dict(sources)
    files[f"{design.name}_tb.sv"] = f"// {MARK}\n" + testbench_text(design, vectors)
    files["stimuli.txt"], files["expected.txt"] = events_text(vectors.stimuli), events_text(vectors.expected)
    files[f"{design.name}.f"] = "\n".join(sources) + "\n"
    files[f"{design.name}.core"] = _core(design, sources)
    files["Bender.yml"] = _bender(design, sources)
    files[f"{design.name}.sdc"] = _constraints(facts)
    files["README.md"] = readme_text(design, vectors, facts)
    return files


def _core(design, sources):
    listed = "\n".join(f"      - {path}" for path in sources)
    return (f"CAPI=2:\n# {MARK}\nname: flitcast:export:{design.name}:1.0.0\ndescription: Exported from a flitcast experiment\n"
            f"filesets:\n  rtl:\n    file_type: systemVerilogSource\n    files:\n{listed}\n"
            f"  testbench:\n    file_type: systemVerilogSource\n    files:\n      - {design.name}_tb.sv\n"
            "      - stimuli.txt: {file_type: user, copyto: stimuli.txt}\n      - expected.txt: {file_type: user, copyto: expected.txt}\n"
            f"targets:\n  default:\n    filesets: [rtl]\n    toplevel: {design.name}\n"
            f"  lint:\n    filesets: [rtl]\n    toplevel: {design.name}\n    default_tool: verilator\n"
            "    tools: {verilator: {mode: lint-only, verilator_options: [-Wall]}}\n"
            f"  sim:\n    filesets: [rtl, testbench]\n    toplevel: {design.name}_tb\n    default_tool: icarus\n"
            "    tools: {icarus: {iverilog_options: [-g2012]}}\n")


def _bender(design, sources):
    listed = "\n".join(f"      - {path}" for path in sources)
    return (f"# {MARK}\npackage:\n  name: {design.name}\nsources:\n  - files:\n{listed}\n"
            f"  - target: simulation\n    files:\n      - {design.name}_tb.sv\n")


def _constraints(facts):
    period = facts.period_ns
    return (f"# {MARK}\n# {facts.period_origin}\ncreate_clock -name clk -period {period:g} [get_ports clk_i]\n"
            f"set_input_delay {period / 5:g} -clock clk [all_inputs]\nset_output_delay {period / 5:g} -clock clk [all_outputs]\n")


def write_folder(folder, files):
    """Writes all files or none: into a folder beside, which then takes the name."""
    folder = pathlib.Path(folder)
    refuse_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
        made = pathlib.Path(beside) / "made"
        for path, text in files.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_text(text, encoding="utf-8")
        if folder.exists():
            folder.rmdir()
        shutil.move(made, folder)


def refuse_folder(folder):
    report = Report()
    check_new_folder(folder, report)
    if report.refusals:
        raise ExportError(report.refusals)
