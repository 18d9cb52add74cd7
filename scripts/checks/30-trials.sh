#!/usr/bin/env bash
# Belay's promises under paused and killed processes, on Redis and on files; and that the trials find what they look for.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# exits CODE OPTION...: a trial ends with that code.
exits() {
  local code=$1 status=0
  shift
  "$root/trials/run" --json "$@" >"$dir/out" 2>"$dir/err" || status=$?
  cat "$dir/err" "$dir/out"
  [ "$status" = "$code" ] || {
    echo "the exit code is $status, not $code"
    return 1
  }
}

# It finds a broken promise, and draws it.
finds_and_draws() {
  exits 1 "$@" || return 1
  grep -q '\.svg$' "$dir/err" || {
    echo "nothing was drawn"
    return 1
  }
}

check "paused clients on Redis: no guarded write lost, unguarded ones are" exits 0 --store redis --fault pause --seconds 12 --seed 1
check "paused clients on files: no guarded write lost, unguarded ones are" exits 0 --store file --fault pause --seconds 12 --seed 1
check "all at once on Redis: every promise kept" exits 0 --store redis --fault mix --seconds 12 --seed 1
check "killed clients on Redis: the next within a lease" exits 0 --store redis --fault kill --workload mutex --seconds 6 --seed 1
check "a bug is found and drawn" finds_and_draws --store redis --fault none --workload mutex --plant stale-push --seconds 5 --seed 1

end_checks
