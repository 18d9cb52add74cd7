# Shared by ./belay, ./verify and scripts/checks/*.sh. To be sourced, not run. Needs bash 3.2 or later.
# shellcheck shell=bash

root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# Where the build in use lies in each module: target, which is ./verify's and Maven's own, or target/quick.
built=target
# Options of a JVM that lives for minutes at most: what it would spend on better code, or on threads that collect, it would not get
# back. The room for code is what a JVM has that compiles for longer; the less it has otherwise is full after a minute of javac,
# and from there on it only interprets.
brief_jvm="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"

say() { printf 'belay: %s\n' "$*" >&2; }

# Ends with the exit code by which the commands say that something is missing, or was asked for wrongly: 1 is a result of theirs.
die() {
  say "$*"
  exit 2
}

# Takes this script, and all that it starts, out of the user's language: awk prints numbers by it, and tests and checks read what the
# system says. ./belay does without, as what it runs is the user's.
plain_locale() {
  export LC_ALL=C.UTF-8
  unset LANGUAGE # which translates messages in that locale, too
}

# ---- Java ----

. "$root/dist/src/share/java.sh"
check_path "$root"
drop_collectors

# Sets JAVA_HOME for building.
use_jdk() {
  local home
  if home=$(find_java javac 17); then
    export JAVA_HOME=$home
  elif home=$(find_java java 17); then
    die "building needs a JDK, and $home is a runtime without javac: install a JDK 17 or later (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME to one"
  else
    die "no Java 17 or later found: install a JDK (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME to one"
  fi
}

# ---- Programs from Debian ----

