#!/usr/bin/env bash
# Belay's promises under paused and killed processes, on Redis and on files; and that the trials find what they look for: all
# bugs that can be planted, with the commands of docs/trials.md. In the short proof the few that cost least.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# holds OPTION...: a trial in which every promise is kept.
holds() { trial --json "$@"; }

# begin NAME COMMAND...: begins it, and keeps how it ends for "ended".
begin() {
  { limited "${@:2}" && touch "$dir/$1.well"; } >"$dir/$1.out" 2>&1 </dev/null &
}

# ended NAME: what it said, and whether it ended well.
ended() {
  cat "$dir/$1.out"
  [ -e "$dir/$1.well" ]
}

# plant BUG SEED OPTION...: a trial with that bug. Some show only where a fault falls at the right moment, and a machine that is
# busy enough keeps a trial from ending in good order: so there are two more tries.
plant() {
  local bug=$1 seed status begin=$SECONDS
  for seed in $(seq "$2" $(($2 + 2))); do
    status=0
    limited "$root/trials/run" --plant "$bug" "${@:3}" --seed "$seed" >"$dir/$bug.log" 2>&1 </dev/null || status=$?
    echo "$status $((SECONDS - begin)) $seed" >"$dir/$bug.end"
    # A trial that did not end in good order ends with 1, too, though it has shown nothing.
    [ "$status" != 1 ] || [ -z "$(first_broken "$bug")" ] || return 0
  done
}

# first_broken BUG: after how many seconds which promise was broken first.
first_broken() { broken_promises <"$dir/$1.log" | head -n 1; }

# A broken promise, and its drawing.
is_found() {
  local status
  read -r status _ <"$dir/$1.end"
  cat "$dir/$1.log"
  [ "$status" = 1 ] && [ -n "$(first_broken "$1")" ] && grep -q '\.svg$' "$dir/$1.log"
}

# find_planted AT_A_TIME: plants all bugs of the list, so many at a time, as they mostly wait.
find_planted() {
  local bug seconds seed
  # It builds if need be, once for all.
  "$root/trials/run" --plant list >"$dir/known" || die "the trials do not start"
  export -f plant first_broken broken_promises limited descendants end_all
  root=$root dir=$dir xargs -P "$1" -L 1 bash -c 'plant "$@"' plant <"$dir/plants"
  while read -r bug _; do
    check "a planted bug is found: $bug" is_found "$bug"
    read -r _ seconds seed <"$dir/$bug.end"
    printf '      after %s (a run of %s s, seed %s)\n' "$(first_broken "$bug")" "$seconds" "$seed"
  done <"$dir/plants"
}

if ! long_proof; then
  cat >"$dir/plants" <<'TEXT'
token-reset 1 --store file --fault none --workload mutex --seconds 12
order-broken 1 --store file --fault none --workload order --seconds 12
extended-untold 1 --store file --fault none --workload jobs --seconds 12
TEXT
  find_planted 3
  end_checks
fi

needed etcd etcd-server

# The first one makes an archive of the clients' classes, by which some hundred and fifty start faster.
export BELAY_TRIALS_ARCHIVE=$dir/clients.jsa
check "paused clients on Redis: no guarded write lost, unguarded ones are" holds --store redis --fault pause --seconds 12 --seed 1
# Two beside each other, as they mostly wait.
begin paused-file holds --store file --fault pause --seconds 12 --seed 1
begin mix holds --store redis --fault mix --seconds 12 --seed 1
wait
begin rings holds --store redis --fault pause --workload rings --seconds 20 --seed 1
begin fences "$root/trials/fences" --rounds 3
begin killed holds --store redis --fault kill --workload mutex --seconds 6 --seed 1
wait
check "paused clients on files: no guarded write lost, unguarded ones are" ended paused-file
check "all at once on Redis: every promise kept" ended mix
check "killed clients on Redis: the next within a lease" ended killed
check "deadlocks under paused clients on Redis: nobody is stuck" ended rings
check "fences: nothing lost that is lost without them" ended fences

# The commands of the page, the seed behind the name.
sed -n 's|^    trials/run --plant \([^ ]*\) \(.*\) --seed \([0-9]*\)$|\1 \3 \2|p' "$root/docs/trials.md" >"$dir/plants"
find_planted 5

names_all() { diff <(awk '{ print $1 }' "$dir/known" | sort) <(awk '{ print $1 }' "$dir/plants" | sort); }
check "docs/trials.md has a command for each bug that can be planted" names_all

end_checks
