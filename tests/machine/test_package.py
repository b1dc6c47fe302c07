"""The Debian package: made of the builds at hand, looked into, unpacked and run."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import PROGRAM, ROOT, clean_environment

AVX2 = pathlib.Path(PROGRAM).parent
RELEASE = pathlib.Path(os.environ["DISPERSION_RELEASE"])
SHARED = {
    "usr/share/applications/dispersion-lab.desktop",
    "usr/share/bash-completion/completions/dispersion_lab",
    "usr/share/doc/dispersion-lab/copyright",
    "usr/share/icons/hicolor/128x128/apps/dispersion-lab.png",
    "usr/share/icons/hicolor/48x48/apps/dispersion-lab.png",
    "usr/share/icons/hicolor/scalable/apps/dispersion-lab.svg",
    "usr/share/man/man1/dispersion_lab.1.gz",
    "usr/share/mime/packages/dispersion-lab.xml",
    "usr/share/zsh/vendor-completions/_dispersion_lab",
}
# What lintian says of a package that is made here and not by Debian.
EXPECTED_TAGS = {
    "no-changelog": "the package is not in Debian; CHANGELOG.md is the project's",
    "malformed-contact": "whoever builds it may set DEBFULLNAME and DEBEMAIL",
}


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def instruction_set_of(build):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("DISPERSION_INSTRUCTION_SET:"):
            return line.split("=")[1]
    raise ValueError(build)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="dispersion-package-"))
        builds = [AVX2]
        if instruction_set_of(RELEASE) == "avx512":
            builds.append(RELEASE)
        cls.sets = {instruction_set_of(build) for build in builds}
        projects = ";".join(f"{build};dispersion_lab;ALL;/" for build in builds)
        run("cpack", "-G", "DEB", "-B", str(cls.folder), "-D",
            f"CPACK_INSTALL_CMAKE_PROJECTS={projects}", cwd=AVX2)
        (cls.package,) = cls.folder.glob("*.deb")
        cls.root = cls.folder / "root"
        run("dpkg-deb", "-x", str(cls.package), str(cls.root))
        cls.command = cls.root / "usr/bin/dispersion_lab"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def field(self, name):
        return run("dpkg-deb", "-f", str(self.package), name).stdout.strip()

    def info(self, **environment):
        return run(str(self.command), "info", env=clean_environment(**environment)).stdout

    def test_holds_what_it_should_and_no_more(self):
        found = {str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()}
        programs = {f"usr/lib/dispersion-lab/{name}/dispersion_lab" for name in self.sets}
        self.assertEqual(found, SHARED | programs | {"usr/bin/dispersion_lab"})

    def test_says_what_it_needs(self):
        self.assertEqual(self.field("Package"), "dispersion-lab")
        needs = self.field("Depends")
        for library in ("libc6", "libcairo2", "libgl1", "libegl1", "libwayland-client0"):
            self.assertIn(library, needs)
        self.assertNotIn("cuda", needs)

    def test_starts_the_best_program_of_this_processor(self):
        here = instruction_set_of(RELEASE)
        name = {"avx2": "AVX2", "avx512": "AVX-512"}
        self.assertIn(name[here], self.info())
        self.assertIn("AVX2", self.info(DISPERSION_INSTRUCTION_SET="avx2"))

    def test_starts_through_a_link(self):
        link = self.folder / "link"
        link.symlink_to(self.command)
        self.assertIn("dispersion_lab", run(str(link), "--version").stdout)

    def emulated(self, processor, **environment):
        emulator = shutil.which("qemu-x86_64")
        self.assertIsNotNone(emulator, "qemu-x86_64 is not here")
        return subprocess.run([emulator, "-cpu", processor, str(self.command), "info"],
                              capture_output=True, text=True, env=clean_environment(**environment))

    def test_an_older_processor_gets_the_program_for_avx2(self):
        # The emulator is left with the starter: what that runs, the processor at hand runs.
        self.assertIn("AVX2", self.emulated("Haswell").stdout)

    def test_a_build_that_is_not_there(self):
        result = subprocess.run([str(self.command)], capture_output=True, text=True,
                                env=clean_environment(DISPERSION_INSTRUCTION_SET="sse2"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("no build sse2", result.stderr)

    def test_desktop_and_file_type(self):
        run("desktop-file-validate", str(self.root / "usr/share/applications/dispersion-lab.desktop"))
        mime = self.folder / "mime"
        (mime / "packages").mkdir(parents=True)
        shutil.copy(self.root / "usr/share/mime/packages/dispersion-lab.xml", mime / "packages")
        run("update-mime-database", str(mime))
        self.assertIn("40:application/x-dispersion-lab-head:*.safetensors", (mime / "globs2").read_text())
        # The pattern of the magic is in the files that it is meant for, where it says.
        head = (ROOT / "assets/heads/seed1.safetensors").read_bytes()
        self.assertEqual(head[8:25], b'{"__metadata__":{')
        place = head.find(b'"format":"dispersion-lab-head"')
        self.assertTrue(24 <= place < 24 + 512, place)

    def test_lintian(self):
        result = subprocess.run(["lintian", "--tag-display-limit", "0", str(self.package)],
                                capture_output=True, text=True)
        tags = {line.split(": ")[2].split()[0] for line in result.stdout.splitlines()
                if line[:2] in ("E:", "W:")}
        self.assertEqual(tags - set(EXPECTED_TAGS), set(), result.stdout)

    def complete_in_bash(self, *words):
        script = (f". {self.root}/usr/share/bash-completion/completions/dispersion_lab\n"
                  'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dispersion_lab "$1"\n'
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", script, "bash", str(self.command), *words).stdout.split()

    def test_completion_in_bash(self):
        self.assertEqual(self.complete_in_bash("tr"), ["train"])
        self.assertIn("--steps", self.complete_in_bash("train", "--st"))

    def test_completion_in_zsh(self):
        script = ("_describe() { print -l -- ${(P)3} }\n_files() { print FILES }\n"
                  f"words=({self.command} $@); CURRENT=$#words\n"
                  f". {self.root}/usr/share/zsh/vendor-completions/_dispersion_lab")
        run_it = lambda *words: run("zsh", "-f", "-c", script, "zsh", *words).stdout.splitlines()
        self.assertEqual(run_it("tr"), ["train:Train heads and keep them as checkpoints"])
        self.assertEqual(run_it("gui", "--checkpoint", "x"), ["FILES"])

    def test_a_home_that_cannot_be_written_is_left_alone(self):
        home = self.folder / "home"
        home.mkdir(mode=0o555)
        self.info(HOME=str(home))
        self.assertEqual(list(home.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
