"""Checkpoints from outside: readable elsewhere, and refused with a clear line when they are wrong."""

import json
import math
import os
import struct
import sys
import unittest

from support import (
    ROOT,
    SHIPPED_HEAD,
    CommandLineTest,
    header_of,
    read_safetensors,
    write_raw,
    write_safetensors,
)
from figures import png_provenance

WIDTH = 128
SHAPES = {
    "item_mlp.0": (11, WIDTH),
    "item_mlp.1": (WIDTH, WIDTH),
    "query_mlp.0": (1, WIDTH),
    "query_mlp.1": (WIDTH, WIDTH),
    "attention.query": (WIDTH, WIDTH),
    "attention.key": (WIDTH, WIDTH),
    "attention.value": (WIDTH, WIDTH),
    "attention.out": (WIDTH, WIDTH),
    "readout_mlp.0": (WIDTH, WIDTH),
    "readout_mlp.1": (WIDTH, 10),
}


def tensor_shapes():
    shapes = {}
    for name, (rows, columns) in SHAPES.items():
        shapes[name + ".kernel"] = [rows, columns]
        shapes[name + ".bias"] = [columns]
    return shapes


class Readable(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.succeed("train", "--steps", 3, "--seed", 7)
        self.file = self.folder / "runs/default/seed7.safetensors"

    def expected_shapes(self):
        shapes = tensor_shapes()
        moments = {
            f"adam.{moment}.{name}": shape for moment in "mv" for name, shape in shapes.items()
        }
        return {**shapes, **moments}

    def test_names_shapes_and_metadata(self):
        metadata, tensors = read_safetensors(self.file)
        self.assertEqual({name: shape for name, (_, shape, _) in tensors.items()},
                         self.expected_shapes())
        self.assertEqual({dtype for dtype, _, _ in tensors.values()}, {"F32"})
        self.assertEqual((metadata["seed"], metadata["step"]), ("7", "3"))
        self.assertEqual(json.loads(metadata["recipe"])["learning_rate"], 0.001)
        for key in ("version", "commit", "run_hash", "format_version"):
            self.assertTrue(metadata[key], key)

    def test_with_the_safetensors_package(self):
        sys.path.append(str(ROOT / ".deps" / "python"))
        try:
            from safetensors.numpy import load_file
        except ImportError as error:
            self.skipTest(str(error))
        arrays = load_file(self.file)
        self.assertEqual({name: list(a.shape) for name, a in arrays.items()},
                         self.expected_shapes())
        _, tensors = read_safetensors(self.file)
        for name, array in arrays.items():
            self.assertEqual(array.dtype.name, "float32")
            self.assertEqual(array.tobytes(), tensors[name][2], name)

    def test_a_bare_head_from_elsewhere_is_evaluated(self):
        metadata, tensors = read_safetensors(SHIPPED_HEAD)
        bare = {name: tensors[name] for name in tensor_shapes()}
        write_safetensors(self.folder / "bare.safetensors", {}, bare)
        arguments = ("--sizes", "16", "--sets", 16)
        shipped = self.succeed_json("evaluate", *arguments)
        given = self.succeed_json("evaluate", "--checkpoint", "bare.safetensors", *arguments)
        self.assertEqual(given["rows"], shipped["rows"])
        self.assertEqual(given["checkpoint"], "bare.safetensors")

    def test_steps_of_a_head_that_was_trained_on_are_counted_from_its_first_weights(self):
        metadata, tensors = read_safetensors(self.file)
        write_safetensors(self.folder / "on.safetensors", {**metadata, "steps_before": "100000"},
                          tensors)
        few = ("--checkpoint", "on.safetensors", "--sets", 16)
        for command in (("evaluate", "--sizes", 16), ("bounds",)):
            told = self.succeed_json(*command, *few)
            self.assertEqual((told["step"], told["fresh_moments_at_step"]), (100003, 100000))
            self.assertIn("seed 7, step 100003, run ", self.succeed(*command, *few))
        measured = self.succeed_json("spread", "--checkpoint", "on.safetensors")["measured"]
        self.assertEqual({row["step"] for row in measured}, {100003})
        self.succeed("figure", "bounds", *few, "-o", "on.json")
        told = json.loads(self.bytes_of("on.json"))["provenance"]
        self.assertEqual((told["step"], told["fresh moments at step"]), ("100003", "100000"))
        self.assertNotIn("steps_before", told)
        # A figure names its head so when that is not at hand.
        self.fail_with(1, "figure", "--from", "on.json", "-o", "again.json", words=["step '100003'"])

    def test_a_head_whose_metadata_were_lost_claims_no_run(self):
        words = "weights only: seed, step and recipe unknown"
        metadata, tensors = read_safetensors(self.file)
        for name, kept in (("bare", {}), ("pt", {"format": "pt"}),
                           ("merged", {**metadata, "format": "pt"})):  # fmt: skip
            with self.subTest(name):
                file = name + ".safetensors"
                write_safetensors(self.folder / file, kept, tensors)
                few = ("--checkpoint", file, "--sets", 16)
                for command in (("evaluate", "--sizes", 16), ("bounds",)):
                    text = self.succeed(*command, *few)
                    self.assertTrue(text.startswith(f"head: {file}, {words}, run "), text)
                    self.assertNotIn("recipe: ", text)
                    self.assertNotIn("step 0", text)
                    told = self.succeed_json(*command, *few)
                    self.assertEqual([told[key] for key in ("seed", "step", "recipe")], [None] * 3)
                self.succeed("figure", "bounds", *few, "-o", name + ".json")
                told = json.loads(self.bytes_of(name + ".json"))["provenance"]
                self.assertEqual(told["run"], words)
                self.assertEqual(told.keys() & {"seed", "step", "recipe"}, set())
                self.succeed("figure", "--from", name + ".json", "--search", ".", "-o", name + "2.json")
                again = json.loads(self.bytes_of(name + "2.json"))["provenance"]
                self.assertEqual((again["run"], again.keys()), (words, told.keys()))
                self.succeed("animate", "dispersion", "--checkpoint", file, "--largest", 32, "-o",
                             name + ".png")
                told = png_provenance(self.bytes_of(name + ".png"))
                self.assertEqual(told["run"], words)
                self.assertEqual(told.keys() & {"seed", "step", "recipe"}, set())
                self.fail_with(1, "train", "--resume", file, "--steps", 9, words=[file, words])
                os.replace(self.folder / file, self.folder / "runs/default/seed7.safetensors")
                self.fail_with(1, "train", "--steps", 9, "--seed", 7, words=[words, "--out"])


class OfOtherPrograms(CommandLineTest):
    """Heads in other formats, under other names, beside other tensors: read, and said."""

    def evaluated(self, tensors, *words):
        write_safetensors(self.folder / "bare.safetensors", {"format": "pt"}, tensors)
        result = self.run_lab("evaluate", "--checkpoint", "bare.safetensors", "--sizes", 16,
                              "--sets", 8, "--json")
        self.assertEqual(result.returncode, 0, result)
        self.assert_one_line(result, "bare.safetensors: ", *words)
        return json.loads(result.stdout)

    def setUp(self):
        super().setUp()
        _, self.tensors = read_safetensors(SHIPPED_HEAD)
        self.shipped = self.succeed_json("evaluate", "--sizes", 16, "--sets", 8)

    def test_one_more_tensor(self):
        for name, dtype, size in (("step", "I64", 8), ("rope", "BF16", 2)):
            told = self.evaluated({name: (dtype, [1], bytes(size)), **self.tensors},
                                  f"ignored, as no part of a head: '{name}' ({dtype})")
            self.assertEqual((told["rows"], told["seed"]), (self.shipped["rows"], None))

    def test_a_prefix(self):
        for prefix in ("model.", "params/"):
            named = {prefix + name: tensor for name, tensor in self.tensors.items()}
            told = self.evaluated(named, f"names of its tensors begin with '{prefix}'")
            self.assertEqual(told["rows"], self.shipped["rows"])
        named.update({"ema." + name: tensor for name, tensor in self.tensors.items()})
        write_safetensors(self.folder / "two.safetensors", {}, named)
        self.fail_with(1, "evaluate", "--checkpoint", "two.safetensors",
                       words=["two.safetensors", "has 2 heads", "'ema.'", "'params/'"])

    def test_half_precision(self):
        def halved(data):
            return b"".join(data[i + 2 : i + 4] for i in range(0, len(data), 4))

        half = {name: ("BF16", shape, halved(data)) for name, (_, shape, data) in self.tensors.items()}
        whole = {name: ("F32", shape, b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2)))
                 for name, (_, shape, data) in half.items()}
        told = self.evaluated(half, "widened to F32 from BF16")
        write_safetensors(self.folder / "whole.safetensors", {}, whole)
        same = self.succeed_json("evaluate", "--checkpoint", "whole.safetensors", "--sizes", 16,
                                 "--sets", 8)
        self.assertEqual((told["rows"], told["run_hash"]), (same["rows"], same["run_hash"]))


