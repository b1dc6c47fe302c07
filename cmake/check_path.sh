#!/bin/sh
# check_path.sh PATH  Prints those characters of the path that CMake, Ninja or the assembler would take
# for something else. Ninja finds the dependencies of a file only if all characters of its path are
# among these, and CMake's lists need pairs of square brackets. A control character is printed as a
# question mark.
printf '%s' "$1" | LC_ALL=C tr -d '[A-Za-z0-9]\200-\377 /._,+=@~%!(){}-' |
  LC_ALL=C tr '\001-\037\177' '[?*]' | sed 's/./& /g'
printf '%s' "$1" | tr -cd '][' | sed ':again; s/\[\]//; t again'
