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

# sale OPTION...: starts a sale, and waits until it sells.
sale() {
  "$root/belay" flash-sale --store "redis://127.0.0.1:$port" --json "$@" >"$dir/sale" 2>"$dir/log" &
  selling=$!
  for _ in $(seq 600); do
    grep -q ' [1-9][0-9]* sold' "$dir/log" && return 0
    kill -0 "$selling" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

sold_all() {
  cat "$dir/log" "$dir/sale"
  [ "$code" = 0 ] && is sold "$dir/sale" "$1" && is oversold "$dir/sale" 0 && is soldTwice "$dir/sale" 0
}

if ! start_redis; then
  redis_fails() { cat "$dir/redis.log" && false; }
  check "redis-server starts" redis_fails
  end_checks
fi

# A lock that another command sees. What a child prints is all that is printed.
runs_under_a_lock() {
  local url="redis://127.0.0.1:$port?timeout=1m" times
  for times in 1 2 3; do # what has just begun may not be answered in time on a busy machine
    "$root/belay" run job --store "$url" -- "$root/belay" inspect job --store "$url" >"$dir/run" && break
    [ "$times" != 3 ] || return 1
  done
  cat "$dir/run"
  grep -q '^holds .*exclusive' "$dir/run"
}
check "run on Redis: the lock is held meanwhile" runs_under_a_lock

long_proof || end_checks

# The server dies and comes back empty in mid-sale. Out here, since a check is a subshell, which cannot wait for it.
code=0
sale --stock 2000 --lease 2s
kill_redis
sleep 1
start_redis "$port"
wait "$selling" || code=$?
check "flash-sale on Redis, killed and started again empty: all sold, none twice" sold_all 2000

# It stands still for two leases, and goes on.
code=0
sale --stock 1500 --lease 1s
kill -STOP "$server"
sleep 2
kill -CONT "$server"
wait "$selling" || code=$?
check "flash-sale on Redis, stopped for two leases: all sold, none twice" sold_all 1500

check "hammer on Redis: 3 processes of 8 threads, least share 0.6" hammers 0.6 "redis://127.0.0.1:$port"
hammered
check "hammer on Redis, strict order: least share 0.6" hammers 0.6 "redis://127.0.0.1:$port" --strict
hammered

end_checks
