"""What the tests of the command line share: running the program, and reading and writing checkpoints."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("DISPERSION_LAB", str(ROOT / "build" / "release" / "dispersion_lab"))
SHIPPED_HEAD = ROOT / "assets" / "heads" / "seed1.safetensors"

# Nothing here needs longer, even under the sanitizers on one busy core.
PATIENCE_SECONDS = 300


def clean_environment(**changes):
    """The environment without a display; a value of None removes a variable."""
    without = {"DISPLAY", "WAYLAND_DISPLAY", *changes}
    environment = {k: v for k, v in os.environ.items() if k not in without}
    environment.update({k: v for k, v in changes.items() if v is not None})
    return environment


def read_safetensors(path):
    """Metadata, and per tensor (dtype, shape, bytes)."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    body = data[8 + length :]
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = (entry["dtype"], entry["shape"], body[begin:end])
    return metadata, tensors


def header_of(metadata, tensors):
    """Header object and body of a well-formed file, for a test to spoil."""
    header = {"__metadata__": metadata} if metadata else {}
    body = b""
    for name, (dtype, shape, data) in tensors.items():
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        body += data
    return header, body


def write_raw(path, header, body):
    """`header`: an object, or bytes as they are."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def write_safetensors(path, metadata, tensors):
    write_raw(path, *header_of(metadata, tensors))


def limit_file_size():
    """For preexec_fn: a limit on the size of files, which stands for a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


class CommandLineTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dispersion-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, *arguments, environment=None, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            cwd=self.folder,
            env=environment or clean_environment(),
            stdin=subprocess.DEVNULL,
            **options,
        )
        self.addCleanup(self._end, process)
        return process

    @staticmethod
    def _end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def finish(self, process):
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        return subprocess.CompletedProcess(
            process.args, process.returncode, (out or b"").decode(), (err or b"").decode()
        )

    def run_lab(self, *arguments, **options):
        return self.finish(self.start(*arguments, **options))

    def succeed(self, *arguments, **options):
        """Runs it, expects exit code 0 and silence on standard error, returns standard output."""
        result = self.run_lab(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        return result.stdout

    def succeed_json(self, *arguments, **options):
        text = self.succeed(*arguments, "--json", **options)
        self.assertEqual(text.count("\n"), 1, "one object on one line")
        return json.loads(text)

    def assert_fails(self, result, code, *words):
        """One clear line that contains the words, and nothing else."""
        self.assertEqual(result.returncode, code, result)
        self.assertEqual(result.stdout, "", result)
        self.assert_one_line(result, *words)

    def assert_one_line(self, result, *words):
        self.assertTrue(result.stderr.startswith("dispersion_lab: "), result)
        self.assertTrue(result.stderr.endswith("\n"), result)
        self.assertEqual(result.stderr.count("\n"), 1, result)
        for word in words:
            self.assertIn(str(word), result.stderr)

    def fail_with(self, code, *arguments, words=(), **options):
        self.assert_fails(self.run_lab(*arguments, **options), code, *words)

    def wait_for_file(self, path, process):
        """Until the program has written the file for the first time."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not path.exists():
            self.assertIsNone(process.poll(), "ended before it wrote " + str(path))
            self.assertLess(time.monotonic(), deadline, str(path) + " did not appear")
            time.sleep(0.01)

    def interrupt_after(self, seconds, process, number=signal.SIGINT):
        """Sends the signal when the program has listened for it for so long, and has not ended."""
        status = pathlib.Path("/proc", str(process.pid), "status")
        deadline = time.monotonic() + PATIENCE_SECONDS
        # A thread of the program waits for the signal, which is blocked then (app/commands/interrupt.h).
        while not int(re.search(r"SigBlk:\s*(\w+)", status.read_text())[1], 16) >> (number - 1) & 1:
            self.assertIsNone(process.poll(), "ended before it listened to signals")
            self.assertLess(time.monotonic(), deadline, "does not listen to signals")
            time.sleep(0.01)
        self.assertRaises(subprocess.TimeoutExpired, process.wait, seconds)
        process.send_signal(number)

    def bytes_of(self, path):
        return (self.folder / path).read_bytes()

    def files(self):
        """Every file below the test's folder with its bytes."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
