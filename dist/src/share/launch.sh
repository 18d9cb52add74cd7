# Starts `belay run` and `belay lead`. To be sourced, not run. Needs bash 4.4 or later, and Linux.
# shellcheck shell=bash
#
# A Java VM closes descriptors, raises limits and handles signals, and what it starts has the same. So the user's command is no
# child of it but, like the VM itself, of this shell: the VM says when the lock is held, this shell starts the command just as it
# was called itself, passes signals on, tells how the command has ended, and ends likewise. io.belay.cli.run.Launcher is the
# other end of the two pipes:
#
#   its descriptor 3   a NUL: the VM has begun. Then LOCK TOKEN FIRST SKIP LOST, each with a NUL behind it: the lock is held. The
#                      command is what stands from the argument FIRST on; or, if SKIP is a number, a shell's: all but so many
#                      characters of that argument. LOST is the exit code if the VM dies before the command. At the end a text for
#                      the user, as of --help, or none, and a NUL. (Its output is the user's error output: Java logs there, say.)
#   its input          a line each: "started PID", "ended STATUS", "signal NAME"
#
# The VM's end is the end of all, with its exit code. That of one that does not come to its end would be taken for the command's: as
# there is no Java, it refuses its options, fails or is killed. Names of variables begin with belay_, as one that the user has exported
# would change for the command.

# In posix mode, as by an exported POSIXLY_CORRECT, a signal would end a read, and bash before 5.1 would not take all of this. Only the
# command has it as it was.
belay_posix=
[ -z "${POSIXLY_CORRECT+set}" ] || belay_posix=$(declare -p POSIXLY_CORRECT)
set +o posix

# OSTYPE is what the environment says, if that has it.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) || [[ ${BASH_VERSINFO[5]} != *linux* ]]; then
  echo "belay: run and lead need Linux and bash 4.4 or later, and this is bash $BASH_VERSION on ${BASH_VERSINFO[5]}: install one, and put it first on the PATH" >&2
  exit 64
elif [ ! -r /proc/uptime ]; then
  echo "belay: run and lead need /proc/uptime, which cannot be read here: mount /proc, or take ProcSubset=pid out of the unit, or subset=pid out of the mount" >&2
  exit 64
fi

# launch FUNCTION run|lead ARGUMENT...: ends this shell. The function becomes the VM: it is given options of the VM, --, and the
# arguments.
launch() {
  local belay_become=$1 belay_fd belay_to belay_from belay_err belay_notes belay_closed=
  local belay_vm belay_lock belay_token belay_first belay_skip belay_lost=
  local belay_command='' belay_caught='' belay_signal='' belay_death='' belay_ended='' belay_status=0
  shift
  set +eu
  # What the user has closed is closed for the command, but nothing of this shell may come to lie there, as its script may by now.
  for belay_fd in 0 1 2; do
    if [ ! -e "/proc/self/fd/$belay_fd" ] || [ "/proc/self/fd/$belay_fd" -ef "$0" ]; then
      eval "exec $belay_fd<>/dev/null"
      belay_closed+=" $belay_fd>&-"
    fi
  done
  # The notes are what bash itself prints when a child was ended by a signal.
  exec {belay_err}>&2 {belay_notes}<> <(:) 2>&"$belay_notes"
  coproc BELAY_VM {
    # They are this shell's to pass on. -Xrs: or the VM would handle some all the same, Ctrl-\ with pages of output.
    trap '' HUP INT QUIT TERM USR1 USR2
    exec 3>&1 1>&"$belay_err" 2>&1 {belay_err}>&- {belay_notes}>&-
    "$belay_become" -Xrs -Dbelay.launched=true -- "$@"
  }
  # Copies, as bash closes its own when the VM has ended, whether or not all was read.
  exec {belay_from}<&"${BELAY_VM[0]}" {belay_to}>&"${BELAY_VM[1]}"
  eval "exec ${BELAY_VM[0]}<&- ${BELAY_VM[1]}>&-"
  belay_vm=$BELAY_VM_PID
  trap : PIPE
  for belay_fd in HUP INT QUIT TERM USR1 USR2; do
    # shellcheck disable=SC2064 # the name that it has now
    trap "belay_pass $belay_fd" "$belay_fd"
  done
  belay_read lock # the VM has begun, or never will
  while belay_read lock && belay_ended=1 && belay_read token && belay_read first && belay_read skip && belay_read lost; do
    belay_ended=
    belay_run_command "$@"
  done
  printf %s "$belay_lock"
  belay_await "$belay_vm"
  [ -n "$belay_ended" ] || exit "${belay_lost:-$(belay_own_code "$@")}"
  for belay_signal in $belay_signal $belay_death; do
    if [ "$belay_status" = $((128 + $(kill -l "$belay_signal"))) ]; then
      # As the command would without belay, so that Ctrl-C ends a loop around it, too.
      trap - "$belay_signal"
      ulimit -c 0
      kill -s "$belay_signal" $$
    fi
  done
  exit "$belay_status"
}

