"""animate: the doubling of n as GIF and as animated PNG."""

import json
import os
import struct
import unittest

from figures import png_chunks, png_provenance
from support import CommandLineTest, clean_environment, limit_file_size


def gif_parts(data):
    """Size, delays in hundredths of a second, repeats, comment and number of images of a GIF."""
    assert data[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    at = 13 + 3 * 2 ** ((flags & 7) + 1)
    delays, comment, repeats, images = [], b"", None, 0

    def blocks():
        nonlocal at
        parts = []
        while data[at]:
            parts.append(data[at + 1 : at + 1 + data[at]])
            at += 1 + data[at]
        at += 1
        return parts

    while data[at : at + 1] != b";":
        if data[at : at + 1] == b"!":
            kind = data[at + 1]
            at += 2
            parts = blocks()
            if kind == 0xF9:
                delays.append(struct.unpack("<H", parts[0][1:3])[0])
            elif kind == 0xFE:
                comment += b"".join(parts)
            elif kind == 0xFF and parts[0] == b"NETSCAPE2.0":
                repeats = struct.unpack("<H", parts[1][1:3])[0]
        else:
            assert data[at : at + 1] == b","
            assert data[at + 9] & 0x80 == 0, "a colour map of its own"
            at += 11
            blocks()
            images += 1
    assert at + 1 == len(data)
    return {"size": (width, height), "delays": delays, "repeats": repeats,
            "told": json.loads(comment), "images": images}  # fmt: skip


class AnimateTest(CommandLineTest):
    def test_a_gif_for_slides(self):
        self.succeed("animate", "dispersion", "-o", "a.gif")
        gif = gif_parts(self.bytes_of("a.gif"))
        self.assertEqual((gif["size"], gif["images"], gif["repeats"]), ((1920, 1080), 11, 0))
        self.assertEqual(gif["delays"], [100] * 10 + [300])
        self.assertEqual(gif["told"]["command"], "animate dispersion --seed 1 --style slide")
        self.assertEqual(gif["told"]["sets"], "32 of every size, seed 1")
        self.assertEqual(len(gif["told"]["run_hash"]), 16)

    def test_what_can_be_set(self):
        arguments = ["adaptive-dispersion", "--largest", "64", "--delay", "500", "--hold", "1500",
                     "--rounds", "3", "--width", "640px", "--dpi", "96", "--theme", "dark",
                     "--seed", "2", "--no-title"]  # fmt: skip
        self.succeed("animate", *arguments, "-o", "a.gif")
        self.succeed("animate", *arguments, "-o", "a.png", "--date", "2026-01-31")
        gif = gif_parts(self.bytes_of("a.gif"))
        self.assertEqual((gif["size"], gif["images"], gif["repeats"]), ((640, 360), 3, 2))
        self.assertEqual(gif["delays"], [50, 50, 150])
        self.assertEqual(gif["told"]["seed"], "2")
        chunks = png_chunks(self.bytes_of("a.png"))
        kinds = [kind for kind, _ in chunks]
        self.assertEqual((kinds.count(b"fcTL"), kinds.count(b"fdAT")), (3, 2))
        (control,) = [body for kind, body in chunks if kind == b"acTL"]
        self.assertEqual(struct.unpack(">II", control), (3, 3))
        told = png_provenance(self.bytes_of("a.png"))
        self.assertEqual(told["date"], "2026-01-31")
        self.assertEqual(told["command"],
                         "animate adaptive-dispersion --seed 2 --style slide --width 640px "
                         "--dpi 96 --theme dark --no-title --largest 64 --delay 500 --hold 1500 "
                         "--rounds 3")  # fmt: skip
        self.succeed(*told["command"].split(), "-o", "again.gif")
        self.assertEqual(self.bytes_of("again.gif"), self.bytes_of("a.gif"))

    def test_every_style(self):
        for style in ["default", "paper", "slide", "poster"]:
            self.succeed("animate", "dispersion", "--largest", "32", "--style", style, "--dpi",
                         "60", "-o", style + ".gif")
            gif = gif_parts(self.bytes_of(style + ".gif"))
            self.assertIn("--style " + style, gif["told"]["command"])

    def test_the_same_bytes_for_any_locale_and_number_of_threads(self):
        small = ["--largest", "64", "--width", "600px", "--dpi", "96"]
        for ending in ["gif", "png"]:
            self.succeed("animate", "dispersion", "-o", "a." + ending, "--threads", "1", *small)
            self.succeed("animate", "dispersion", "-o", "b." + ending, "--threads", "2", *small,
                         environment=clean_environment(LC_ALL="de_DE.UTF-8", TZ="Asia/Tokyo"))
            self.assertEqual(self.bytes_of("a." + ending), self.bytes_of("b." + ending))

    def test_refuses_what_cannot_be_meant(self):
        for arguments, words in [
            ([], ["NAME"]),
            (["spread", "-o", "a.gif"], ["spread", "dispersion"]),
            (["dispersion"], ["--out"]),
            (["dispersion", "-o", "a.svg"], ["a.svg", ".gif", ".png"]),
            (["dispersion", "-o", "a.gif", "--largest", "100"], ["--largest", "100"]),
            (["dispersion", "-o", "a.gif", "--largest", "16"], ["--largest", "32"]),
            (["dispersion", "-o", "a.gif", "--delay", "1"], ["--delay", "20"]),
            (["dispersion", "-o", "a.gif", "--hold", "100000"], ["--hold", "60000"]),
            (["dispersion", "-o", "a.gif", "--rounds", "-1"], ["--rounds"]),
            (["dispersion", "-o", "a.gif", "--width", "84"], ["--width", "84mm"]),
            (["dispersion", "-o", "a.gif", "--seed", "99"], ["99"]),
            (["dispersion", "-o", "a.gif", "--date", "soon"], ["soon"]),
        ]:
            with self.subTest(arguments):
                self.fail_with(2, "animate", *arguments, words=words)
        self.fail_with(1, "animate", "dispersion", "-o", "a.gif", "--checkpoint", "none",
                       words=["none"])
        self.assertEqual(self.files(), {})

    def test_an_old_file_survives(self):
        (self.folder / "a.gif").write_text("old")
        small = ["--largest", "32", "--width", "600px", "--dpi", "96"]
        self.fail_with(1, "animate", "dispersion", "-o", "a.gif", words=["a.gif", "--force"])
        # A limit on the size of files stands for a full disk.
        result = self.run_lab("animate", "dispersion", "-o", "a.gif", "--force", *small,
                              preexec_fn=limit_file_size)
        self.assert_fails(result, 1, "a.gif", "File too large")
        self.assertEqual(self.files(), {"a.gif": b"old"})
        self.succeed("animate", "dispersion", "-o", "a.gif", "--force", *small)
        self.assertEqual(gif_parts(self.bytes_of("a.gif"))["images"], 2)

    def test_odd_paths(self):
        for name in ["with space.gif", "Größe.png", "注意.gif", "🎈.apng"]:
            self.succeed("animate", "dispersion", "--largest", "32", "-o", name)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_read_only_folder(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o555)
        self.fail_with(1, "animate", "dispersion", "-o", closed / "a.gif", words=["a.gif"])


if __name__ == "__main__":
    unittest.main()
