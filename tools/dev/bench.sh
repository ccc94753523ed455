# ./dev bench. Sourced by ./dev.
# shellcheck shell=bash

run_bench() {
  need_packages build test bench
  build_preset release
  [ -f bench/run.py ] || die "bench/run.py is missing"
  exec /usr/bin/python3 bench/run.py "$@"
}
