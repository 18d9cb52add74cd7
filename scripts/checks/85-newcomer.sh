#!/usr/bin/env bash
# The first page followed to the letter by somebody who has a clone and an empty local repository: the commands under "The first lock"
# end with a lock. For the long proof; everything is downloaded anew.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

long_proof || { echo "This is part of the long proof." && exit 77; }

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# The commands as they stand, with this repository's place in that of its address: one that a shell and sed take as it is.
ln -s "$root" "$dir/repository"
commands() {
  awk '/^## / { there = $0 == "## The first lock" } there && /^```sh$/ { in_block = 1; next } /^```$/ { in_block = 0 } in_block' "$root/README.md" |
    sed "s|URL-OF-THIS-REPOSITORY|$dir/repository|"
}

are_few() {
  commands
  [ "$(commands | wc -l)" -le 5 ] && commands | grep -q 'install$'
}

leads_to_a_lock() {
  mkdir "$dir/work" && cd "$dir/work" || return 1
  use_jdk
  commands >"$dir/commands"
  MAVEN_OPTS="-Dmaven.repo.local=$dir/m2 $brief_jvm" HOME=$dir timeout 3600 bash -eu "$dir/commands" >"$dir/said" 2>&1 </dev/null
  local status=$?
  tail -n 20 "$dir/said"
  [ "$status" = 0 ] && grep -q 'It is mine, by token [1-9]' "$dir/said"
}

check "the commands of the first page are five at most" are_few
begin=$SECONDS
check "the commands of the first page, with an empty local repository, end with a lock" leads_to_a_lock
printf '      after %s s\n' $((SECONDS - begin))
end_checks
