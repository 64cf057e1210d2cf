# SPDX-License-Identifier: Apache-2.0
"""A sweep on a file system that becomes full says so, loses nothing and goes on when there is room.

usage: FLITCAST=PROGRAM unshare --map-root-user --mount full_disk.py     exit code 1 if that is not so

The disk is a small tmpfs in the name space of the test.
"""
import os
import pathlib
import subprocess
import tempfile

EXPERIMENT = """name: loads
topology: {kind: mesh, sizes: [4, 4]}
routing: {kind: dimension_order}
workload: {kind: traffic, load: 0.1}
measure: {warmup: 100, window: 500}
sweep: {workload.load: {from: 0.02, to: 0.3, step: 0.02}}
"""
POINTS = 15
NO_SPACE = "No space left on device"


def run(out, *more):
    done = subprocess.run([os.environ["FLITCAST"], "run", "loads.yaml", "--quiet", "--out", str(out), *more], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stderr


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def results(folder):
    return {file.name: file.read_bytes() for file in folder.glob("points/*.json") if ".fail." not in file.name}


def main():
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        pathlib.Path("loads.yaml").write_text(EXPERIMENT, encoding="utf-8")
        disk = pathlib.Path("disk")
        disk.mkdir()
        mount("-t", "tmpfs", "-o", "size=200k", "tmpfs", "disk")
        try:
            code, said = run(disk / "o")
            assert code in (2, 5) and NO_SPACE in said, (code, said)
            kept = results(disk / "o")
            assert 0 < len(kept) < POINTS, sorted(kept)
            assert not list(disk.rglob("*.tmp*")), "something unfinished is left"
            mount("-o", "remount,size=50m", "disk")
            code, said = run(disk / "o", "--rerun", "failed")
            assert (code, said) == (0, ""), (code, said)
            now = results(disk / "o")
            assert len(now) == POINTS and all(now[file] == text for file, text in kept.items()), "a result was lost or made anew"
            assert run("o") == (0, "")
            assert (disk / "o" / "results.csv").read_bytes() == pathlib.Path("o/results.csv").read_bytes()
        finally:
            subprocess.run(["umount", "disk"], check=True)


if __name__ == "__main__":
    main()
