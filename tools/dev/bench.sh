# ./dev bench. Sourced by ./dev.
# shellcheck shell=bash

# run_bench [macro|memory|micro [ARGS...]]: ARGS go to that benchmark. Reports are in build/bench.
run_bench() {
  local kind=${1:-all} one
  case "$kind" in
    macro | memory | micro) shift ;;
    all) [ $# -eq 0 ] || die_usage "'bench': name one benchmark before its arguments (got: $*)" ;;
    *) die_usage "'bench' knows macro, memory and micro (got: $kind)" ;;
  esac
  need_packages build test bench
  build_preset release
  for one in macro memory micro; do
    case "$kind" in "$one" | all) suite "$one" "bench_$one" "$@" ;; esac
  done
  conclude bench
}

bench_macro() { /usr/bin/python3 bench/macro/run.py "$@"; }

bench_memory() { /usr/bin/python3 bench/memory/run.py "$@"; }

bench_micro() {
  local program failed=0
  for program in build/release/micro_*; do
    [ -x "$program" ] || die "there are no micro benchmarks in build/release"
    "$program" "$@" || failed=1
  done
  return "$failed"
}
