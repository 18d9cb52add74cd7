#!/usr/bin/env bash
# The flash sale and the hammer from end to end; what is a matter of the machine's speed is printed, not judged. In the short
# proof one sale, and two wrong calls.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

dir=$(mktemp -d) || exit 1
staying=
postgres=

clean() {
  # Only what was started here, by its number.
  [ -z "$staying" ] || { kill "$staying" && wait "$staying"; } 2>/dev/null
  [ -z "$postgres" ] || { kill -QUIT "$postgres" && wait "$postgres"; } 2>/dev/null
  rm -rf "$dir"
}
trap clean EXIT

belay() { "$root/belay" "$@"; }

# exits CODE COMMAND...
exits() {
  local expected=$1 code=0
  shift
  "$@" || code=$?
  [ "$code" = "$expected" ] || {
    echo "exit code $code, not $expected"
    return 1
  }
}

sells_all() {
  exits 0 belay flash-sale --json >"$dir/sale" || return 1
  cat "$dir/sale"
  is sold "$dir/sale" 1000 && is oversold "$dir/sale" 0 && is soldTwice "$dir/sale" 0 && is soldOut "$dir/sale" 4000 &&
    is unknown "$dir/sale" 0 && is failed "$dir/sale" 0
}
check "flash-sale: 1000 of 1000 sold, none twice" sells_all