class Refused(CommandLineTest):
    """Each spoilt file is refused by everything that reads checkpoints."""

    @classmethod
    def setUpClass(cls):
        maker = CommandLineTest()
        maker.setUp()
        try:
            maker.succeed("train", "--steps", 2)
            file = maker.folder / "runs/default/seed1.safetensors"
            cls.good = file.read_bytes()
            cls.metadata, cls.tensors = read_safetensors(file)
        finally:
            maker.doCleanups()

    def assert_refused(self, *words):
        before = self.files()
        words = ("spoilt.safetensors", *words)
        self.fail_with(1, "evaluate", "--checkpoint", "spoilt.safetensors", "--sizes", 16,
                       "--sets", 1, words=words)
        self.fail_with(1, "train", "--resume", "spoilt.safetensors", "--steps", 9, words=words)
        self.fail_with(1, "gui", "--checkpoint", "spoilt.safetensors", words=words)
        self.assertEqual(self.files(), before)

    def refuse_bytes(self, data, *words):
        (self.folder / "spoilt.safetensors").write_bytes(data)
        self.assert_refused(*words)

    def refuse_header(self, change, *words, body=None):
        header, good_body = header_of(self.metadata, self.tensors)
        changed = change(header)
        write_raw(self.folder / "spoilt.safetensors", header if changed is None else changed,
                  good_body if body is None else body)
        self.assert_refused(*words)

    def test_missing(self):
        self.assert_refused()

    def test_a_folder(self):
        (self.folder / "spoilt.safetensors").mkdir()
        self.fail_with(1, "evaluate", "--checkpoint", "spoilt.safetensors",
                       words=["spoilt.safetensors", "directory"])

    def test_truncated(self):
        for length in (0, 7, 8, 100, 10_000, len(self.good) // 2, len(self.good) - 1):
            with self.subTest(length):
                self.refuse_bytes(self.good[:length])

    def test_bytes_after_the_end(self):
        self.refuse_bytes(self.good + b"\0")

    def test_foreign(self):
        self.refuse_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
        self.refuse_bytes(b"text, and enough of it to hold a length\n" * 10)

    def test_a_header_longer_than_the_file(self):
        self.refuse_bytes(struct.pack("<Q", 2**63) + self.good[8:])
        self.refuse_bytes(struct.pack("<Q", 2**64 - 1) + self.good[8:])

    def test_headers_that_are_no_object(self):
        for header in (b"", b"[]", b"null", b"{", b'{"a":', b"[" * 100_000, b"\xff\xfe{}"):
            with self.subTest(header[:10]):
                self.refuse_header(lambda _, header=header: header)

    def test_huge_shapes(self):
        for shape in ([2**62, 4], [2**32, 2**32], [2**31, WIDTH], [-1, WIDTH], [1.5, WIDTH]):
            with self.subTest(shape):
                self.refuse_header(
                    lambda h, shape=shape: h["item_mlp.0.kernel"].update(shape=shape),
                    "item_mlp.0.kernel",
                )

    def test_another_shape_of_the_same_size(self):
        self.refuse_header(lambda h: h["item_mlp.0.kernel"].update(shape=[WIDTH, 11]),
                           "item_mlp.0.kernel")

    def test_offsets(self):
        size = 4 * WIDTH
        for offsets in ([0, size], [size, 0], [2**63, 2**63 + size], [-size, 0], [0], [0, 1, 2]):
            with self.subTest(offsets):
                self.refuse_header(
                    lambda h, o=offsets: h["attention.out.bias"].update(data_offsets=o))

    def test_wrong_types(self):
        for dtype in ("F64", "BF16", "I32", "Q99", 7):
            with self.subTest(dtype):
                self.refuse_header(lambda h, d=dtype: h["attention.key.bias"].update(dtype=d))

    def test_a_missing_tensor(self):
        tensors = {k: v for k, v in self.tensors.items() if k != "attention.value.bias"}
        write_safetensors(self.folder / "spoilt.safetensors", self.metadata, tensors)
        self.assert_refused("attention.value.bias")

    def test_numbers_that_are_none(self):
        for name in ("attention.query.kernel", "adam.m.readout_mlp.1.bias"):
            for value in (math.nan, math.inf, -math.inf):
                dtype, shape, data = self.tensors[name]
                spoilt = data[:8] + struct.pack("<f", value) + data[12:]
                tensors = {**self.tensors, name: (dtype, shape, spoilt)}
                write_safetensors(self.folder / "spoilt.safetensors", self.metadata, tensors)
                with self.subTest(f"{name} {value}"):
                    self.assert_refused(name)

    def test_metadata(self):
        for key, value in (
            ("step", "-1"),
            ("step", "many"),
            ("seed", "4294967296"),
            ("recipe", "{}x"),
            ("recipe", '{"learning_rate": -1}'),
            ("recipe", '{"surprise": 1}'),
            ("width", "64"),
            ("format_version", "99"),
        ):
            with self.subTest(f"{key} = {value}"):
                write_safetensors(self.folder / "spoilt.safetensors",
                                  {**self.metadata, key: value}, self.tensors)
                self.assert_refused(key)

    def test_recipes_that_options_refuse(self):
        for change, word in (
            ({"adam_epsilon": 1e-50}, "adam_epsilon"),
            ({"adam_epsilon": 1e300}, "adam_epsilon"),
            ({"learning_rate": 1e-50}, "learning_rate"),
            ({"learning_rate": 1e300}, "learning_rate"),
            ({"l2_lambda": 1e-50}, "l2_lambda"),
            ({"batch_sets": 65536, "smallest_set": 4096, "largest_set": 4096}, "batch_sets"),
            ({"precision": "bf16"}, "path"),
        ):
            with self.subTest(change):
                recipe = {**json.loads(self.metadata["recipe"]), **change}
                write_safetensors(self.folder / "spoilt.safetensors",
                                  {**self.metadata, "recipe": json.dumps(recipe)}, self.tensors)
                self.assert_refused("recipe", word)
                options = [part for field, value in change.items()
                           for part in ("--" + field.replace("_", "-"), value)]
                if "precision" in change:
                    options += ["--path", "spectral"]
                self.fail_with(2, "train", "--steps", 0, *options,
                               words=["--" + word.replace("_", "-")])

    def test_terminal_escapes_in_a_recipe(self):
        recipe = json.loads(self.metadata["recipe"])
        for l2 in ("\x1b[2J\x1b[31mowned\x07", "\u202eowned\ufeff\x9b", "x" * 100_000):
            with self.subTest(l2[:8]):
                text = json.dumps({**recipe, "l2": l2})
                write_safetensors(self.folder / "spoilt.safetensors",
                                  {**self.metadata, "recipe": text}, self.tensors)
                result = self.run_lab("evaluate", "--checkpoint", "spoilt.safetensors")
                self.assert_fails(result, 1, "spoilt.safetensors", "half-all")
                self.assertTrue(result.stderr.rstrip("\n").isprintable(), result.stderr)
                self.assertLess(len(result.stderr), 500)
        write_safetensors(self.folder / "spoilt.safetensors",
                          {**self.metadata, "recipe": json.dumps({**recipe, "l2": "\x1b[2J"})},
                          self.tensors)
        self.assert_refused(r"'\x1b[2J'")

    def test_finite_weights_whose_attention_is_not(self):
        # The spectral path computes logits in double and bears more before they leave float's range.
        for path, kernels in (("direct", ["query"]), ("spectral", ["query", "key"])):
            with self.subTest(path):
                tensors = dict(self.tensors)
                for kernel in kernels:
                    name = f"attention.{kernel}.kernel"
                    dtype, shape, data = tensors[name]
                    tensors[name] = (dtype, shape, struct.pack("<f", 3e38) * (len(data) // 4))
                write_safetensors(self.folder / "spoilt.safetensors", self.metadata, tensors)
                self.fail_with(1, "evaluate", "--checkpoint", "spoilt.safetensors", "--sizes", 16,
                               "--sets", 2, "--path", path,
                               words=["spoilt.safetensors", "not finite"])

    def test_what_overflows_on_one_path_is_refused_on_both(self):
        # The key bias shifts all logits of a set alike, and the spectral path leaves it out.
        _, tensors = read_safetensors(SHIPPED_HEAD)
        name = "attention.key.bias"
        dtype, shape, data = tensors[name]
        tensors[name] = (dtype, shape, struct.pack("<f", 3e38) * (len(data) // 4))
        write_safetensors(self.folder / "huge.safetensors", {}, tensors)
        head = ("--checkpoint", "huge.safetensors", "--sizes", 16, "--sets", 2)
        for arguments in (("evaluate", *head, "--path", "spectral"), ("bounds", *head),
                          ("evaluate", *head, "--path", "direct"), ("precision", *head)):
            self.fail_with(1, *arguments, words=["huge.safetensors", "not finite"])

    def test_every_command_refuses_attention_that_is_not_finite(self):
        tensors = {}
        for name, shape in tensor_shapes().items():
            shape = [2 if axis == WIDTH else axis for axis in shape]
            tensors[name] = ("F32", shape, struct.pack("<f", 3e38) * math.prod(shape))
        write_safetensors(self.folder / "huge.safetensors", {}, tensors)
        before = self.files()
        head = ("--checkpoint", "huge.safetensors")
        few = ("--sizes", 8, "--sets", 8)
        figures = ("dispersion", "adaptive-dispersion", "entropy", "fit", "bounds", "spread",
                   "precision")
        for arguments in (
            ("evaluate", *head, *few),
            ("precision", *head, *few),
            ("bounds", *head, *few),
            ("surface", *head, *few),
            ("streaming", *head, "--sizes", 8),
            ("spread", *head),
            ("spread", "--checkpoint", SHIPPED_HEAD, "huge.safetensors"),
            ("fit", *head),
            ("table", "--heads", SHIPPED_HEAD, "huge.safetensors", *few),
            ("gui", *head),
            ("animate", "dispersion", *head, "-o", "a.gif"),
            *(("figure", name, *head, "-o", "a.svg") for name in figures),
        ):
            with self.subTest(" ".join(map(str, arguments))):
                self.fail_with(1, *arguments,
                               words=["huge.safetensors: gives attention that is not finite"])
        self.assertEqual(self.files(), before, "nothing may be written")


if __name__ == "__main__":
    unittest.main()
