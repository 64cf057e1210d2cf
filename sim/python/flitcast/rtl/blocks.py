# SPDX-License-Identifier: Apache-2.0
"""The blocks of rtl/ that a design instantiates, copied under a prefix."""
import os
import pathlib
import re
import shutil

OURS = "flitcast_"
FOLDERS = ("common", "wormhole", "adaptive", "store_forward", "node")


def library():
    """The folder of the RTL: FLITCAST_RTL, or that of the source tree or of the installation that this package is in."""
    here = pathlib.Path(__file__).resolve()
    found = shutil.which(os.environ.get("FLITCAST", "flitcast"))
    places = [here.parents[4] / "rtl", here.parents[3] / "rtl", here.parents[4] / "share" / "flitcast" / "rtl",
              here.parents[5] / "share" / "flitcast" / "rtl"]
    places += [pathlib.Path(found).resolve().parents[1] / "share" / "flitcast" / "rtl"] if found else []
    if "FLITCAST_RTL" in os.environ:
        places = [pathlib.Path(os.environ["FLITCAST_RTL"])]
    for place in places:
        if (place / "wormhole" / "flitcast_vc_router.sv").is_file():
            return place
    raise FileNotFoundError(f"there is no flitcast_vc_router.sv in {places[0]}: name the folder rtl of flitcast in the variable FLITCAST_RTL")


def renamed(text, prefix):
    """The text with names of modules that begin with `prefix` instead of flitcast."""
    return re.sub(rf"\b{OURS}(?=\w)", f"{prefix}_", text) if prefix else text


def block_files(prefix, needed):
    """{file name: text} of blocks and of those that they instantiate, each behind these."""
    texts = {file.stem: file.read_text(encoding="utf-8") for folder in FOLDERS for file in (library() / folder).glob("*.sv")}
    ordered = {}

    def add(name):
        code = re.sub(r"//.*", "", texts[name])
        for used in sorted(set(re.findall(rf"\b{OURS}\w+", code)) & set(texts) - {name}):
            if used not in ordered:
                add(used)
        ordered[name] = texts[name]

    for name in needed:
        if name not in ordered:
            add(name)
    return {f"{renamed(name, prefix)}.sv": renamed(text, prefix) for name, text in ordered.items()}
