#!/usr/bin/env bash
# Two versions side by side: the clients of the last release, built from git, and those of the present build hand locks over to each
# other in both directions, on each store, and no two hold at once. For the long proof. As long as nothing is released, the commit
# before stands for the release.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

long_proof || { echo "This is part of the long proof." && exit 77; }

release=$(git -C "$root" describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || git -C "$root" rev-parse --quiet --verify HEAD~1) || {
  echo "There is no commit before this one."
  exit 77
}
jars=$("$root/scripts/jars-of" "$release") || exit 1

beside() { trial --store "$1" --fault "$2" --workload mutex --seconds 10 --seed 1 --beside "$jars"; }

for store in file redis postgresql mariadb etcd zookeeper quorum; do
  case $store in
    postgresql) want postgres postgresql || continue ;;
    mariadb) want mariadbd mariadb-server || continue ;;
    etcd) want etcd etcd-server || continue ;;
  esac
  check "$release and this build on $store: hand-overs both ways, no two hold at once" beside "$store" kill
done
check "$release and this build on redis, paused: no two hold at once" beside redis pause
end_checks
