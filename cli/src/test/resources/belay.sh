#!/usr/bin/env bash
# belay, as the tests call it: on the classes of this build.
. '@SHARE@/launch.sh'
become_belay() {
  local belay_options=()
  while [ "$1" != -- ]; do
    belay_options+=("$1")
    shift
  done
  shift
  exec '@JAVA@' "${belay_options[@]}" -cp '@CLASSES@' io.belay.cli.Main "$@"
}
case ${1-} in run | lead) launch become_belay "$@" ;; esac
become_belay -- "$@"
