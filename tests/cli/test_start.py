"""Starting without a display, without a GPU, and the work that needs neither."""

import pathlib
import signal
import struct
import subprocess
import time
import unittest
import zlib

from support import PROGRAM, ROOT, CommandLineTest, clean_environment, read_safetensors


QUICK = ("--seconds", "0.5", "--sets", 2)
MOST_ROWS = 750  # down to the title of the second row of frames; Python is slow at this


def read_png(path):
    """Width, height and the uppermost rows of RGB bytes."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    position, pixels = 8, b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position : position + 8])
        chunk = data[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", chunk[:10])
            assert (depth, colour) == (8, 2), "not opaque RGB"
        elif kind == b"IDAT":
            pixels += chunk
        position += length + 12
    return width, height, unfilter(zlib.decompress(pixels), 3 * width, min(height, MOST_ROWS))


def unfilter(data, stride, height):
    rows, before = [], bytearray(stride)
    for y in range(height):
        kind = data[y * (stride + 1)]
        row = bytearray(data[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        if kind == 1:
            for x in range(3, stride):
                row[x] = (row[x] + row[x - 3]) & 255
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, before))
        elif kind == 3:
            for x in range(stride):
                left = row[x - 3] if x >= 3 else 0
                row[x] = (row[x] + (left + before[x]) // 2) & 255
        elif kind == 4:
            for x in range(stride):
                row[x] = (row[x] + paeth(row, before, x)) & 255
        rows.append(bytes(row))
        before = row
    return rows


def paeth(row, before, x):
    left, corner = (row[x - 3], before[x - 3]) if x >= 3 else (0, 0)
    above = before[x]
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def colours(rows):
    return {row[x : x + 3] for row in rows for x in range(0, len(row), 3)}


class WithoutDisplay(CommandLineTest):
    def test_gui_says_what_to_do_instead(self):
        self.fail_with(1, "gui", words=["headless"])

    def test_a_state_that_is_none_is_refused_before_a_window_opens(self):
        for line in (["--state", "hello"], ["gui", "--state", "hello"], ["--state=hello"]):
            with self.subTest(line):
                self.fail_with(1, *line, words=["the state: should begin with dispersion-lab:1:"])

    def test_behaviour_06_gui_with_a_display_that_cannot_be_opened(self):
        for variable, value in (("DISPLAY", ":4711"), ("WAYLAND_DISPLAY", "wayland-4711")):
            for runtime in (None, str(self.folder)):
                with self.subTest(f"{variable}={value} XDG_RUNTIME_DIR={runtime}"):
                    environment = clean_environment(XDG_RUNTIME_DIR=runtime, **{variable: value})
                    self.fail_with(1, "gui", words=["headless"], environment=environment)

    def test_no_argument_trains_and_draws(self):
        process = self.start()
        self.wait_for_file(self.folder / "runs/headless/before.png", process)
        # The minute is cut short as a user would, once it trains: before, there is nothing to save,
        # and a signal ends it without a figure of after.
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.returncode, 130, result)
        self.assertIn("runs/headless", result.stdout.splitlines()[1])
        self.assertTrue((self.folder / "runs/headless/after.png").is_file())

    def test_headless(self):
        out = self.succeed("headless", *QUICK, "--out", "figures")
        written = ["figures/after.png", "figures/before.png", "figures/head.safetensors"]
        self.assertEqual(list(self.files()), written)
        for name in written:
            self.assertIn(name, out)
        metadata, _ = read_safetensors(self.folder / "figures/head.safetensors")
        self.assertGreater(int(metadata["step"]), 0)
        self.assertIn(f"trained {metadata['step']} steps", out)
        self.assertIn(metadata["run_hash"], out)

    def test_pictures(self):
        self.succeed("headless", *QUICK, "--out", "figures")
        before = read_png(self.folder / "figures/before.png")
        after = read_png(self.folder / "figures/after.png")
        for width, height, rows in (before, after):
            self.assertEqual((width, height), (3200, 2000))
            self.assertEqual(rows[0][:3], b"\xff\xff\xff")
            self.assertLessEqual({b"\x04\x43\x70", b"\xcf\x51\x16"}, colours(rows))
        self.assertNotEqual(before[2], after[2])


class WithoutGpu(CommandLineTest):
    def test_no_library_of_cuda_is_needed(self):
        libraries = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True)
        for name in ("libcuda", "libcudart", "libnvidia"):
            self.assertNotIn(name, libraries.stdout)

    def test_behaviour_01_info_says_why_there_is_none(self):
        info = self.succeed_json("info")
        if info["gpu"] is None:
            self.assertTrue(info["gpu_reason"].endswith("."))

    def test_info_tells_what_there_is_of_cuda(self):
        cuda = self.succeed_json("info")["cuda"]
        text = self.succeed("info")
        self.assertEqual("CUDA runtime" in text, cuda is not None)
        for index, device in enumerate((cuda or {"devices": []})["devices"]):
            self.assertRegex(device["compute_capability"], r"^\d+\.\d$")
            self.assertIn(f"CUDA device {index}", text)
            self.assertIn(f"compute capability {device['compute_capability']}", text)


class Verify(CommandLineTest):
    golden = ROOT / "tests" / "golden"

    def test_golden_data(self):
        report = self.succeed("verify", self.golden)
        self.assertIn("attention_logits", report)

    def test_falsified(self):
        copy = self.folder / "golden"
        copy.mkdir()
        for file in self.golden.iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
        data = bytearray((copy / "trained.safetensors").read_bytes())
        (length,) = struct.unpack("<Q", data[:8])
        # A quarter of the way into the numbers, well inside a large tensor.
        place = 8 + length + (len(data) - 8 - length) // 4 // 4 * 4
        data[place : place + 4] = struct.pack("<f", 1e3)
        (copy / "trained.safetensors").write_bytes(data)
        result = self.run_lab("verify", copy)
        self.assertEqual(result.returncode, 1)

    def test_missing_folder(self):
        result = self.run_lab("verify", "nowhere")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result, "nowhere")


if __name__ == "__main__":
    unittest.main()
