"""What the tests of figures share: the names of all, and the parts of a PNG."""

import json
import re
import struct
import subprocess
import zlib

from support import PROGRAM, clean_environment

# Figures that take no time.
QUICK = ["dispersion", "adaptive-dispersion", "surface", "spread", "training"]


def named_by(message_begin, *arguments):
    """The figures that the program names when it refuses these arguments, in its order."""
    result = subprocess.run([PROGRAM, "figure", *arguments], capture_output=True, text=True,
                            env=clean_environment())
    (names,) = re.findall(message_begin + r" ([a-z, -]+)", result.stderr)
    return names.split(", ")


# These come from the program's table, so that a new experiment needs no change here. The test of the
# lists says which figures are the least.
ALL = sorted(named_by("there are", "nothing", "-o", "a.svg"))
TABLES = named_by("those with one are", "training", "-o", "a.tex")
OF_SETS = named_by("it goes with", "training", "-o", "a.svg", "--sets", "4")
STORED = named_by("it goes with", "training", "-o", "a.svg", "--recompute")


def few_sets(name):
    """Options that make the figure quickly."""
    return ["--sets", "4"] if name in OF_SETS else []


def png_chunks(data):
    """Type and data of every chunk, with its checksum checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    chunks = []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert zlib.crc32(kind + body) == checksum, kind
        chunks.append((kind, body))
        at += 12 + length
    return chunks


def png_provenance(data):
    (text,) = [b for k, b in png_chunks(data) if k == b"iTXt" and b.startswith(b"Provenance\0")]
    return json.loads(text.split(b"\0", 5)[5])
