# Finds a Java. To be sourced, not run. Needs bash 3.2 or later.
# shellcheck shell=bash

set +o posix # in which bash before 5.1 would not take all of this

# The version of the Java in directory $1, such as 17.0.12; 0 if there is none.
java_version() {
  local line
  # Reading the file saves starting a JVM on each call of belay.
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in
        JAVA_VERSION=\"*\")
          line=${line#JAVA_VERSION=\"}
          echo "${line%\"}"
          return
          ;;
      esac
    done <"$1/release"
  fi
  line=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  echo "${line:-0}"
}

# The major version of the Java in directory $1; 0 if there is none.
java_major() {
  local version
  version=$(java_version "$1")
  version=${version#1.}
  version=${version%%[!0-9]*}
  echo "${version:-0}"
}

# The directories that may hold a Java, the preferred first.
java_homes() {
  local java home
  [ -z "${JAVA_HOME-}" ] || echo "$JAVA_HOME"
  if java=$(command -v java); then
    java=$(readlink -f "$java" 2>/dev/null || echo "$java")
    home=${java%/bin/java}
    # A shim of a version manager does not lie in the Java it starts, and starts none where no version is set.
    [ -x "$home/bin/java" ] ||
      home=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
    [ -z "$home" ] || echo "$home"
  fi
  for home in "${JAVA_25_HOME-}" /usr/lib/jvm/* "${SDKMAN_DIR:-${HOME-}/.sdkman}"/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -z "$home" ] || [ ! -x "$home/bin/java" ] || echo "$home" # of none /bin/java would be one
  done
}

# Prints the first Java that has the program $1 (java or javac) and a version from $2 to $3.
find_java() {
  local home major
  # A shim that starts a Java takes its time. Without a limit of its own bash takes TMOUT, which the user may have exported.
  while IFS= read -r -t 99999999 home; do
    [ -x "$home/bin/$1" ] || continue
    major=$(java_major "$home")
    if [ "$major" -ge "$2" ] && [ "$major" -le "${3:-999}" ]; then
      echo "$home"
      return 0
    fi
  done < <(java_homes)
  return 1
}

# Sets JAVA_HOME for running, for which a runtime will do.
use_java() {
  local home
  home=$(find_java java 17) || {
    echo "belay: no Java 17 or later found: install one (Debian: apt-get install openjdk-17-jre-headless) or set JAVA_HOME to one" >&2
    exit 2
  }
  export JAVA_HOME=$home
}

# Options with which JDK 24 and later do not warn about what libraries do. Some JDKs do not know the
# last one, some may drop it again.
quiet_java_opts() {
  [ "$(java_major "$JAVA_HOME")" -lt 24 ] ||
    echo "--enable-native-access=ALL-UNNAMED -XX:+IgnoreUnrecognizedVMOptions --sun-misc-unsafe-memory-access=allow"
}

# Sets "java" to the VM with the options that all of them have. SQLite's driver unpacks a library, which cannot be
# loaded where /tmp is mounted noexec, and Java does not look at TMPDIR. Where that is not a directory, what
# JAVA_TOOL_OPTIONS say counts.
begin_java() {
  # shellcheck disable=SC2207 # each option a word
  java=("$JAVA_HOME/bin/java" $(quiet_java_opts))
  [ ! -d "${TMPDIR-}" ] || java+=("-Djava.io.tmpdir=$TMPDIR")
}

# check_path PATH: has Java find what lies there, though the locale knows the letters of ASCII alone (LC_ALL=C, cron); and ends
# with 2 if it would take that for several paths.
check_path() {
  case $1 in
    *:*)
      echo "belay: Java takes a path with a colon for several: move what lies in $1" >&2
      exit 2
      ;;
    *[!\ -~]*) case $(locale charmap 2>/dev/null) in '' | ANSI_X3.4-1968) export LC_ALL=C.UTF-8 ;; esac ;;
  esac
}

# check_java JAVA OPTION...: ends with 2 if that VM refuses its options, or finds no room, as it would itself with 1, which is a
# result of commands. To ask takes a start of it, so it is asked where the user has options or a limit alone; and not where a
# debugger would be waited for twice.
check_java() {
  local said
  case $(ulimit -v):${JAVA_TOOL_OPTIONS-}${JDK_JAVA_OPTIONS-}${_JAVA_OPTIONS-}${BELAY_JAVA_OPTS-} in
    unlimited: | *jdwp*) return 0 ;;
  esac
  said=$("$@" -version 2>&1) && return 0
  printf '%s\n' "$said" >&2
  exit 2
}

# Takes the collector that the user has chosen for all Java programs out of the environment: a VM that is told of two does not begin,
# and the options of what is started here name one. (The commands of run and lead are no children of what has lost it.)
drop_collectors() {
  local name
  for name in JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS; do
    case ${!name-} in
      *-XX:?Use*GC*) export "$name=$(sed -E 's/-XX:[+-]Use[A-Za-z0-9]*GC([[:space:]]|$)/ /g' <<<"${!name}")" ;;
    esac
  done
}

# run_belay LIB OPTION... -- ARGUMENT...: becomes the command line whose jars are in LIB, with JVM options of the caller's.
# BELAY_JAVA_OPTS replaces those that are there for a short start: a collector cannot be overridden by a later option.
run_belay() {
  local lib=$1 archive java options=() defaults="-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
  shift
  check_path "$lib"
  pwd -P >/dev/null 2>&1 || {
    echo "belay: the current directory has been removed, and Java does not begin in it: call this in one that is there" >&2
    exit 2
  }
  drop_collectors
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  # Each client has a connection of its own, and each connection takes an open file at both of its ends.
  ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
  archive=$lib/classes-$(java_version "$JAVA_HOME").jsa
  # One that does not fit is ignored, without a word of the JVM's: to JDK 25 even the option for native access is an error in it.
  [ ! -r "$archive" ] || options+=("-XX:SharedArchiveFile=$archive" -Xlog:disable)
  case ${1-} in
    run | lead | dashboard)
      # They may run for days: with a young generation that is collected before it has grown, and an old one that is given back,
      # they take little memory, however much the machine has.
      defaults+=" -Xms8m -Xmn4m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20"
      export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX-2} MALLOC_TRIM_THRESHOLD_=${MALLOC_TRIM_THRESHOLD_-131072}
      ;;
  esac
  begin_java
  # shellcheck disable=SC2206 # each option a word
  java+=(${BELAY_JAVA_OPTS-$defaults} ${options[@]+"${options[@]}"})
  case ${1-} in
    run | lead) ;; # launch.sh sees whether it has begun
    *)
      # Where it is closed, Java opens a file of its own there, and takes that for what the user answers.
      { true 3<&0; } 2>/dev/null || exec </dev/null
      check_java "${java[@]}"
      ;;
  esac
  exec "${java[@]}" -jar "$lib"/belay-cli-*.jar "$@"
}
