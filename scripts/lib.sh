# Shared by ./belay, ./verify and scripts/checks/*.sh. To be sourced, not run. Needs bash 3.2 or later.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
stamp=$root/flash-sale/target/dist/.built

say() { printf 'belay: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# ---- Java ----

. "$root/dist/src/share/java.sh"

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

# Installs Debian packages without starting the services in them. The log is kept for the error.
apt_install() (
  log=$root/target/apt.log
  mkdir -p "$root/target"
  guard=/usr/sbin/policy-rc.d
  if [ ! -e "$guard" ]; then
    trap 'rm -f "$guard"' EXIT
    printf '#!/bin/sh\n# Temporary: keeps packages from starting services.\nexit 101\n' >"$guard"
    chmod 755 "$guard"
  fi
  export DEBIAN_FRONTEND=noninteractive
  install() { apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"; }
  # The lists of a fresh machine are empty or out of date.
  { install "$@" || { apt-get update && install "$@"; }; } >"$log" 2>&1 </dev/null 9<&- && exit 0
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

# want PROGRAM PACKAGE: as need, but goes on without it: the tests that use it are skipped, and say so.
want() { (need "$1" "$2") || say "the tests that use $1 are skipped"; }

# ---- Building ----

# Debian's Maven brings a Java of its own; the exported JAVA_HOME makes it use ours.
mvn_here() {
  (
    cd "$root" || exit 1
    MAVEN_OPTS="${MAVEN_OPTS-} $(quiet_java_opts)" BELAY_BUILDING=1 mvn -B -ntp "$@" </dev/null
  )
}

# Whether a source is newer than what ./belay would run. A directory is newer when a file has gone.
out_of_date() {
  [ -e "$stamp" ] || return 0
  [ -n "$(
    cd "$root" || exit 1
    find . \( -name target -o -name '.?*' \) -prune -o \
      \( -name pom.xml -o -path '*/src/main*' \) -newer "$stamp" -print | head -n 1
  )" ]
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

# The stamp bears the time at which the build began: what is saved meanwhile counts as newer.
start_stamp() {
  mkdir -p "$root/target"
  touch "$root/target/.started"
}

set_stamp() { mv "$root/target/.started" "$stamp"; }

# Makes the archive of classes for a shorter start; without it all works, only slower.
archive_classes() {
  [ -d "$root/cli/target/dist/lib" ] || return 0 # another program was built
  "$root/dist/src/share/archive-classes" "$root/cli/target/dist/lib" || say "commands start without an archive of classes"
}

# build_if_out_of_date MODULE: builds what the stamp is for, with all it needs.
build_if_out_of_date() {
  out_of_date || return 0
  [ -z "${BELAY_BUILDING-}" ] || die "called from within the build, which it would have to wait for: call it from scripts/checks"
  lock_build
  # Another process may have built it while this one waited.
  if out_of_date; then build "$1"; fi
  unlock_build
}

build() {
  local log=$root/target/build.log why="the sources have changed"
  [ -e "$stamp" ] || why="first run, takes about a minute"
  use_jdk
  need mvn maven
  say "building ($why)..."
  start_stamp
  if ! mvn_here -q -pl "$1" -am -Dmaven.test.skip=true package >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    die "the build failed: see above, or target/build.log for all of it"
  fi
  archive_classes
  set_stamp
}

# ---- Checks ----

# Whether all is to be proved, and not only what is quick. ./verify says so; a script that is run by hand is whole.
long_proof() { [ "${BELAY_PROOF-long}" = long ]; }

failures=0

# check NAME COMMAND...: runs the command and prints PASS or FAIL, and in the latter case its output.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    printf 'PASS  %s\n' "$name"
  else
    failures=$((failures + 1))
    printf 'FAIL  %s\n' "$name"
    printf '%s\n' "$output" | tail -n 30 | sed 's/^/      /'
  fi
}

# Ends a script of checks.
end_checks() {
  [ "$failures" -eq 0 ]
  exit
}
