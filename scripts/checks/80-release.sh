#!/usr/bin/env bash
# What is released: the bundle and the packages have all that a repository and their users ask for, are bit-identical when they are made
# again, and the examples are built and run on the bundle alone. For the long proof.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

long_proof || { echo "This is part of the long proof." && exit 77; }

needed gpg gnupg
dir=$(mktemp -d) || exit 1
# The agent that gpg starts for this home goes with it.
trap 'gpgconf --kill all 2>/dev/null; rm -rf "$dir"' EXIT
export GNUPGHOME=$dir/gnupg
local=$dir/m2

makes() { "$root/scripts/release" 0.1.0 --output "$dir/$1" "${@:2}"; }

# A key for this run alone.
makes_signed() {
  mkdir -m 700 "$GNUPGHOME" &&
    gpg --batch --quiet --passphrase '' --quick-generate-key 'Try <try@example.org>' default default 1d &&
    makes signed --key try@example.org
}

# What is in a directory of the user's, under the names that are used here, stays there.
spares_what_others_wrote() {
  mkdir -p "$dir/others/source" && touch "$dir/others/source/kept" || return 1
  makes others >"$dir/said" 2>&1 && return 1
  cat "$dir/said"
  grep -q 'is not empty' "$dir/said" && [ -e "$dir/others/source/kept" ]
}
check "a directory in which others have written is left alone" spares_what_others_wrote

check "the bundle is made, and signed" makes_signed
ln -s signed "$dir/with a space"
check "the bundle has all that a repository asks for, and the packages their signatures" "$root/scripts/check-bundle" "$dir/with a space/repository" --placeholders

# Whatever is missing or wrong is named.
damage_is_found() {
  mkdir "$dir/damaged" && cp -r "$dir"/signed/repository "$dir"/signed/belay-*.{tar.gz,deb}* "$dir/damaged/" || return 1
  local repository=$dir/damaged/repository
  local core=$repository/io/belay/belay-core/0.1.0/belay-core-0.1.0
  rm "$core-sources.jar" && echo x >>"$core.jar" && sed -i '/<description>/d' "$core.pom" && touch "$repository/strange"
  sed -i 's/The developers of Belay/Somebody/' "$repository/io/belay/belay-bom/0.1.0/belay-bom-0.1.0.pom"
  echo x >>"$dir/damaged/belay-0.1.0.deb" && rm "$dir/damaged/belay-0.1.0.tar.gz.asc"
  "$root/scripts/check-bundle" "$repository" >"$dir/said" && return 1
  cat "$dir/said"
  local what
  for what in 'missing or empty.*-sources.jar' 'sha1 is not that of .*core-0.1.0.jar' 'no valid signature: .*core-0.1.0.jar (gpg: ' \
    'no <description> in .*core' 'does not belong there: strange' 'placeholder' '<developers> is not the same' \
    'sha256 is not that of .*belay-0.1.0.deb' 'no valid signature: .*belay-0.1.0.deb' 'no valid signature: .*belay-0.1.0.tar.gz'; do
    grep -q "$what" "$dir/said" || { echo "not found: $what" && return 1; }
  done
}
check "what is missing, damaged or strange in a bundle is named" damage_is_found

same_again() {
  makes again || return 1
  diff -r -q -x '*.asc' -x '*.asc.*' "$dir/signed/repository" "$dir/again/repository" &&
    cmp "$dir/signed/belay-0.1.0.deb" "$dir/again/belay-0.1.0.deb" && cmp "$dir/signed/belay-0.1.0.tar.gz" "$dir/again/belay-0.1.0.tar.gz"
}
check "made again, it is bit-identical but for the signatures" same_again

# The dependencies, and of Belay what is in the bundle alone.
fill_local() {
  cp -al "$HOME/.m2/repository" "$local" 2>/dev/null || { rm -rf "$local" && cp -a "$HOME/.m2/repository" "$local"; } || return 1
  rm -rf "$local/io/belay"
  cp -r "$dir/signed/repository/." "$local/"
}

on_bundle() {
  local example=$1
  shift
  mkdir -p "$dir/examples" && cp -r "$root/examples/$example" "$dir/examples/" && rm -rf "$dir/examples/$example/target"
  sed -i 's|<belay.version>.*</belay.version>|<belay.version>0.1.0</belay.version>|' "$dir/examples/$example/pom.xml"
  (cd "$dir" && HOME=$dir mvn -B -q -ntp "-Dmaven.repo.local=$local" -f "examples/$example" "$@") </dev/null >"$dir/$example.log" 2>&1
  local status=$?
  cat "$dir/$example.log"
  return "$status"
}

says() { grep -q "$2" "$dir/$1.log"; }

first_lock() { on_bundle plain-java compile exec:java && says plain-java 'It is mine, by token [1-9]'; }
kotlin() { on_bundle kotlin compile exec:java && says kotlin 'It is mine, by token [1-9]' && says kotlin 'Nobody else gets it' && says kotlin 'mine in a coroutine'; }

report_once() {
  local arguments="-Dexec.args=file:$dir/report-locks $dir/report.txt"
  on_bundle cron-job compile exec:java "$arguments" && says cron-job 'The report was written here' &&
    on_bundle cron-job compile exec:java "$arguments" && says cron-job 'The report is written elsewhere, or was already' &&
    [ "$(wc -l <"$dir/report.txt")" = 1 ]
}

# One that is killed while it leads, and two that wait: no order of one among those of another.
leads_in_turn() {
  on_bundle leader compile || return 1
  local classes=$dir/examples/leader/target/classes jars
  jars=$(find "$local/io/belay/belay-core/0.1.0" "$local/io/belay/belay-file/0.1.0" "$local/org/slf4j/slf4j-api" "$local/org/jspecify" -name '*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar' | paste -s -d :)
  local one two three
  : >"$dir/led"
  dispatcher() {
    exec "$JAVA_HOME/bin/java" -cp "$classes:$jars" orders.Dispatcher "file:$dir/leader" "$@" >>"$dir/led" 2>>"$dir/led.err"
  }
  dispatcher &
  one=$!
  until grep -q '^order 1 ' "$dir/led" || ! kill -0 "$one"; do sleep 0.1; done
  dispatcher 10 &
  two=$!
  dispatcher 10 &
  three=$!
  until grep -q '^order 30 ' "$dir/led" || ! kill -0 "$one"; do sleep 0.1; done
  kill -9 "$one"
  wait "$two" && wait "$three" || { cat "$dir/led.err" && return 1; }
  cat "$dir/led"
  awk '/^order/ { if (seen[$NF] && $NF != last) mixed = 1; last = $NF; if (!seen[$NF]++) n++; count++ }
    /resigned/ { resigned++ } END { exit mixed || count < 50 || n != 3 || resigned != 2 }' "$dir/led"
}

orders() { on_bundle spring-boot-orders verify; }
own_store() { on_bundle own-store test -Dbelay.names=2000 -Dbelay.names.held=300 -Dbelay.contest=100; }

use_jdk
check "a local repository with the bundle and the dependencies" fill_local
if [ "$failures" = 0 ]; then
  check "the example plain-java on the bundle alone: takes its lock" first_lock
  check "the example kotlin: takes its lock, and nobody else" kotlin
  check "the example cron-job: writes its report once" report_once
  check "the example leader: one process leads after the other, which is killed or resigns" leads_in_turn
  check "the example own-store passes the suite" own_store
  check "the example spring-boot-orders passes its tests, and is packed" orders
fi
end_checks