may_install() {
  [ -z "${BELAY_NO_INSTALL-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Installs Debian packages without starting the services in them, for one caller at a time: each takes its guard away. The log is
# kept for the error.
guard=/usr/sbin/policy-rc.d
apt_install() (
  renice -n 0 -p "$BASHPID" >/dev/null 2>&1 || : # whatever its caller has: others wait for apt's lock
  log=$root/target/apt.log
  mkdir -p "$root/target"
  exec 7<"$root/dist"
  ! command -v flock >/dev/null || flock 7
  # One of ours is what a run that was killed has left.
  if [ ! -e "$guard" ] || grep -q '^# Temporary.*: keeps packages from starting services' "$guard"; then
    trap 'rm -f "$guard"' EXIT
    printf '#!/bin/sh\n# Temporary, of a build of Belay: keeps packages from starting services.\nexit 101\n' >"$guard"
    chmod 755 "$guard"
  fi
  export DEBIAN_FRONTEND=noninteractive
  install() { apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"; }
  # The lists of a fresh machine are empty or out of date.
  { install "$@" || { apt-get update && install "$@"; }; } >"$log" 2>&1 </dev/null 7<&- 8<&- 9<&- && exit 0
  tail -n 15 "$log" >&2
  exit 1
)

# Whether there is a program: on the PATH, or where Debian keeps servers off it.
has() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || compgen -G "/usr/lib/postgresql/*/bin/$1" >/dev/null; }

# need PROGRAM PACKAGE: makes sure that the program is there, or ends the script.
need() {
  has "$1" && return 0
  may_install || die "$1 is missing: install it (Debian: apt-get install $2) and try again"
  say "installing $2 for $1..."
  if ! apt_install "$2" || ! has "$1"; then
    die "installing $2 failed: see above, install $1 by hand and try again"
  fi
}

# want PROGRAM PACKAGE: as need, but goes on without it, with status 1: the tests that use it are skipped, and say so.
want() {
  (need "$1" "$2") && return
  say "the tests that use $1 are skipped"
  return 1
}

# needed PROGRAM PACKAGE: as need, but ends a script of checks as one that is skipped, unless a check has failed before.
needed() {
  (need "$1" "$2") && return
  [ "$failures" -eq 0 ] || end_checks
  exit 77
}

# ---- Building ----

# no_other NAME: ends where ./verify or scripts/repeat is at work here already. All that it starts has this lock, so that what a
# killed one has left is waited for, too.
no_other() {
  exec 8<"$root/scripts"
  command -v flock >/dev/null || return 0
  flock -n 8 || die "$1: another one runs here (./verify or scripts/repeat), or what a killed one has left: wait for its end"
}

# Debian's Maven brings a Java of its own; the exported JAVA_HOME makes it use ours.
mvn_here() {
  (
    cd "$root" || exit 1
    # shellcheck disable=SC2086 # no word at all if it is empty
    MAVEN_OPTS="${MAVEN_OPTS-} $(quiet_java_opts)" BELAY_BUILDING=1 mvn -B ${ntp--ntp} "$@" </dev/null
  )
}

# Whether no source is newer than what that stamp was set for. A directory is newer when a file has gone.
up_to_date() {
  [ -e "$1" ] || return 1
  [ -z "$(
    cd "$root" || exit 1
    find . \( -name target -o -name '.?*' \) -prune -o \
      \( -name pom.xml -o -path '*/src/main*' \) -newer "$1" -print | head -n 1
  )" ]
}

# find_build MODULE: sets "built" to a build of the module, and of all that it needs, that is up to date, if there is one.
find_build() {
  for built in target target/quick; do
    if up_to_date "$root/$1/$built/dist/.built"; then return 0; fi
  done
  return 1
}

# One build at a time; the lock is on the directory itself, which no build deletes.
lock_build() {
  exec 9<"$root"
  command -v flock >/dev/null || return 0
  flock -n 9 && return 0
  say "waiting for another build to end..."
  flock 9
}

unlock_build() { exec 9<&-; }

# The stamp bears the time at which the build began: what is saved meanwhile counts as newer. It lies among what it is for, and
# goes with it when another build fills that directory anew. Where it is there still, the last build was ended: a jar that was half
# written is newer than what belongs in it, and would be taken for made.
start_stamp() {
  local started=$root/$built/.started
  [ ! -e "$started" ] ||
    find "$root"/*/"$built" -mindepth 1 -name quick -prune -o -name '*.jar' -newer "$started" -exec rm {} + 2>/dev/null || :
  stamp "$started"
}

# stamp FILE: makes it, with its directory, or ends the script where nothing can be written.
stamp() {
  { mkdir -p "${1%/*}" && touch "$1"; } 2>/dev/null ||
    die "${1%/*} cannot be written to: build as the user whose it is, or in a clone of your own"
}

# set_stamp MODULE...
set_stamp() {
  local module
  for module; do cp -p "$root/$built/.started" "$root/$module/$built/dist/.built"; done
  rm "$root/$built/.started"
}

# build_if_out_of_date MODULE: builds it with all it needs, unless there is a build of it that is up to date: "built" says where.
build_if_out_of_date() {
  find_build "$1" && return 0
  [ -z "${BELAY_BUILDING-}" ] || die "called from within the build, which it would have to wait for: call it from scripts/checks"
  lock_build
  # Another process may have built it while this one waited.
  if ! find_build "$1"; then build "$1"; fi
  unlock_build
}

# show_progress LOG: writes what Maven says into that file, and counts the modules that it begins with.
show_progress() {
  local line all begun=0 loading=
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      '[INFO] Building '*' ['*/*']')
        all=${line##*/}
        [ "$begun" != 0 ] || printf 'belay: of %s modules' "${all%]}" >&2
        begun=$((begun + 1))
        printf ' %d' "$begun" >&2
        loading=
        ;;
      *'Downloading from '*)
        [ -n "$loading" ] || printf ' (downloading)' >&2
        loading=1
        ;;
    esac
  done >"$1"
  echo >&2
}

# why_it_failed LOG: prints the first of Maven's errors, which it tells twice; or the last lines, if it did not get that far.
why_it_failed() {
  if grep -q '^\[ERROR\]' "$1"; then
    sed -n '/^\[ERROR\]/,$p' "$1" | grep -v '^\[INFO\]\|^\[WARNING\]' | sed '/^\[ERROR\] *$/q' | head -n 20
  else
    tail -n 20 "$1"
  fi
}

# end_build CODE: ends what build has begun, and the script.
end_build() {
  local job
  for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || :; done
  exit "$1"
}

# Without the checks, which take many times as long as compiling. What is downloaded is told, as it takes long.
build() {
  local module=$1 log why="the sources have changed" begin=$SECONDS ntp=
  [ -e "$root/$module/target/dist/.built" ] || [ -e "$root/$module/target/quick/dist/.built" ] || why="first run"
  built=target/quick
  log=$root/$built/build.log
  use_jdk
  need mvn maven
  start_stamp
  say "building ($why)..."
  # Maven is in a group of its own, to be ended with this script: it would go on, and keep the lock.
  trap 'end_build 130' INT
  trap 'end_build 143' HUP TERM
  set -m
  {
    MAVEN_OPTS=${MAVEN_OPTS-$brief_jvm} mvn_here -P quick -T 2 -pl "$module" -am package 2>&1 | show_progress "$log"
  } &
  set +m
  if ! wait $!; then
    why_it_failed "$log" >&2
    die "the build failed: see above, or ${log#"$root"/} for all of it"
  fi
  trap - HUP INT TERM
  set_stamp "$module"
  say "built in $((SECONDS - begin)) s"
}

# Makes the archive of classes for a shorter start of the commands; without it all works, only slower.
archive_classes() {
  "$root/dist/src/share/archive-classes" "$root/cli/$built/dist/lib" || say "commands start without an archive of classes"
}

# The same, but once for each build, when the first command is called: the sale has no use for it.
archive_classes_once() {
  local dist=$root/cli/$built/dist
  local done=$dist/.archived
  # A command that is called by a build does not wait for its end. What others have built is theirs to add to.
  [ ! -e "$done" ] && [ -z "${BELAY_BUILDING-}" ] && [ -w "$dist" ] && [ -w "$dist/lib" ] || return 0
  lock_build
  if [ ! -e "$done" ]; then
    say "making an archive of classes, with which commands start faster..."
    # What trains ends by itself, so that the command would be run though Ctrl-C has called it off.
    trap 'exit 130' INT
    archive_classes
    trap - INT
    touch "$done" || true
  fi
  unlock_build
}

# run_jars MODULE OPTION... -- CLASS ARGUMENT...: becomes a program of that module's build, with options of the VM.
run_jars() {
  local lib=$root/$1/$built/dist/lib java
  begin_java
  shift
  while [ "$1" != -- ]; do
    java+=("$1")
    shift
  done
  shift
  check_java "${java[@]}"
  exec "${java[@]}" -cp "$lib/*" "$@"
}

# ---- Checks ----

# Whether all is to be proved, and not only what is quick. ./verify says so; a script that is run by hand is whole.
long_proof() { [ "${BELAY_PROOF-long}" = long ]; }

failures=0
made=0

# descendants PROCESS BUT: stops and prints what it has started, and what that has, but for one process. There is nothing to read but on
# Linux.
descendants() {
  local child
  for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
    [ "$child" != "$BASHPID" ] && [ "$child" != "$2" ] || continue
    kill -STOP "$child" 2>/dev/null # so that it starts no more meanwhile
    descendants "$child" "$2"
    echo "$child"
  done
}

# end_all PROCESS...: ends stopped processes, in the end by force.
end_all() {
  kill "$@" 2>/dev/null
  kill -CONT "$@" 2>/dev/null
  for _ in $(seq 300); do
    kill -0 "$@" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$@" 2>/dev/null
}

# limited COMMAND...: runs it in a shell of its own, and ends it with all that it has started where it hangs: where it has not ended
# after two hours, or BELAY_CHECK_SECONDS. A bash that is too old for that has no limit.
limited() {
  local limit=${BELAY_CHECK_SECONDS:-7200} shell=${BASHPID-} watcher status=0
  {
    trap - INT
    # From what nobody writes to; a sleep would be left behind.
    read -r -t "$limit" <> <(:)
    if [ $? -gt 128 ] && [ -n "$shell" ]; then
      trap '' TERM # this goes on to its end
      echo "It has not ended within $limit s, and was ended."
      watcher=$BASHPID
      # shellcheck disable=SC2046 # each a word
      end_all $(descendants "$shell" "$watcher")
    fi
  } 2>/dev/null &
  watcher=$!
  ("$@") || status=$?
  { kill "$watcher" && wait "$watcher"; } 2>/dev/null
  return "$status"
}

# check NAME COMMAND...: runs the command and prints PASS or FAIL, and in the latter case its output. One that hangs fails.
check() {
  local name=$1 output
  shift
  made=$((made + 1))
  if output=$(limited "$@" 2>&1); then
    printf 'PASS  %s\n' "$name"
  else
    failures=$((failures + 1))
    printf 'FAIL  %s\n' "$name"
    printf '%s\n' "$output" | tail -n 30 | sed 's/^/      /'
  fi
}

# field NAME FILE: the value of a field of a JSON object, a line each.
field() { sed -n 's/^.*"'"$1"'" *: *"\{0,1\}\([^",}]*\).*$/\1/p' "$2" | head -n 1; }

# is NAME FILE VALUE
is() {
  [ "$(field "$1" "$2")" = "$3" ] || {
    echo "$1 is $(field "$1" "$2"), not $3"
    return 1
  }
}

# hammers SHARE STORE OPTION...: hammers a lock from several processes. How much they do is a matter of the machine's speed, and
# printed by "hammered"; that it is fair, the least share at least that, is judged, where the machine lets all run.
hammers() {
  local least=$1 store=$2
  shift 2
  for _ in 1 2 3; do
    "$root/belay" hammer speed --store "$store" --processes 3 --threads 8 --seconds 5 --json "$@" \
      >"$dir/hammer" 2>"$dir/hammer.err" || { cat "$dir/hammer.err" && return 1; }
    cat "$dir/hammer"
    awk -v rate="$(field acquisitionsPerSecond "$dir/hammer")" -v share="$(field leastShare "$dir/hammer")" -v least="$least" \
      'BEGIN { exit !(rate > 0 && share >= least) }' && return
  done
  return 1
}

hammered() { printf '      %s acquisitions/s, least share %s\n' "$(field acquisitionsPerSecond "$dir/hammer")" "$(field leastShare "$dir/hammer")"; }

# trial OPTION...: a trial in which every promise is to be kept. A machine that is busy enough keeps a client from ending in time, or
# the trial from showing anything: where no promise was broken there are two more tries.
trial() {
  local told status
  for _ in 1 2 3; do
    status=0
    told=$("$root/trials/run" "$@" 2>&1 </dev/null) || status=$?
    printf '%s\n' "$told"
    [ "$status" = 4 ] || { [ "$status" = 1 ] && grep -q ' did not end$' <<<"$told"; } || break
    [ -z "$(broken_promises <<<"$told")" ] || break
  done
  return "$status"
}

# broken_promises: of what a trial says, after how many seconds which promise was broken first, in that order.
broken_promises() { sed -n 's/^ *[0-9]* x \(.*\), the first after \(-\{0,1\}[0-9.]*\) s, such as$/\2 s: \1/p' | sort -n; }

# start_server PORT LOG COMMAND...: starts a Redis or a PostgreSQL by a command that takes its port last, and waits until it says
# that it is ready. Without a PORT at one that is free: below those that clients get, and none of those that tests take. Sets
# port, and server to its process.
start_server() {
  local wanted=$1 log=$2
  shift 2
  for _ in 1 2 3 4 5; do
    port=${wanted:-$((22000 + RANDOM % 3000))}
    "$@" "$port" >"$log" 2>&1 &
    server=$!
    for _ in $(seq 1200); do
      grep -q 'eady to accept connections' "$log" && return 0
      kill -0 "$server" 2>/dev/null || break
      sleep 0.05
    done
    { kill -9 "$server" && wait "$server"; } 2>/dev/null
  done
  server=
  return 1
}

# Ends a script of checks; one that has made none has failed, as where a list of what is to be checked is empty.
end_checks() {
  [ "$made" -gt 0 ] || echo "No check was made."
  [ "$failures" -eq 0 ] && [ "$made" -gt 0 ]
  exit
}