# belay_own_code run|lead ARGUMENT...: prints the exit code for what ends the VM before a command, which is for it to tell otherwise.
belay_own_code() {
  local belay_code=69
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
      --own-exit-code) belay_code=${2-} ;;
      --own-exit-code=*) belay_code=${1#*=} ;;
    esac
    shift
  done
  case $belay_code in
    [0-9] | [1-9][0-9] | 1[0-9][0-9] | 2[0-4][0-9] | 25[0-5]) echo "$belay_code" ;;
    *) echo 69 ;;
  esac
}

# belay_read NAME: sets belay_NAME to what the VM says next, however long that takes. The limit is so long (three years) because without
# one bash takes TMOUT, which the user may have exported.
belay_read() { IFS= read -r -t 99999999 -d '' -u "$belay_from" "belay_$1"; }

# Starts the command and waits for its end, unless a signal came that was to end the wait for the lock.
belay_run_command() {
  if [ -n "$belay_signal" ]; then
    printf 'ended %d\n' $((128 + $(kill -l "$belay_signal"))) >&"$belay_to"
    return
  fi
  shift # run or lead
  if [ -n "$belay_skip" ]; then
    set -- /bin/sh -c "${!belay_first:$belay_skip}"
  else
    shift $((belay_first - 1))
  fi
  # In the background, as bash handles signals only then; but with the input, and with INT and QUIT as they were.
  (
    trap - HUP INT QUIT TERM USR1 USR2 PIPE
    export BELAY_LOCK=$belay_lock BELAY_TOKEN=$belay_token
    eval "exec 2>&$belay_err {belay_err}>&- {belay_notes}>&- {belay_from}<&- {belay_to}>&- $belay_closed"
    eval "$belay_posix"
    exec -- "$@"
  ) <&0 &
  belay_command=$!
  [ -z "$belay_signal" ] || kill -s "$belay_signal" "$belay_command" # it came just now
  # A VM that is gone has told the watcher of no command.
  printf 'started %d\n' "$belay_command" >&"$belay_to" || kill -s KILL "$belay_command"
  belay_await "$belay_command"
  belay_command=
  belay_death=
  if [ "$belay_status" -gt 128 ] && belay_was_signalled; then
    belay_death=$(kill -l $((belay_status - 128)))
  fi
  printf 'ended %d\n' "$belay_status" >&"$belay_to"
}

# Waits for a child, and sets belay_status. A signal interrupts bash's wait. If the child ends at that moment, as it does when the
# terminal has sent the signal to both, bash may lose how, and take it to be running for ever: then it was the signal.
belay_await() {
  local belay_running
  while :; do
    belay_caught=
    wait "$1"
    belay_status=$?
    [ -n "$belay_caught" ] || return 0
    if [ ! -e "/proc/$1" ]; then
      belay_running=$(jobs -rp) || return 0 # a further signal has ended that shell
      [[ $'\n'$belay_running$'\n' != *$'\n'$1$'\n'* ]] || return 0
    fi
  done
}

# Whether a signal has ended the command, for which its status alone could be an exit code: bash has noted it, but for those that
# it has handlers for.
belay_was_signalled() {
  local belay_note=
  while read -r -t 0 -u "$belay_notes"; do IFS= read -r -u "$belay_notes" belay_note; done
  case $belay_status in 129 | 130 | 131 | 138 | 140 | 141 | 143) return 0 ;; esac
  [ -n "$belay_note" ]
}

# belay_pass NAME: the handler of a signal.
belay_pass() {
  belay_caught=$1
  printf 'signal %s\n' "$1" >&"$belay_to"
  if [ -z "$belay_command" ]; then
    belay_signal=$1
  elif ! belay_has_it_already "$1"; then
    kill -s "$1" "$belay_command"
  fi
}

# Whether the terminal has sent a signal of its keys to both: to the process group in its foreground, if that is this shell's, and the
# command has not made one of its own, as timeout does.
belay_has_it_already() {
  local belay_stat belay_process belay_group=
  case $1 in INT | QUIT) ;; *) return 1 ;; esac
  for belay_process in $$ "$belay_command"; do
    # Where the command has just ended, what was read before counts, and nothing is sent.
    { IFS= read -r -d '' belay_stat <"/proc/$belay_process/stat"; } 2>/dev/null
    # shellcheck disable=SC2086 # each a word
    set -- ${belay_stat##*) }
    # Its group, and that in the terminal's foreground.
    [ "$3" = "$6" ] && [ "$3" = "${belay_group:-$3}" ] || return 1
    belay_group=$3
  done
}
