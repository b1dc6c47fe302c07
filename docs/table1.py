#!/usr/bin/env python3
"""Trains and evaluates what docs/table1.md is made of, and writes that page.

An arm is a way to train and evaluate heads. Its heads are trained in RUNS/NAME, where a run that was
stopped goes on; its table is stored in RESULTS/NAME.json; then the page is written from all that is stored.
Without an arm only the page and its figure are written, in a moment. --no-training evaluates heads with or
without Adam's moments, and takes those of assets/heads for missing files where they are of the arm's recipe
and have done --steps.

Examples:
  docs/table1.py
  docs/table1.py default --heads assets/heads
  docs/table1.py half-all decoupled none
  docs/table1.py default-in-bf16 --no-training
"""

import argparse
import dataclasses
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from table1_figure import LINK, figure_json  # noqa: E402
from table1_page import page  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHIPPED_HEADS = ROOT / "assets" / "heads"
FAILURE, WRONG_USAGE = 1, 2
LOOK = ("--style", "paper", "--width", "250mm", "--dpi", 110)  # of the figure


@dataclasses.dataclass(frozen=True)
class Arm:
    name: str
    heads: str  # the folder of its heads below RUNS, which arms may share
    description: str
    recipe: dict  # what differs from the default recipe
    seeds: int
    evaluation: str = "fp32"  # precision
    steps: int = 10**10  # at most

    def recipe_options(self):
        return [word for key, value in self.recipe.items() for word in ("--" + key.replace("_", "-"), value)]


BF16 = {"precision": "bf16", "path": "direct"}
BF16_PRIORITIES = {"precision": "bf16-priorities"}
ARMS = [
    Arm("default", "default", "default recipe: L2 on kernels, fp32", {}, 10),
    Arm("bf16", "bf16", "trained and evaluated in bf16", BF16, 10, "bf16"),
    Arm("default-in-bf16", "default", "trained in fp32, evaluated in bf16", {}, 10, "bf16"),
    Arm("default-in-bf16-priorities", "default", "trained in fp32, priorities rounded to bf16", {}, 10,
        "bf16-priorities"),
    Arm("bf16-priorities", "bf16-priorities", "trained and evaluated with priorities rounded to bf16",
        BF16_PRIORITIES, 10, "bf16-priorities"),
    Arm("bf16-priorities-in-fp32", "bf16-priorities",
        "trained with priorities rounded to bf16, evaluated in fp32", BF16_PRIORITIES, 10),
    Arm("bf16-in-fp32", "bf16", "trained in bf16, evaluated in fp32", BF16, 10),
    Arm("half-all", "half-all", "L2 on all parameters, biases too", {"l2": "half-all"}, 3),
    Arm("full-all", "full-all", "L2 on all parameters, gradient 2 lambda w", {"l2": "full-all"}, 3),
    Arm("decoupled", "decoupled", "decoupled weight decay (AdamW)", {"l2": "decoupled"}, 3),
    Arm("none", "none", "no L2", {"l2": "none"}, 3),
    Arm("spectral-20k", "spectral-20k", "default recipe, a fifth of the steps, spectral path", {}, 10,
        steps=20_000),
    Arm("direct-20k", "direct-20k", "default recipe, a fifth of the steps, direct path",
        {"path": "direct"}, 10, steps=20_000),
]


class Stop(Exception):
    """Ends the script with this exit code, and with one line on standard error unless it is empty."""

    def __init__(self, code, message=""):
        super().__init__(message)
        self.code = code


def write_atomically(path, data):
    temporary = path.with_name(path.name + ".part")
    temporary.write_bytes(data)
    os.replace(temporary, path)


class Program:
    """dispersion_lab. Ctrl-C goes to it too: it saves and ends, and so do we."""

    def __init__(self, path):
        self.path = path
        self.interrupted = False
        signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, *_):
        self.interrupted = True

    def run(self, *words):
        """Returns what it prints."""
        result = subprocess.run([str(self.path), *map(str, words)], stdout=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, check=False)
        if self.interrupted or result.returncode == 128 + signal.SIGINT:
            raise Stop(128 + signal.SIGINT, "interrupted and saved; the same command goes on")
        if result.returncode != 0:
            raise Stop(result.returncode)  # it has said why
        return result.stdout.decode()


# Heads.


