# SPDX-License-Identifier: Apache-2.0
"""A sweep of forty points gives the same table with every engine, and after every kill on the way.

usage: sweep_engines.py PROGRAM CLAIM...    exit code 1 if a claim does not hold, 77 if an engine is not installed

The claims are the functions below whose names begin with `claim_`.
"""
import contextlib
import os
import pathlib
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWEEP = ROOT / "scripts" / "sweep"
POINTS = 40
EXPERIMENT = """name: forty
topology: {kind: mesh, sizes: [4, 4]}
routing: {kind: dimension_order}
workload: {kind: traffic, load: 0.1}
measure: {warmup: 200, window: 4000}
sweep:
  workload.load: {from: 0.05, to: 0.5, step: 0.05}
  zip: {router.virtual_channels: [2, 4], router.buffer_depth: [8, 4]}
repeat: 2
"""

SLURM = """ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
ReturnToService=2
KillWait=2
NodeName=localhost NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

STOPPED = "stopped; the same command goes on with the points that are left"

# Configuration of a controller that does not answer.
SILENT = """ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
AuthType=auth/none
MessageTimeout=1
NodeName=localhost CPUs=1
PartitionName=test Nodes=ALL
"""


class Work:
    """A folder with the sweep, and the program."""

    def __init__(self, program, folder):
        self.folder, self.program = pathlib.Path(folder), program
        self.environment = {**os.environ, "FLITCAST": program}
        (self.folder / "forty.yaml").write_text(EXPERIMENT)
        self.call(program, "run", "forty.yaml", "--out", "alone", "--quiet")
        self.expected = self.tables("alone")
        assert self.expected[0].count(b"\n") == POINTS + 1 and self.expected[1].count(b"\n") == POINTS / 2 + 1

    def start(self, *words, **more):
        return subprocess.Popen([str(word) for word in words], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env={**self.environment, **more}, start_new_session=True)

    def finish(self, process, expected=0):
        out, err = process.communicate(timeout=600)
        assert process.returncode == expected, f"{process.args} ends with {process.returncode}:\n{out}{err}"
        return out + err

    def call(self, *words, expected=0, **more):
        return self.finish(self.start(*words, **more), expected)

    def sweep(self, out, *words, **more):
        return self.call(SWEEP, "forty.yaml", "--out", out, *words, **more)

    def tables(self, out):
        return [(self.folder / out / name).read_bytes() for name in ("results.csv", "means.csv")]

    def results(self, out):
        return {file.name: file.read_bytes() for file in (self.folder / out / "points").glob("*.json")}

    def same(self, out):
        assert self.tables(out) == self.expected, f"the tables of {out} are others"


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def wait_until(what, true):
    for _ in range(300):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError(f"waited in vain for {what}")


def runs_into(folder):
    """Points that are simulated into the folder of a sweep: every run of one has a child that simulates."""
    words = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    mark = re.compile(rf"--points [\d,]+ --out {folder} ")
    runs = {line.split()[0]: line.split()[1] for line in words if mark.search(line)}
    return sum(parent in runs for parent in runs.values())


def path_with_sbin():
    return os.environ["PATH"] + ":/usr/sbin:/sbin"


@contextlib.contextmanager
def slurm():
    """A controller and a daemon on the loopback, gone in the end; the environment that finds them."""
    with tempfile.TemporaryDirectory(prefix="slurm.") as name:
        folder = pathlib.Path(name)
        for part in ("state", "spool", "log", "run", "munge"):
            (folder / part).mkdir(mode=0o755)
        (folder / "munge").chmod(0o700)
        (folder / "munge" / "key").write_bytes(os.urandom(1024))
        (folder / "munge" / "key").chmod(0o600)
        controller, daemon = free_ports(2)
        configuration = folder / "slurm.conf"
        configuration.write_text(SLURM.format(folder=folder, user=pwd.getpwuid(os.getuid()).pw_name, controller=controller,
                                              daemon=daemon, processors=min(2, os.cpu_count())))
        environment = {"SLURM_CONF": str(configuration), "PATH": path_with_sbin()}
        run = {"env": {**os.environ, **environment}, "capture_output": True, "text": True}
        pids = folder / "run"
        try:
            subprocess.run(["munged", "--force", f"--key-file={folder}/munge/key", f"--socket={pids}/munge.socket",
                            f"--pid-file={pids}/munged.pid", f"--log-file={folder}/log/munged.log",
                            f"--seed-file={folder}/munge/seed", "--num-threads=2"], check=True, **run)
            subprocess.run(["slurmctld", "-c"], check=True, **run)
            subprocess.run(["slurmd", "-N", "localhost"], check=True, **run)
            wait_until("an idle node", lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], check=False, **run).stdout)
            yield environment
        finally:
            for program in ("slurmd", "slurmctld", "munged"):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
                    os.kill(int((pids / f"{program}.pid").read_text()), signal.SIGTERM)
            wait_until("the end of Slurm", lambda: not list(pids.glob("slurm*.pid")))


@contextlib.contextmanager
def path_without(*names):
    """A PATH on which all programs are but these."""
    with tempfile.TemporaryDirectory() as folder:
        for place in ("/bin", "/usr/bin"):
            for program in pathlib.Path(place).iterdir():
                link = pathlib.Path(folder) / program.name
                if program.name not in names and not link.exists():
                    link.symlink_to(program)
        yield folder


def claim_one_or_two_at_a_time(work):
    for jobs in ("1", "2"):
        assert f"j{jobs}/results.csv: 40 of 40 points" in work.sweep(f"j{jobs}", "-j", jobs)
        work.same(f"j{jobs}")


def claim_slurm_array(work):
    with slurm() as environment:
        work.sweep("array", "--slurm", "--tasks", "8", **environment)
        work.same("array")
        # Existing results are kept; missing ones are computed.
        before = work.results("array")
        for name in sorted(before)[:7]:
            (work.folder / "array" / "points" / name).unlink()
        work.sweep("array", "--slurm", "--tasks", "3", **environment)
        work.same("array")
        after = work.results("array")
        assert all(after[name] == before[name] for name in sorted(before)[7:])
        # A stopped sweep removes its job from the queue.
        slow = work.start(SWEEP, "forty.yaml", "--out", "stopped", "--slurm", "--set", "measure.window=100000000", **environment)
        queue = lambda: subprocess.run(["squeue", "-h"], env={**os.environ, **environment}, capture_output=True, text=True, check=False).stdout
        wait_until("a job", lambda: " R " in queue())
        slow.send_signal(signal.SIGTERM)
        assert STOPPED in work.finish(slow, 143)
        assert not queue().strip()


def claim_killed_and_resumed(work):
    dice = random.Random(int(time.time()))
    kinds = {"script": [SWEEP, "forty.yaml", "--out", "script", "-j", "2"],
             "program": [work.program, "run", "forty.yaml", "--out", "program"]}
    for out, words in kinds.items():
        kept = {}
        for _ in range(6):
            process = work.start(*words)
            time.sleep(dice.uniform(0.05, 1.0))
            if out == "script":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()  # Its children end with it.
            process.communicate()
            now = work.results(out)
            assert all(now[name] == text for name, text in kept.items()), "a result was made anew or lost"
            kept = {name: text for name, text in now.items() if b'"complete": true' in text}
        wait_until("the lock", lambda: subprocess.run(["flock", "-n", work.folder / out / ".lock", "true"], check=False).returncode == 0)
        work.call(*words)
        work.same(out)
        assert not [file for file in (work.folder / out / "points").glob("*.fail.json")]


def claim_lists_of_killed_processes(work):
    """A process with several points is killed before its first one."""
    killed = work.folder / "killed"
    killed.write_text(f'#!/bin/bash\n[[ " $* " != *" --points "*,* ]] || kill -KILL $$\nexec {work.program} "$@"\n')
    killed.chmod(0o755)
    said = work.sweep("killed_lists", "-j", "2", FLITCAST=str(killed))
    again = int(re.search(r"a process was killed; (\d+) points without a result run again", said)[1])
    lists = (work.folder / "killed_lists" / "parallel.log").read_text().splitlines()[1:]
    assert 10 < again == len(lists), said
    work.same("killed_lists")


def claim_words_for_what_is_missing(work):
    with path_without("sbatch", "squeue") as path:
        assert "--slurm: there is no sbatch here;" in work.sweep("none", "--slurm", expected=2, PATH=path)
    with path_without("parallel") as path:
        assert "there is no GNU parallel here: run scripts/setup sweep" in work.sweep("none", expected=2, PATH=path)
    silent = work.folder / "slurm.conf"
    silent.write_text(SILENT.format(port=free_ports(1)[0]))
    said = work.sweep("none", "--slurm", expected=2, SLURM_CONF=str(silent))
    assert "--slurm: Slurm has not taken the job" in said, said
    work.sweep("none", "-j", "2")  # The folder is still usable.
    work.same("none")


def claim_one_sweep_in_a_folder(work):
    first = work.start(SWEEP, "forty.yaml", "--out", "one", "-j", "1", "--set", "measure.window=200000")
    wait_until("a result", lambda: work.results("one"))
    told = work.sweep("one", expected=2)
    assert "one: another sweep is being run into this folder; wait for its end" in told, told
    told = work.call(work.program, "run", "forty.yaml", "--out", "one", expected=2)
    assert "another sweep is being run into this folder" in told, told
    first.send_signal(signal.SIGTERM)
    assert STOPPED in work.finish(first, 143)
    assert len(work.results("one")) < POINTS


def claim_several_runs_or_none(work):
    single = "name: single\n" + EXPERIMENT[EXPERIMENT.index("topology"):EXPERIMENT.index("sweep:")]
    (work.folder / "single.yaml").write_text(single)
    told = work.call(SWEEP, "single.yaml", expected=2)
    assert "single.yaml: there is no sweep, repeat or search; flitcast run takes a single run" in told, told
    assert not (work.folder / "out").exists()
    (work.folder / "search.yaml").write_text(single + "search: {find: saturation, precision: 0.3, confirm: 0}\n")
    assert "out/single/results.csv: 1 of 1 points" in work.call(SWEEP, "search.yaml")


def claim_stopped_points_write_what_they_have(work):
    endless = ["-j", "2", "--set", "measure.window=100000000"]
    stops = {"script": (lambda sweep: sweep.send_signal(signal.SIGTERM), 143),
             "terminal": (lambda sweep: os.killpg(sweep.pid, signal.SIGINT), 130)}
    for out, (stop, code) in stops.items():
        for _ in range(3):
            sweep = work.start(SWEEP, "forty.yaml", "--out", out, *endless)
            wait_until("two points in flight", lambda: runs_into(out) == 2)
            time.sleep(2)  # Both have begun to simulate.
            stop(sweep)
            assert STOPPED in work.finish(sweep, code)
            partial = [text for text in work.results(out).values() if b'"complete": false' in text]
            assert len(partial) == 2, f"{out}: {len(partial)} partial results of the two points that ran"
            for file in (work.folder / out / "points").iterdir():
                file.unlink()


def claim_stopped_while_it_starts(work):
    for delay in (0, 0.05, 0.1, 0.2):
        out = f"early{delay}"
        sweep = work.start(SWEEP, "forty.yaml", "--out", out, "-j", "2", "--set", "measure.window=100000000")
        wait_until("the folder", (work.folder / out / "sweep.json").exists)
        time.sleep(delay)
        sweep.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        assert STOPPED in work.finish(sweep, 143)
        assert time.monotonic() - begin < 30, "it went on"


def claim_failed_points_are_reported(work):
    sizes = "[[4, 4], [2048, 2048], [4, 5], [4, 6], [5, 5], [5, 6]]"
    arguments = ["--set", f"sweep={{topology.sizes: {sizes}}}", "--set", "repeat=1", "--memory-limit", "200M"]
    said = work.sweep("failed", "-j", "1", *arguments, expected=5)
    lists = (work.folder / "failed" / "parallel.log").read_text().splitlines()[1:]
    assert len(lists) < 6, "no process runs several points"
    assert "failed point 1 " in said and "failed/results.csv: 5 of 6 points" in said, said
    assert "failed point 1 " in work.sweep("failed", *arguments, "--rerun", "failed", expected=5)


def main():
    program, *claims = sys.argv[1:]
    known = {name[len("claim_"):]: claim for name, claim in globals().items() if name.startswith("claim_")}
    for needed in ("parallel", "sbatch", "munged"):
        if shutil.which(needed, path=path_with_sbin()) is None:
            print(f"{needed} is not installed; scripts/setup sweep cluster does that")
            return 77
    for claim in claims:
        with tempfile.TemporaryDirectory() as folder:
            known[claim](Work(os.path.abspath(program), folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
