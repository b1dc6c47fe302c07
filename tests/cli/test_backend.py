"""`--backend`: what computes, and what is said where there is no CUDA device."""

import json
import unittest

from support import CommandLineTest


class Backend(CommandLineTest):
    def has_device(self):
        return json.loads(self.succeed("info", "--json"))["gpu"] is not None

    def evaluate(self, *arguments):
        return self.succeed("evaluate", "--sizes", "16", "--sets", 8, "--json", *arguments)

    def test_cpu_is_the_default(self):
        self.assertEqual(self.evaluate(), self.evaluate("--backend", "cpu"))
        self.assertIn("CPU", json.loads(self.evaluate())["backend"])

    def test_auto_takes_what_there_is(self):
        backend = json.loads(self.evaluate("--backend", "auto"))["backend"]
        self.assertIn("CUDA" if self.has_device() else "CPU", backend)

    def test_a_device_that_cannot_be_used_is_an_error(self):
        for command in (("evaluate",), ("table", "--sets", 2), ("train", "--steps", 1)):
            self.fail_with(1, *command, "--backend", "cuda:1000",
                           words=["--backend cuda:1000", "CUDA"])

    def test_names(self):
        for name in ("gpu", "cuda:", "cuda:x", "cuda:-1", "CPU"):
            self.fail_with(2, "evaluate", "--backend", name, words=[])


if __name__ == "__main__":
    unittest.main()
