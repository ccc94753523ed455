# ./dev up and ./dev down: one server of this checkout, on its welcome site. Sourced by ./dev.
# State: build/run/tidegate.pid and tidegate.log; the control socket is in the runtime directory (usually build/run too).
# shellcheck shell=bash disable=SC2154 # root comes from ./dev

server_binary=$root/build/release/tidegate
server_run=$root/build/run
server_pid_file=$server_run/tidegate.pid
server_log=$server_run/tidegate.log
server_start_s=${DEV_START_S:-10} # how long `up --detach` waits for the first answer
server_stop_s=15  # how long `down` waits before it insists

# Where the server puts its control socket. The path of a unix socket may have 107 bytes; in a deep checkout it
# goes to a short private directory instead, named after the checkout.
server_runtime_dir() {
  local LC_ALL=C path=$server_run/admin.sock dir
  if [ "${#path}" -le 107 ]; then
    printf '%s' "$server_run"
    return
  fi
  dir=${XDG_RUNTIME_DIR:-/tmp}/tidegate-dev-$(id -u)-$(cksum <<<"$root" | cut -d' ' -f1)
  [ -d "$dir" ] || mkdir -m 700 -- "$dir" || die "cannot make $dir for the control socket"
  if [ ! -O "$dir" ] || [ -L "$dir" ]; then die "$dir belongs to somebody else; set XDG_RUNTIME_DIR to a directory of yours"; fi
  printf '%s' "$dir"
}

# The pid of the running server of this checkout, or failure. A pid that meanwhile belongs to another program does not count.
server_pid() {
  local pid
  [ -f "$server_pid_file" ] || return 1
  pid=$(<"$server_pid_file")
  [[ "$pid" =~ ^[0-9]+$ ]] || return 1
  { tr '\0' '\n' <"/proc/$pid/cmdline"; } 2>/dev/null | grep -qxF -- "$server_binary" || return 1
  printf '%s' "$pid"
}

# The address that the server printed when it started, or failure.
server_address() {
  grep -oE 'https?://[^[:space:]"]+' -- "$server_log" 2>/dev/null | head -n 1 | grep .
}

# server_answers URL: asks for / and looks for an HTTP status line, with bash alone.
server_answers() {
  local place=${1#*://} line
  place=${place%%/*}
  (
    exec 3<>"/dev/tcp/${place%:*}/${place##*:}"
    printf 'GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$place" >&3
    IFS= read -r -t 2 line <&3
    [[ "$line" == "HTTP/1.1 200"* ]]
  ) 2>/dev/null
}

server_up() {
  local detach='' pid address
  case "$*" in
    '') ;;
    --detach) detach=1 ;;
    *) die_usage "'up' takes only --detach (got: $*)" ;;
  esac
  if pid=$(server_pid); then
    address=$(server_address) || address="an address that only its terminal knows"
    say "already running, pid $pid. Stop it with ./dev down"
    printf '%s\n' "$address"
    [ -n "$detach" ] || exit 1
    return 0
  fi
  build_product
  mkdir -p -- "$server_run"
  TIDEGATE_RUNTIME_DIR=$(server_runtime_dir) || exit 1
  export TIDEGATE_RUNTIME_DIR
  if [ -n "$detach" ]; then
    server_detach
  else
    rm -f -- "$server_log"
    printf '%s\n' "$$" >"$server_pid_file"
    exec "$server_binary" run
  fi
}

server_detach() {
  local pid address deadline=$((SECONDS + server_start_s))
  setsid "$server_binary" run >"$server_log" 2>&1 </dev/null &
  pid=$!
  printf '%s\n' "$pid" >"$server_pid_file"
  while [ "$SECONDS" -le "$deadline" ]; do
    if address=$(server_address) && server_answers "$address"; then
      say "running, pid $pid. Log: build/run/tidegate.log. Stop it with ./dev down"
      say "ask it: TIDEGATE_RUNTIME_DIR=$(printf '%q' "$TIDEGATE_RUNTIME_DIR") build/release/tidegate status"
      printf '%s\n' "$address"
      return 0
    fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  tail -n 20 -- "$server_log" >&2
  if kill -0 "$pid" 2>/dev/null; then
    kill -KILL "$pid"
    rm -f -- "$server_pid_file"
    die "the server did not answer within $server_start_s s and was ended; its log is above"
  fi
  rm -f -- "$server_pid_file"
  die "the server ended at once; its log is above"
}

server_down() {
  local pid deadline=$((SECONDS + server_stop_s))
  if ! pid=$(server_pid); then
    rm -f -- "$server_pid_file"
    say "no server of this checkout is running"
    return 0
  fi
  kill -TERM "$pid"
  while server_pid >/dev/null; do
    if [ "$SECONDS" -gt "$deadline" ]; then
      kill -KILL "$pid"
      say "the server did not stop within $server_stop_s s and was ended"
      break
    fi
    sleep 0.05
  done
  rm -f -- "$server_pid_file"
  say "stopped, pid $pid"
}
