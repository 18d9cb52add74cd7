#!/usr/bin/env bash
# ./belay starts from anywhere, prints nothing but what it was asked for, and passes the exit code on.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
ln -s "$root/belay" link

# The first call may build; its messages are not those of the second.
check "belay --help" "$root/belay" --help

prints_version() { ./link --version 2>&1 | grep -q '^belay [0-9]' && [ "$(./link --version 2>&1 | wc -l)" -eq 1 ]; }
check "belay --version through a symbolic link, one line" prints_version

refuses() { ! ./link --no-such-option; }
check "an unknown option is an error" refuses

as_without() {
  local said
  said=$(ulimit -Sn 321 && JAVA_HOME=/nowhere ./link run x --store "file:$dir/locks" -- sh -c 'echo "$JAVA_HOME $(ulimit -n)"; cat <&5' 5< <(echo five))
  [ "$said" = "/nowhere 321"$'\n'five ]
}
check "belay run leaves JAVA_HOME, limits and descriptors to the command as they are" as_without

end_checks