@dataclasses.dataclass(frozen=True)
class Head:
    file: pathlib.Path
    recipe: dict
    step: int


def read_header(path):
    """The header of a safetensors file and its data."""
    data = path.read_bytes()
    try:
        (length,) = struct.unpack("<Q", data[:8])
        return json.loads(data[8 : 8 + length]), data[8 + length :]
    except (struct.error, ValueError) as error:
        raise Stop(FAILURE, f"{path}: is no checkpoint: {error}") from error


def read_head(path):
    header, _ = read_header(path)
    try:
        metadata = header["__metadata__"]
        return Head(path, json.loads(metadata["recipe"]), int(metadata["step"]))
    except (KeyError, TypeError, ValueError) as error:
        raise Stop(FAILURE, f"{path}: is no checkpoint of a run: {error!r}") from error


def recipe_of(arm):
    """The shipped heads are of the default recipe."""
    return {**read_head(SHIPPED_HEADS / "seed1.safetensors").recipe, **arm.recipe}


def read_head_of(arm, path):
    """A head that was trained by another recipe than the arm's is none of its heads."""
    head = read_head(path)
    if head.recipe != recipe_of(arm):
        raise Stop(FAILURE, f"{path}: was trained by another recipe ({json.dumps(head.recipe)}) than "
                            f"{arm.name} ({json.dumps(recipe_of(arm))})")
    return head


def train(lab, arm, files, steps, threads):
    """Trains the heads up to that step, going on from what is there."""
    there = [file for file in files if file.exists()]
    for file in there:
        if read_head_of(arm, file).step != steps:
            lab.run("train", "--resume", file, "--steps", steps, "--threads", threads)
    begin = ["train", *arm.recipe_options(), "--steps", steps, "--out", files[0].parent, "--threads", threads]
    if not there:
        lab.run(*begin, "--seeds", len(files))  # side by side
        return
    for seed, file in enumerate(files, 1):
        if file not in there:
            lab.run(*begin, "--seed", seed)


def finished_heads(arm, files, steps, or_shipped):
    """Those that have done so many steps; shipped ones in the place of missing files."""
    heads = []
    for file in files:
        shipped = SHIPPED_HEADS / file.name
        if file.exists():
            heads.append(read_head_of(arm, file))
        elif or_shipped and shipped.exists() and read_head(shipped).recipe == recipe_of(arm):
            heads.append(read_head(shipped))
    return [head for head in heads if head.step == steps]


