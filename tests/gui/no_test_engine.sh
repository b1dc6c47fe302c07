#!/bin/sh
# The program must hold none of Dear ImGui Test Engine, whose licence is not MIT; the test program must,
# or this could not fail. Usage: no_test_engine.sh PROGRAM TEST_PROGRAM
set -eu
if ! grep -qa ImGuiTestEngine "$2"; then
  echo "$2 has no trace of the test engine: this check would see nothing" >&2
  exit 1
fi
if grep -qa ImGuiTestEngine "$1"; then
  echo "$1 contains Dear ImGui Test Engine" >&2
  exit 1
fi
