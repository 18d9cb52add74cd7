#!/usr/bin/env bash
# What is built can be installed: the Debian package and the archive, in a root of their own that has a headless Java and
# nothing to build with. From there the commands work on a Redis and a PostgreSQL. Needs root, on Debian. In the short proof
# both are unpacked only, and the command starts from there.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

dir=$(mktemp -d) || exit 1
new=$dir/root
redis=
postgres=

clean() {
  # Only what was started here, by its number.
  [ -z "$redis" ] || { kill "$redis" && wait "$redis"; } 2>/dev/null
  [ -z "$postgres" ] || { kill -QUIT "$postgres" && wait "$postgres"; } 2>/dev/null
  rm -rf "$dir"
}
trap clean EXIT

# says_version COMMAND...: it is Belay's.
says_version() {
  "$@" --version | grep -q '^belay [0-9]' || {
    echo "$* --version says nothing"
    return 1
  }
}

starts_from_archive() {
  mkdir "$dir/archive" && tar xzf "$root"/dist/target/belay-*.tar.gz -C "$dir/archive" &&
    says_version "$dir"/archive/belay-*/bin/belay
}

# Whether its archive of classes fits or not, the JVM says nothing of it: on the Java in use, and on the other that is tested.
starts_quietly() {
  local home lib
  lib=$(echo "$dir"/archive/belay-*/lib)
  for home in "$(find_java java 17)" "$(find_java java 25)"; do
    [ -n "$home" ] || continue
    (
      export JAVA_HOME=$home
      "$root/dist/src/share/archive-classes" "$lib" && says_version "$lib/../bin/belay" &&
        chmod u+w "$lib"/classes-*.jsa && printf none 1<>"$(echo "$lib"/classes-*.jsa)" && says_version "$lib/../bin/belay"
    ) 2>"$dir/said" && [ ! -s "$dir/said" ] && continue
    echo "with $home:" && cat "$dir/said"
    return 1
  done
  rm "$lib"/classes-*.jsa
}

starts_from_package() {
  dpkg-deb -x "$root"/dist/target/belay-*.deb "$dir/package" && cd "$dir/package/usr" && says_version bin/belay &&
    ls share/man/man1/belay-run.1 share/bash-completion/completions/belay
}

# The letters of its directory are none in the locale that cron has; the command has that as it is.
works_anywhere() {
  local odd=$dir/$'b\xc3\xbcro 1'
  mkdir "$odd" && tar xzf "$root"/dist/target/belay-*.tar.gz -C "$odd" || return 1
  [ "$(LC_ALL=C "$odd"/belay-*/bin/belay run x --store "file:$dir/locks" -- sh -c 'echo "$LC_ALL"')" = C ] || return 1
  for _ in 1 2 3; do # what has just begun may not be answered in time on a busy machine
    LC_ALL=C "$odd"/belay-*/bin/belay locks --store "file:$dir/locks" >"$dir/listed.log" 2>&1 && return 0
    grep -q 'did not answer in time' "$dir/listed.log" || break
  done
  cat "$dir/listed.log"
  return 1
}

