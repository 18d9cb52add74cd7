#!/usr/bin/env bash
# Whole clients keep their promises in simulated worlds where everything goes wrong that may; `trials/simulate` runs for longer.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"

steps=150000

# A seed's worlds break no promise.
holds() { "$root/trials/simulate" --seed "$1" --steps "$steps"; }

# The same seed makes the same run, step by step, and another one another.
repeats() {
  local one two other
  one=$("$root/trials/simulate" --seed 1 --steps 30000 | sed 's/ in .* s,//') &&
    two=$("$root/trials/simulate" --seed 1 --steps 30000 | sed 's/ in .* s,//') &&
    other=$("$root/trials/simulate" --seed 2 --steps 30000 | sed 's/ in .* s,//') || return 1
  printf '%s\n' "$one" "$two" "$other"
  [ "$one" = "$two" ] && [ "$one" != "$other" ]
}

# A cure that is taken out of the engine is missed.
finds() { "$root/trials/simulate" --seed 1 --steps 1000000 --as-it-is --planted "$1"; }

check "a simulated world is the same each time" repeats
for seed in 1 2 3; do
  check "seed $seed keeps every promise" holds "$seed"
done
for fault in CLOSE_IS_SILENT UNSURE_IS_LOST YIELD_KEEPS_SEQUENCE_IF_NOBODY_WAITS; do
  check "a planted fault is found: $fault" finds "$fault"
done
end_checks
