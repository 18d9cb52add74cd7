#!/usr/bin/env bash
# Whole clients keep their promises in simulated worlds where everything goes wrong that may; `trials/simulate` runs for
# longer. In the short proof one seed for a moment, and a planted fault and a broken rule that are found soonest.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

steps=150000

# A seed's worlds break no promise.
holds() { "$root/trials/simulate" --seed "$1" --steps "$steps"; }

# The same seed makes the same run, step by step, and another one another.
repeats() {
  local one two other
  one=$("$root/trials/simulate" --seed 1 --steps 100000 | sed 's/ in .* s,//') &&
    two=$("$root/trials/simulate" --seed 1 --steps 100000 | sed 's/ in .* s,//') &&
    other=$("$root/trials/simulate" --seed 2 --steps 100000 | sed 's/ in .* s,//') || return 1
  printf '%s\n' "$one" "$two" "$other"
  [ "$one" = "$two" ] && [ "$one" != "$other" ]
}

# A cure that is taken out of the engine is missed.
finds() { "$root/trials/simulate" --seed 1 --steps 1000000 --as-it-is --planted "$1"; }

# refuses LINE OPTION...: words that mean nothing get that line, beside those of the build, and no run.
refuses() {
  local said code=0
  said=$("$root/trials/simulate" "${@:2}" 2>&1) || code=$?
  printf '%s\nexit code %s\n' "$said" "$code"
  [ "$code" = 2 ] && [ "$(grep -v '^belay: ' <<<"$said")" = "$1" ]
}

check "a number that is none is refused in one line" \
  refuses "simulate: --seed is x, but must be a number: see trials/simulate --help" --planted all --seed x
if ! long_proof; then
  steps=20000
  check "seed 1 keeps every promise" holds 1
  for fault in INTERRUPTED_IS_STILL_QUEUED NO_PICK_UP; do
    check "what is planted is found: $fault" finds "$fault"
  done
  end_checks
fi

check "a simulated world is the same each time" repeats
for seed in 1 2 3; do
  check "seed $seed keeps every promise" holds "$seed"
done

# finds_all FILE: all that can be planted, a line each in that file.
finds_all() { "$root/trials/simulate" --steps 1000000 --as-it-is --planted all | tee "$1"; }

table=$(mktemp) || exit 1
trap 'rm -f "$table"' EXIT
check "every planted fault and every broken rule is found" finds_all "$table"
sed 's/^/      /' "$table"
end_checks
