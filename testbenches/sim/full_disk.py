# SPDX-License-Identifier: Apache-2.0
"""A sweep on a file system that becomes full says so, loses nothing and goes on when there is room.

usage: FLITCAST=PROGRAM full_disk.py     exit code 1 if that is not so, 77 where nobody may mount a file system

It mounts a small tmpfs in a name space of its own.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

EXPERIMENT = """name: loads
topology: {kind: mesh, sizes: [4, 4]}
routing: {kind: dimension_order}
workload: {kind: traffic, load: 0.1}
measure: {warmup: 100, window: 500}
sweep: {workload.load: {from: 0.02, to: 0.3, step: 0.02}}
"""
POINTS = 15
NO_ROOM = "No space left on device"
OWN_SPACE = ["unshare", "--map-root-user", "--mount"]


def run(out, *more):
    done = subprocess.run([os.environ["FLITCAST"], "run", "loads.yaml", "--quiet", "--out", str(out), *more], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stderr


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def results(folder):
    return {file.name: file.read_bytes() for file in folder.glob("points/*.json") if ".fail." not in file.name}


def check():
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        pathlib.Path("loads.yaml").write_text(EXPERIMENT, encoding="utf-8")
        disk = pathlib.Path("disk")
        disk.mkdir()
        mount("-t", "tmpfs", "-o", "size=200k", "tmpfs", "disk")
        try:
            code, said = run(disk / "o")
            assert code in (2, 5) and NO_ROOM in said, (code, said)
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
    return 0


def main():
    if sys.argv[1:] == ["inside"]:
        return check()
    if subprocess.run([*OWN_SPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False).returncode != 0:
        print("nobody may mount a file system here")
        return 77
    return subprocess.run([*OWN_SPACE, sys.executable, "-B", __file__, "inside"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