# Each jar of others is in the list of licences, as artifact and version.
lists_licences() {
  local jar wrong=0 count=0
  mkdir -p "$dir/listed" && tar xzf "$root"/dist/target/belay-*.tar.gz -C "$dir/listed" && cd "$dir"/listed/belay-* && ls NOTICE LICENSE || return 1
  sed -n 's/.*[(]\([^: ]*\):\([^: ]*\):\([^: )]*\) - .*/\2-\3/p' LICENSES.txt | sort >"$dir/licensed"
  for jar in lib/*.jar; do
    jar=$(basename "$jar" .jar)
    [[ $jar != belay-* ]] || continue
    count=$((count + 1))
    # A classifier may stand behind the version.
    awk -v jar="$jar" 'index(jar, $0) == 1 { found = 1 } END { exit !found }' "$dir/licensed" || { echo "no licence of $jar" && wrong=1; }
  done
  [ "$wrong" = 0 ] && [ "$count" -gt 50 ]
}
check "the archive names the licence of each jar of others" lists_licences

check "the archive works in a directory whose letters the locale does not know" works_anywhere

if ! long_proof; then
  check "the archive, unpacked: belay --version" starts_from_archive
  check "an archive of classes, that fits or not: not a word of the JVM's" starts_quietly
  if has dpkg-deb; then
    check "the Debian package, unpacked: belay --version, its manual and its completion" starts_from_package
  fi
  end_checks
fi

if ! may_install; then
  echo "An installation is tried as root on Debian, and may install what it needs."
  exit 77
fi
needed redis-server redis-server
needed mmdebstrap mmdebstrap

# In the root, with what a login there has: it is mounted, as the root of a machine is, and so are its processes.
inside() {
  unshare --mount bash -c 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && cd "$0" && exec chroot "$0" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"' \
    "$new" "$@"
}

# exits CODE COMMAND...: again where a server did not answer in time, as on a busy machine.
exits() {
  local expected=$1 code
  shift
  for _ in 1 2 3; do
    code=0
    "$@" || code=$?
    [ "$code" = 69 ] || break
  done
  [ "$code" = "$expected" ] || {
    echo "exit code $code, not $expected, of: $*" >&2
    return 1
  }
}

run_redis() { cd "$dir" && exec redis-server --bind 127.0.0.1 --save '' --appendonly no --port "$1"; }

# In a shell of its own: it ends with the command.
as_nobody() { cd "$dir" && exec setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }

run_postgres() { as_nobody "$1/postgres" -D "$dir/data" -h 127.0.0.1 -k '' -c fsync=off -p "$2"; }

# start_servers: both at ports that nobody has; Debian would start them as services, too.
start_servers() {
  local programs
  start_server "" "$dir/redis.log" run_redis || return 1
  redis=$server redis_port=$port
  programs=$(dirname "$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | tail -n 1)") || return 1
  chmod 755 "$dir"
  mkdir "$dir/data" && chown nobody "$dir/data" || return 1
  (as_nobody "$programs/initdb" -D "$dir/data" -U belay -A trust -E UTF8 --no-locale --no-sync) >"$dir/pg.log" 2>&1 || return 1
  start_server "" "$dir/pg.log" run_postgres "$programs" || return 1
  postgres=$server postgres_port=$port
}

makes_root() {
  local suite
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mmdebstrap --quiet --variant=minbase --include=default-jre-headless,util-linux "$suite" "$new" 2>"$dir/mm.log" || {
    cat "$dir/mm.log"
    return 1
  }
  # That it is what was meant.
  [ -x "$new/usr/bin/java" ] && [ ! -e "$new/usr/bin/javac" ] && [ ! -e "$new/usr/bin/mvn" ]
}

installs() {
  cp "$root"/dist/target/belay-*.deb "$new/tmp/belay.deb" && inside dpkg -i /tmp/belay.deb || return 1
  says_version inside belay || return 1
  ls "$new"/usr/share/belay/lib/classes-*.jsa && ls "$new/usr/share/man/man1/belay-run.1" &&
    inside bash -c 'source /usr/share/bash-completion/completions/belay && complete -p belay'
}

unpacks() {
  mkdir -p "$new/opt" && tar xzf "$root"/dist/target/belay-*.tar.gz -C "$new/opt" || return 1
  archive=$(cd "$new" && echo opt/belay-*)
  says_version inside "/$archive/bin/belay"
}

# works COMMAND URL: run, locks, inspect and doctor of that installation.
works() {
  local belay=$1 url=$2 out=$dir/out
  exits 0 inside "$belay" schema --store "$url" --create || return 1
  exits 7 inside "$belay" run job --store "$url" -- sh -c 'echo "$BELAY_LOCK $BELAY_TOKEN" && exit 7' >"$out" || return 1
  grep -q '^job [1-9][0-9]*$' "$out" || { cat "$out"; return 1; }
  exits 0 inside "$belay" run job --store "$url" -- "$belay" locks --store "$url" >"$out" || return 1
  grep -q '^job .* for belay' "$out" || { cat "$out"; return 1; }
  exits 0 inside "$belay" run job --store "$url" -- "$belay" inspect job --store "$url" >"$out" || return 1
  grep -q '^holds .*exclusive' "$out" || { cat "$out"; return 1; }
  inside "$belay" doctor --store "$url" >"$out" 2>&1
  # What it finds depends on the server's settings: that it looked is told by its last line.
  tail -n 2 "$out" | grep -q " on ${url%%\?*}" || { cat "$out"; return 1; }
}

removes() {
  inside dpkg -r belay || return 1
  [ ! -e "$new/usr/bin/belay" ] && [ ! -e "$new/usr/share/belay" ]
}

servers_start() { [ "$started" = 0 ] || { cat "$dir"/redis.log "$dir"/pg.log && false; }; }

started=0
start_servers || started=1
check "Redis and PostgreSQL start" servers_start
check "a root with a headless Java, without a JDK or Maven" makes_root
if [ "$failures" = 0 ]; then
  check "the Debian package is installed, with its manual, its completion and its archive of classes" installs
  check "the package's commands on Redis" works belay "redis://127.0.0.1:$redis_port"
  check "the package's commands on PostgreSQL" works belay "jdbc:postgresql://127.0.0.1:$postgres_port/postgres?user=belay"
  check "the archive is unpacked" unpacks
  archive=$(cd "$new" && echo opt/belay-*)
  check "the archive's commands on Redis" works "/$archive/bin/belay" "redis://127.0.0.1:$redis_port"
  check "the archive's commands on PostgreSQL" works "/$archive/bin/belay" "jdbc:postgresql://127.0.0.1:$postgres_port/postgres?user=belay"
  check "the package is removed, and leaves nothing" removes
fi
end_checks
