"""A processor that the program was not built for: one sentence instead of an illegal instruction."""

import shutil
import subprocess
import unittest

from support import PATIENCE_SECONDS, PROGRAM, CommandLineTest

EMULATOR = shutil.which("qemu-x86_64")


@unittest.skipUnless(EMULATOR, "qemu-x86_64 is not here")
class OldProcessor(CommandLineTest):
    def setUp(self):
        super().setUp()
        if self.succeed_json("info")["sanitizers"]:
            self.skipTest("sanitizers do not run in the emulator")

    def emulate(self, processor, program, *arguments):
        result = subprocess.run(
            [EMULATOR, "-cpu", processor, str(program), *arguments],
            cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
        )
        own = [line for line in result.stderr.splitlines() if not line.startswith("qemu-x86_64: ")]
        return result.returncode, result.stdout, own

    def built_for(self):
        # "AVX2, products by AVX-512" where the library of products takes more than the program.
        return self.succeed_json("info")["instruction_set"].split(",")[0]

    def test_the_emulator_runs_what_was_built_for_any_processor(self):
        code, _, errors = self.emulate("Nehalem", shutil.which("true"))
        self.assertEqual((code, errors), (0, []))

    def test_less_than_every_build_needs(self):
        built_for = self.built_for()
        self.assertIn(built_for, ["AVX2", "AVX-512"])
        for arguments in (["--version"], ["info"], ["no such command"], []):
            with self.subTest(arguments):
                code, out, errors = self.emulate("Nehalem", PROGRAM, *arguments)
                self.assertEqual((code, out, len(errors)), (1, "", 1), errors)
                self.assertTrue(errors[0].startswith("dispersion_lab: built for " + built_for), errors)
                self.assertIn("this processor has not got AVX2 and FMA", errors[0])

    def test_through_a_link_and_as_a_copy(self):
        link, copy = self.folder / "link", self.folder / "copy"
        link.symlink_to(PROGRAM)
        shutil.copy(PROGRAM, copy)
        for program in (link, copy):
            code, _, errors = self.emulate("Nehalem", program, "--version")
            self.assertEqual((code, len(errors)), (1, 1))
            self.assertTrue(errors[0].startswith(program.name + ": built for "), errors)

    def test_a_processor_of_2013(self):
        code, out, errors = self.emulate("Haswell", PROGRAM, "--version")
        if self.built_for() == "AVX2":
            self.assertEqual((code, errors), (0, []))
            self.assertTrue(out.startswith("dispersion_lab "))
        else:
            self.assertEqual((code, out, len(errors)), (1, "", 1), errors)
            self.assertIn("built for AVX-512, but this processor has AVX2 and no AVX-512", errors[0])
            self.assertIn("DISPERSION_INSTRUCTION_SET=avx2", errors[0])


if __name__ == "__main__":
    unittest.main()
