# The watcher of `belay run`: ends the user's command with all that it has begun, when the process that holds the lock says so, and
# by itself when that process has died, or has not been heard of until its lease is over. io.belay.cli.run.Watcher runs it, in a
# session of its own, by bash. Needs Linux.
#
#   bash -p -c SCRIPT belay-watcher GRACE HOLDER
#
# GRACE is the time from SIGTERM to SIGKILL, HOLDER the number of the process that holds the lock: called once more, with
# BELAY_GIVE_BACK, it gives the lock back. All times are in hundredths of a second, moments as in /proc/uptime. It is told, a line
# each:
#
#   marks TOKEN LOCK   the lock is held, and this is what the environment of the command says
#   command PID        the command runs
#   until MOMENT       when the last of it has to be killed, unless a later moment is told before
#   end GRACE          end it; the answer is a line with the processes that are left
#   ended              the command has ended by itself: what it has left behind is its own affair
#   done               the lock is given back; it may be held again

grace=$1 lock='' token=''
mapfile -d '' -t holder <"/proc/$2/cmdline"
[ "$PPID" = "$2" ] || holder=(:) # it has died, and that was another's
trap '' HUP INT PIPE QUIT TERM TSTP USR1 USR2
exec {silence}<> <(:) # nothing ever comes from there: what to wait at
exec {said}> >(exec cat >&2) # by another process, as nobody may read it: to end the command waits for no reader

# The processes of the family that live, each with the time of its start, as numbers are used again.
declare -A family=()
running=1 until='' since=0 line=''

now() {
  local up rest
  read -r up rest </proc/uptime
  now=$((10#${up/./})) # in a container's first second it begins with a 0, which is no octal number
}

pause() { read -r -t "$1" -u "$silence"; }

say() { printf 'belay: %s\n' "$*" 1>&"$said" 2>/dev/null; }

# examine PID: sets its parent and the time of its start; fails if it has ended.
examine() {
  local stat=''
  { read -r -d '' stat <"/proc/$1/stat"; } 2>/dev/null
  # Behind the name, which may hold anything: the state, the parent, and so on. One that ends by its first thread alone is a Z, too.
  set -- ${stat##*) }
  case ${1-X} in
    Z) [ "${18}" -gt 1 ] || return 1 ;; # so many threads are there still
    X) return 1 ;;
  esac
  parent=$2 born=${20}
}

# is_marked PID: whether its environment is that of the command.
is_marked() {
  local variable has_token='' has_lock=''
  local -a environment=()
  { mapfile -d '' -t environment <"/proc/$1/environ"; } 2>/dev/null
  for variable in "${environment[@]}"; do
    case $variable in
      "BELAY_TOKEN=$token") has_token=1 ;;
      "BELAY_LOCK=$lock") has_lock=1 ;;
    esac
  done
  [ -n "$has_token" ] && [ -n "$has_lock" ]
}

# Looks once at all processes, and sets family to those that live of: what was seen of it before, the descendants of any of it, and
# whatever is marked. Whatever is older than the command is none of it. Starts no process, which would take longest on a busy machine.
look() {
  local parent born pid file path verdict
  local -A parents=() births=() kin=()
  for file in /proc/[1-9]*; do
    pid=${file#/proc/}
    if examine "$pid" && [ "$born" -ge "$since" ]; then parents[$pid]=$parent births[$pid]=$born; fi
  done
  for pid in "${!family[@]}"; do
    if [ "${births[$pid]-}" = "${family[$pid]}" ]; then kin[$pid]=1; else unset "family[$pid]"; fi
  done
  for pid in "${!parents[@]}"; do
    if [ -z "${kin[$pid]-}" ] && is_marked "$pid"; then kin[$pid]=1; fi
  done
  for file in "${!parents[@]}"; do
    pid=$file path=''
    while [ -z "${kin[$pid]-}" ]; do
      path+=" $pid"
      pid=${parents[$pid]-0}
      [ -n "${parents[$pid]-}" ] || kin[$pid]=0
    done
    verdict=${kin[$pid]}
    for pid in $path; do kin[$pid]=$verdict; done
    if [ "$verdict" = 1 ]; then family[$file]=${births[$file]}; fi
  done
}

# end GRACE: asks all of the family to end, those that go on again each second, and kills what is left when the grace is over, or
# the time. What a look has found is killed at least once, and looked for again, whatever the clock says.
end() {
  local now kill_at round pid parent born
  local -A told=()
  now
  kill_at=$((now + $1))
  if [ -n "$until" ] && [ "$until" -lt "$kill_at" ]; then kill_at=$until; fi
  if [ "$kill_at" -le "$now" ]; then
    # Where no time is left what is known stands still at once: to look for the rest takes its time on a busy machine.
    for pid in "${!family[@]}"; do
      if examine "$pid" && [ "$born" = "${family[$pid]}" ]; then kill -s STOP "$pid" 2>/dev/null; fi
    done
  fi
  look
  now
  while [ "${#family[@]}" -gt 0 ] && [ "$now" -lt "$kill_at" ]; do
    for pid in "${!family[@]}"; do
      if [ $((now - ${told[$pid]--100})) -ge 100 ]; then
        told[$pid]=$now
        kill -s TERM "$pid" 2>/dev/null
      fi
    done
    pause 0.04
    look
    now
  done
  for ((round = 0; round < 40 && ${#family[@]} > 0; round++)); do
    kill -s KILL "${!family[@]}" 2>/dev/null
    pause 0.02
    look
  done
}

# Ends the command as the holder cannot; what is not ended may go on beside the next holder.
end_alone() {
  say "$1; ending the command"
  end "$2"
  if [ "${#family[@]}" -gt 0 ]; then
    say "these processes could not be ended, and may go on without the lock: ${!family[*]}"
  fi
}

# Waits for what is told next, for a second at most: the clock of a wait stops while the machine is suspended. A line whose end has
# not come by then is told when it has.
hear() {
  local now left=100 part='' heard
  word='' value=''
  if [ -n "$until" ]; then
    now
    left=$((until - now < left ? until - now : left))
    left=$((left > 1 ? left : 1))
  fi
  printf -v left '%d.%02d' $((left / 100)) $((left % 100))
  IFS= read -r -t "$left" part
  heard=$?
  line+=$part
  [ "$heard" = 0 ] || return "$heard"
  value=${line#* } word=${line%% *} line=''
}

is_over() {
  local now
  now
  [ -n "$until" ] && [ "$now" -ge "$until" ]
}

while hear || [ $? -gt 128 ]; do
  case $word in
    marks) token=${value%% *} lock=${value#* } ;;
    command) if examine "$value"; then family[$value]=$born since=$born; fi ;;
    until) until=$value ;;
    end)
      end "$value"
      until='' # it was ended in time, and is not to be ended once more
      echo "${!family[@]}" 2>/dev/null # one that has died is told nothing
      ;;
    ended) running='' until='' ;;
    done) token='' running=1 until='' family=() ;;
  esac
  if is_over; then
    end_alone "the process that holds the lock stands still, and its lease is over" 0
    until=''
  fi
done

[ -n "$token" ] || exit
if [ -n "$running" ]; then
  [ "${#family[@]}" -gt 0 ] || pause 0.3 # the command may be on its way
  end_alone "the process that holds the lock has died" "$grace"
  [ "${#family[@]}" = 0 ] || exit
fi
BELAY_GIVE_BACK=$token exec "${holder[@]}" </dev/null >/dev/null
