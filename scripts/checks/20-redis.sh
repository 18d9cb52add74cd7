#!/usr/bin/env bash
# The commands on a real Redis: the sale while the server dies and while it stands still, the hammer, which is
# to be fair. In the short proof only that a command has a lock there.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

# Debian would start it as a service, too; this wants the program alone.
needed redis-server redis-server

dir=$(mktemp -d) || exit 1
server=
port=

clean() {
  # Only what was started here, by its number.
  [ -z "$server" ] || { kill -CONT "$server"; kill -9 "$server" && wait "$server"; } 2>/dev/null
  rm -rf "$dir"
}
trap clean EXIT

run_redis() {
  cd "$dir" && exec redis-server --bind 127.0.0.1 --save '' --appendonly no --maxmemory-policy noeviction --port "$1"
}

# Starts it on the port, or on any that is free; without a file, so that it always starts empty.
start_redis() { start_server "${1-}" "$dir/redis.log" run_redis; }

kill_redis() {
  kill -9 "$server"
  wait "$server" 2>/dev/null
  server=
}

# What befalls the server in mid-sale. It dies and comes back empty.
dies() {
  kill_redis
  sleep 1
  start_redis "$port"
}

# It stands still for two leases, and goes on.
stands_still() {
  kill -STOP "$server"
  sleep 2
  kill -CONT "$server"
}

# sale STRIKE OPTION...: a sale amid which that befalls the server; sets code to its exit code. Fails where all was sold before: of what
# is left the sale tells every two seconds.
sale() {
  local strike=$1 told
  shift
  : >"$dir/log" # which is looked at before the sale has begun
  "$root/belay" flash-sale --store "redis://127.0.0.1:$port" --json --stock "$stock" --orders $((2 * stock)) "$@" >"$dir/sale" 2>"$dir/log" &
  selling=$!
  for _ in $(seq 600); do
    if grep -q ' [1-9][0-9]* sold' "$dir/log" || ! kill -0 "$selling" 2>/dev/null; then break; fi
    sleep 0.1
  done
  told=$(wc -l <"$dir/log")
  "$strike"
  code=0
  wait "$selling" || code=$?
  awk -v told="$told" -v stock="$stock" '
    match($0, /[0-9]+ sold,/) { sold = substr($0, RSTART) + 0; if (NR > told) amid = sold < stock || amid; else sells = sold > 0 }
    END { exit !(sells && amid) }' "$dir/log"
}

# struck_sale STRIKE STOCK OPTION...: the same, out here, since a check is a subshell, which cannot wait for it. Where all was sold before,
# or too late, nothing was shown: again, with twice as much.
struck_sale() {
  for stock in "$2" $((2 * $2)) $((4 * $2)); do
    sale "$1" "${@:3}" && return
    [ "$code" = 0 ] || return
  done
  code="$code, but nothing befell it"
}

sold_all() {
  cat "$dir/log" "$dir/sale"
  echo "exit code $code"
  [ "$code" = 0 ] && is sold "$dir/sale" "$stock" && is oversold "$dir/sale" 0 && is soldTwice "$dir/sale" 0
}

if ! start_redis; then
  redis_fails() { cat "$dir/redis.log" && false; }
  check "redis-server starts" redis_fails
  end_checks
fi

# A lock that another command sees. What a child prints is all that is printed.
runs_under_a_lock() {
  local url="redis://127.0.0.1:$port?timeout=1m" code
  for _ in 1 2 3; do # what has just begun may not be answered in time on a busy machine, which is told by 69
    code=0
    "$root/belay" run job --store "$url" -- "$root/belay" inspect job --store "$url" >"$dir/run" || code=$?
    [ "$code" = 69 ] || break
  done
  cat "$dir/run"
  echo "exit code $code"
  [ "$code" = 0 ] && grep -q '^holds .*exclusive' "$dir/run"
}
check "run on Redis: the lock is held meanwhile" runs_under_a_lock

long_proof || end_checks

struck_sale dies 2000 --lease 2s
check "flash-sale on Redis, killed and started again empty: all sold, none twice" sold_all

struck_sale stands_still 1500 --lease 1s
check "flash-sale on Redis, stopped for two leases: all sold, none twice" sold_all

check "hammer on Redis: 3 processes of 8 threads, least share 0.6" hammers 0.6 "redis://127.0.0.1:$port"
hammered
check "hammer on Redis, strict order: least share 0.6" hammers 0.6 "redis://127.0.0.1:$port" --strict
hammered

end_checks