def weights_only(path):
    """The bytes of a checkpoint without Adam's moments, as the program writes them."""
    header, data = read_header(path)
    kept = {"__metadata__": header.pop("__metadata__")}
    body = b""
    for name, tensor in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        if name.startswith("adam."):
            continue
        begin, end = tensor["data_offsets"]
        kept[name] = {**tensor, "data_offsets": [len(body), len(body) + end - begin]}
        body += data[begin:end]
    text = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def export_heads(heads, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for head in heads:
        history = head.file.with_suffix(".history.csv")
        if history.exists():
            write_atomically(folder / history.name, history.read_bytes())
        write_atomically(folder / head.file.name, weights_only(head.file))


# Tables.


def result_file(options, arm):
    return options.results / (arm.name + ".json")


def read_result(path):
    try:
        result = json.loads(path.read_text())
        if not (result["rows"] and result["heads"] and result["arm"]):
            raise ValueError("it is empty")
        return result
    except (KeyError, TypeError, ValueError) as error:
        raise Stop(FAILURE, f"{path}: is no table of an arm: {error!r}") from error


def require_no_better_table(options, arm, seeds):
    """A quick trial must not take the place of a night's work."""
    path = result_file(options, arm)
    if options.force or not path.exists():
        return
    stored = read_result(path)
    stored_sets, stored_seeds = stored["sets_per_seed"], len(stored["heads"])
    if options.sets >= stored_sets and seeds >= stored_seeds:
        return
    raise Stop(WRONG_USAGE, f"{path} rests on {stored_sets} sets and {stored_seeds} seeds, more than the "
                            f"{options.sets} and {seeds} asked for; name another folder with --results, or "
                            "replace it with --force")


def evaluate(lab, options, arm, heads):
    """Stores the arm's table."""
    text = lab.run("table", "--json", "--sets", options.sets, "--threads", options.threads, "--precision",
                   arm.evaluation, "--heads", *(head.file for head in heads))
    table = json.loads(text)
    for entry, head in zip(table["heads"], heads):
        folder = "shipped" if head.file.parent == SHIPPED_HEADS else head.file.parent.name
        entry["checkpoint"] = f"{folder}/{head.file.name}"
    table.update(arm=arm.name, description=arm.description)
    path = result_file(options, arm)
    write_atomically(path, (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode())
    print("stored", path, flush=True)


def run_arm(lab, options, arm):
    seeds = min(options.seeds or arm.seeds, arm.seeds)
    require_no_better_table(options, arm, seeds)
    steps = min(options.steps, arm.steps)
    folder = options.runs / arm.heads
    files = [folder / f"seed{seed}.safetensors" for seed in range(1, seeds + 1)]
    if not options.no_training:
        train(lab, arm, files, steps, options.threads)
    heads = finished_heads(arm, files, steps, or_shipped=options.no_training)
    if not heads:
        raise Stop(FAILURE, f"{arm.name}: no head in {folder} has done {steps} steps")
    if options.heads:
        export_heads(heads, options.heads)
    evaluate(lab, options, arm, heads)


def draw_figure(lab, options, figure):
    """The figure of the page, once the arms that it shows are stored."""
    if not figure:
        return
    options.figure.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "table1.json"
        source.write_text(figure)
        lab.run("figure", "--from", source, "-o", options.figure, "--force", *LOOK)
    print("wrote", options.figure)


# The command line.


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Stop(WRONG_USAGE, f"{message}; see {self.prog} --help")


def whole_number(low):
    def parse(text):
        if not text.isdecimal() or int(text) < low:
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {low}, not '{text}'")
        return int(text)

    return parse


def read_options(words):
    parser = Parser(prog="table1.py", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arms", metavar="ARM", nargs="*", help=", ".join(arm.name for arm in ARMS))
    folders = [("--runs", ROOT / "runs" / "table1", "folder of the heads in training"),
               ("--results", ROOT / "docs" / "results", "folder of the stored tables"),
               ("--page", ROOT / "docs" / "table1.md", "the page to write"),
               ("--figure", None, f"its figure, which the program draws (default: {LINK} beside the page)"),
               ("--heads", None, "also put the arm's heads here, without Adam's moments, with histories"),
               ("--lab", ROOT / "lab", "the program")]
    for name, default, text in folders:
        parser.add_argument(name, metavar="PATH", type=pathlib.Path, default=default, help=text)
    parser.add_argument("--steps", type=whole_number(1), default=100_000, help="training steps")
    parser.add_argument("--sets", type=whole_number(1), default=16_384, help="sets of every size and head")
    parser.add_argument("--seeds", type=whole_number(0), default=0, help="at most so many; 0: as the arm has")
    parser.add_argument("--threads", type=whole_number(0), default=0, help="0: as many as the machine has")
    parser.add_argument("--no-training", action="store_true", help="take the heads that are trained already")
    parser.add_argument("--force", action="store_true", help="replace tables that rest on more sets or seeds")
    options = parser.parse_args(words)
    known = {arm.name: arm for arm in ARMS}
    for name in options.arms:
        if name not in known:
            raise Stop(WRONG_USAGE, f"arm '{name}' is none of {', '.join(known)}")
    options.arms = [known[name] for name in options.arms]
    options.figure = options.figure or options.page.parent / LINK
    if options.heads and len(options.arms) != 1:
        raise Stop(WRONG_USAGE, f"--heads takes the heads of one arm; {len(options.arms)} were named")
    return options


def main(words):
    options = read_options(words)
    lab = Program(options.lab.resolve())
    options.results.mkdir(parents=True, exist_ok=True)
    for arm in options.arms:
        run_arm(lab, options, arm)
    stored = [result_file(options, arm) for arm in ARMS if result_file(options, arm).exists()]
    if not stored:
        raise Stop(FAILURE, f"{options.results} holds no tables to write a page from; name an arm to make "
                            "one, or the folder with --results")
    results = [read_result(path) for path in stored]
    write_atomically(options.page, page(results).encode())
    print("wrote", options.page)
    draw_figure(lab, options, figure_json(results))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Stop, OSError) as problem:
        if str(problem):
            print("table1.py:", problem, file=sys.stderr)
        sys.exit(getattr(problem, "code", FAILURE))