# Wrong calls: one line, exit code 2, no stack trace.
one_line() {
  local code=0
  "$root/belay" "$@" >"$dir/out" 2>"$dir/err" || code=$?
  cat "$dir/out" "$dir/err"
  [ "$code" = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q '^belay: ' "$dir/err" &&
    ! grep -q 'Exception\|geheim' "$dir/err"
}
check "bad input: unknown scheme" one_line flash-sale --store nix://u:geheim@host/
check "bad input: a negative duration" one_line flash-sale --lease -1s

long_proof || end_checks

needed ab apache2-utils
needed curl curl

# With one lock this would take half a minute. The segments are not of one size.
strategy_sells_all() {
  exits 0 belay flash-sale --json --nodes 2 --work 20ms --stock 1500 --orders 2000 --clients 200 "$@" >"$dir/strategy" || return 1
  cat "$dir/strategy"
  is sold "$dir/strategy" 1500 && is oversold "$dir/strategy" 0 && is soldTwice "$dir/strategy" 0 &&
    is left "$dir/strategy" 0 && is soldOut "$dir/strategy" 500 && is failed "$dir/strategy" 0
}
check "flash-sale --strategy striped: 1500 of 1500 sold from 23 segments, none twice" \
  strategy_sells_all --strategy striped --segments 23
check "flash-sale --strategy batch: 1500 of 1500 sold in batches, none twice" strategy_sells_all --strategy batch

# The node that is paused has the lock, and nothing is sold twice. Where the machine had sold out by then, or let no holder be caught,
# nothing was shown: again, with a longer lease and more to sell.
pauses_one() {
  local lease stock code
  for lease in 1 2 4 8; do
    stock=$((1000 * lease)) code=0
    belay flash-sale --json --pause-a-node-after 1s --work 5ms --nodes 2 --lease "${lease}s" --stock "$stock" \
      --orders "$((2 * stock))" >"$dir/fault" || code=$?
    cat "$dir/fault"
    is sold "$dir/fault" "$stock" && is oversold "$dir/fault" 0 && is soldTwice "$dir/fault" 0 && is failed "$dir/fault" 0 || return 1
    if [ "$(field heldLock "$dir/fault")" = true ] && [ "$(field unitsLeft "$dir/fault")" -gt 0 ]; then
      [ "$code" = 0 ]
      return
    fi
    echo "not so on this machine: a node that has the lock while units are left"
  done
  return 1
}
check "flash-sale --pause-a-node-after 1s: the guard lets no unit be sold twice" pauses_one

# The directory of PostgreSQL's programs.
postgres_programs() {
  local program
  for program in "$(command -v postgres)" /usr/lib/postgresql/*/bin/postgres; do
    [ -x "$program" ] && [ -x "$(dirname "$program")/initdb" ] && dirname "$program" && return
  done
  return 1
}

# It refuses to run as root.
as_nobody() {
  if [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
  else
    exec "$@"
  fi
}

run_postgres() { cd "$dir" && as_nobody "$1/postgres" -D "$dir/data" -h 127.0.0.1 -k '' -c fsync=off -p "$2"; }

start_postgres() {
  local programs
  # Debian puts them where no PATH leads, so "need" could not tell.
  programs=$(postgres_programs) ||
    { may_install && say "installing postgresql..." && apt_install postgresql && programs=$(postgres_programs); } ||
    { echo "PostgreSQL is missing: install it (Debian: apt-get install postgresql)" >"$dir/pg.log"; return 1; }
  chmod 755 "$dir"
  mkdir "$dir/data" && { [ "$(id -u)" != 0 ] || chown nobody "$dir/data"; }
  (cd "$dir" && as_nobody "$programs/initdb" -D "$dir/data" -U belay -A trust -E UTF8 --no-locale --no-sync) >"$dir/pg.log" 2>&1 || return 1
  start_server "" "$dir/pg.log" run_postgres "$programs" || return 1
  postgres=$server
}

sells_all_in_postgres() {
  exits 0 env LEDGER_USER=belay LEDGER_PASSWORD=geheim "$root/belay" flash-sale --json --nodes 2 \
    --ledger "jdbc:postgresql://127.0.0.1:$port/postgres?user=\${LEDGER_USER}&password=\${LEDGER_PASSWORD}" \
    >"$dir/pg" 2>"$dir/pg.err" || {
    cat "$dir/pg.err"
    return 1
  }
  cat "$dir/pg"
  is sold "$dir/pg" 1000 && is oversold "$dir/pg" 0 && ! grep geheim "$dir/pg" "$dir/pg.err"
}

if start_postgres; then
  check "flash-sale with PostgreSQL: all sold, the password not shown" sells_all_in_postgres
else
  postgres_fails() { cat "$dir/pg.log" && false; }
  check "PostgreSQL starts" postgres_fails
fi

stay() {
  "$root/belay" flash-sale --keep --nodes 2 --orders 0 --stock 15000 >"$dir/stay" 2>"$dir/stay.err" &
  staying=$!
  for _ in $(seq 600); do
    address=$(grep -m 1 '/orders$' "$dir/stay") && return 0
    kill -0 "$staying" 2>/dev/null || break
    sleep 0.1
  done
  cat "$dir/stay" "$dir/stay.err"
  return 1
}

# Asks for the page while ab is at work; prints the longest time in milliseconds and whether any failed.
watch_page() {
  while kill -0 "$1" 2>/dev/null; do
    curl -s -m 20 -o /dev/null -w '%{http_code} %{time_total}\n' "${address%/orders}"
    sleep 0.1
  done | awk '{ if ($1 != 200) bad++; if ($2 * 1000 > most) most = $2 * 1000 } END { printf "%d %d %d\n", most, NR, bad }'
}

ab_fails_nothing() {
  ab -q -l -s 120 -n 20000 -c 1000 "$address" >"$dir/ab" 2>&1 &
  local ab=$! most asked bad
  read -r most asked bad < <(watch_page "$ab")
  wait "$ab" || return 1
  curl -s "${address%/orders}" >"$dir/page"
  cat "$dir/ab" "$dir/page"
  echo "the page took at most $most ms, asked $asked times" | tee "$dir/longest"
  grep -q 'Complete requests: *20000' "$dir/ab" && grep -q 'Failed requests: *0' "$dir/ab" &&
    grep -q 'Non-2xx responses: *5000' "$dir/ab" &&
    grep -q '"sold":15000,"oversold":0,.*"refused":5000,"timedOut":0,' "$dir/page" &&
    [ "$asked" -gt 0 ] && [ "${bad:-0}" = 0 ]
}

ended_on_signal() {
  echo "exit code $code"
  [ "$code" = 143 ] && ! curl -s -m 5 -o /dev/null "$address"
}

if stay; then
  check "flash-sale --keep: ab -n 20000 -c 1000 without a failure, the page answers all the while" ab_fails_nothing
  sed 's/^/      /' "$dir/longest"
  # Out here, since a check is a subshell, which cannot wait for what it has not started.
  code=0
  kill "$staying"
  wait "$staying" || code=$?
  staying=
  check "flash-sale --keep: ends with its nodes on SIGTERM" ended_on_signal
else
  check "flash-sale --keep starts" false
fi

check "hammer on file: 3 processes of 8 threads, least share 0.5" hammers 0.5 "file:$dir/locks"
hammered

nobody_holds() { belay inspect speed --store "file:$dir/locks" | grep -q '^nobody holds speed'; }
check "inspect: nobody holds the lock any more" nobody_holds

finds_nothing() { exits 0 belay doctor --store "file:$dir/locks" | grep -q "^fit: a lock was taken, and nothing found that endangers locks on file:"; }
check "doctor: nothing found in a directory that Belay made" finds_nothing

finds_rights() {
  mkdir -m 777 "$dir/open" || return 1
  exits 1 belay doctor --store "file:$dir/open" --json >"$dir/doctor" || return 1
  cat "$dir/doctor"
  is warnings "$dir/doctor" 1 && is dangers "$dir/doctor" 1
}
check "doctor: a directory that everybody may write to is a warning, exit code 1" finds_rights

echo rubbish >"$dir/file"
check "bad input: a directory that does not exist" one_line doctor --store "file:$dir/missing"
check "bad input: a store that is a file" one_line flash-sale --store "file:$dir/file"
check "bad input: a ledger that is no database" one_line flash-sale --ledger "jdbc:h2:mem:x"
check "bad input: a ledger that is not there" one_line flash-sale --ledger "jdbc:postgresql://127.0.0.1:1/x?user=u&password=geheim"
check "bad input: a variable that is not set" one_line inspect x --store 'file:${BELAY_NO_SUCH_VARIABLE}'
check "bad input: a duration without a unit" one_line flash-sale --work 5
check "bad input: no nodes" one_line flash-sale --nodes 0
check "bad input: an empty name" one_line inspect "" --store "file:$dir/locks"
check "bad input: a name with a control character" one_line hammer $'a\tb' --store "file:$dir/locks"
check "bad input: a name that is too long" one_line inspect "$(printf 'x%.0s' $(seq 513))" --store "file:$dir/locks"

end_checks
