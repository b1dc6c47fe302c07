#!/bin/sh
# Prints in one line which processor this is and what it offers of that which instruction sets are
# chosen by. Where it prints something else than when a build was configured, they are chosen anew.
awk -F ': *' '
  /^model name/ && !model { model = $2 }
  /^flags/ && !flags {
    count = split($2, words, " ")
    for (i = 1; i <= count; ++i)
      if (words[i] ~ /^(avx|fma|bmi|f16c|movbe|abm)/) flags = flags " " words[i]
  }
  END { gsub(/[;"\\]/, "", model); print model flags }' /proc/cpuinfo
