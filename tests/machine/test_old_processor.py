"""The program built for AVX2 at work on the first processor that had it, in the emulator."""

import json
import subprocess
import unittest

from support import PATIENCE_SECONDS, PROGRAM, CommandLineTest, clean_environment, read_safetensors

TRAIN = ("train", "--steps", "5", "--seed", "7", "--batch-sets", "8", "--threads", "1")


class Haswell(CommandLineTest):
    def emulate(self, *arguments):
        result = subprocess.run(["qemu-x86_64", "-cpu", "Haswell", PROGRAM, *map(str, arguments)],
                                cwd=self.folder, capture_output=True, text=True,
                                timeout=4 * PATIENCE_SECONDS)
        self.assertEqual(result.returncode, 0, result)
        return result.stdout

    def test_is_what_it_says(self):
        self.assertEqual(json.loads(self.emulate("info", "--json"))["instruction_set"], "AVX2")

    def test_trains_to_the_same_head_and_evaluates_and_draws_it(self):
        self.emulate(*TRAIN, "--out", "there")
        # oneDNN has code of its own for each processor, which rounds otherwise.
        self.succeed(*TRAIN, "--out", "here", environment=clean_environment(ONEDNN_MAX_CPU_ISA="AVX2"))
        head = "seed7.safetensors"
        there, tensors = read_safetensors(self.folder / "there" / head)
        here, same_tensors = read_safetensors(self.folder / "here" / head)
        self.assertEqual(there["run_hash"], here["run_hash"])
        self.assertEqual(tensors, same_tensors)
        options = ("--checkpoint", f"there/{head}", "--sizes", "8,16", "--sets", "4")
        self.assertEqual(self.emulate("evaluate", *options, "--csv"), self.succeed("evaluate", *options, "--csv"))
        self.emulate("figure", "bounds", "--checkpoint", f"there/{head}", "-o", "there.pdf")
        self.succeed("figure", "bounds", "--checkpoint", f"there/{head}", "-o", "here.pdf")
        self.assertTrue(self.bytes_of("there.pdf").startswith(b"%PDF-1.4"))


if __name__ == "__main__":
    unittest.main()
