# ./dev test, asan, tsan and fuzz. Sourced by ./dev.
# Every suite runs even when one before it failed; the last lines say what was counted and what failed.
# shellcheck shell=bash disable=SC2154 # root comes from ./dev

failed_suites=()
counted=()

# suite NAME COMMAND...: runs one suite and remembers a failure.
suite() {
  local name=$1
  shift
  say "== $name"
  if ! "$@"; then failed_suites+=("$name"); fi
}

# Prints the counts and the verdict; fails when a suite failed.
conclude() {
  local what=$1 line
  for line in "${counted[@]}"; do say "$what: $line"; done
  if [ "${#failed_suites[@]}" -gt 0 ]; then
    say "$what: FAILED in: ${failed_suites[*]}"
    return 1
  fi
  say "$what: all passed"
}

run_ctest() {
  local preset=$1 status=0
  local tree=build/$preset
  ctest --preset "$preset" --parallel "$(jobs_at_once)" 2>&1 | tee -- "$tree/ctest.log" || status=1
  counted+=("$(count_ctest "$tree")")
  return "$status"
}

# One line: how many programs ctest ran, and what the doctest programs among them counted.
count_ctest() {
  local tree=$1
  awk '
    FNR == NR && /tests passed.*tests failed out of/ { programs = $NF; failed = $4 }
    FNR != NR && /^\[doctest\] test cases:/ { cases += $4 }
    FNR != NR && /^\[doctest\] assertions:/ { assertions += $3 }
    END { printf "ctest %d programs, %d failed; doctest %d cases, %d assertions\n", programs, failed, cases, assertions }
  ' "$tree/ctest.log" "$tree/Testing/Temporary/LastTest.log"
}

# run_pytest TREE DIRECTORY...: Debian's own python3, for another one in PATH has no pytest.
run_pytest() {
  local tree=$1 status=0
  shift
  TIDEGATE_BIN=$root/$tree/tidegate PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider "$@" 2>&1 | tee -- "$tree/pytest.log" || status=1
  counted+=("pytest $(tail -n 1 -- "$tree/pytest.log" | sed 's/^=* *//; s/ *=*$//')")
  return "$status"
}

test_release() {
  need_packages build test
  build_preset release
  suite ctest run_ctest release
  suite pytest run_pytest build/release tests/tidy tests/protocol tests/e2e tests/bench
  conclude test
}

# test_sanitized asan|tsan: a report fails the run even where the test around it passed.
test_sanitized() {
  local preset=$1
  local tree=build/$preset
  local reports=$root/$tree/reports
  need_packages build test sanitize
  build_preset "$preset"
  rm -rf -- "$reports"
  mkdir -p -- "$reports"
  # The path may have a space, which the option parser takes for a separator unless quoted.
  local common="halt_on_error=1:exitcode=99:log_path='$reports/report'"
  export ASAN_OPTIONS="$common:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1"
  export UBSAN_OPTIONS="$common:print_stacktrace=1"
  export TSAN_OPTIONS="$common:second_deadlock_stack=1"
  local symbolizer=/usr/lib/llvm-19/bin/llvm-symbolizer
  export ASAN_SYMBOLIZER_PATH=$symbolizer UBSAN_SYMBOLIZER_PATH=$symbolizer TSAN_SYMBOLIZER_PATH=$symbolizer
  # Tests that measure time may allow more of it on an instrumented binary.
  export TIDEGATE_SANITIZED=$preset
  suite ctest run_ctest "$preset"
  suite pytest run_pytest "$tree" tests/protocol tests/e2e
  suite "sanitizer reports" no_reports "$reports"
  conclude "$preset"
}

# no_reports DIRECTORY: shows what the sanitizers wrote, if anything.
no_reports() {
  local reports=("$1"/*) report
  if [ ! -e "${reports[0]}" ]; then
    say "no sanitizer report"
    return 0
  fi
  for report in "${reports[@]}"; do head -n 80 -- "$report" >&2; done
  say "${#reports[@]} sanitizer reports in $1"
  return 1
}

test_fuzz() {
  local seconds=${1:-60} source names=()
  if [ $# -gt 1 ] || ! [[ "$seconds" =~ ^[1-9][0-9]*$ ]]; then die_usage "'fuzz' takes a number of seconds (got: $*)"; fi
  for source in tests/fuzz/fuzz_*.cpp; do
    [ -f "$source" ] || die "there are no fuzz targets in tests/fuzz"
    source=${source##*/}
    names+=("${source%.cpp}")
  done
  need_packages build sanitize
  build_preset fuzz "${names[@]}"
  mkdir -p -- build/fuzz/logs build/fuzz/crashes
  say "${#names[@]} targets, $seconds s each, two at a time"
  fuzz_all "$seconds" "${names[@]}"
  fuzz_summary "${names[@]}"
}

# Runs the targets, two at a time. Each leaves its log and its exit code in build/fuzz/logs.
fuzz_all() {
  local seconds=$1 name running=0
  shift
  trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM
  for name in "$@"; do
    fuzz_one "$name" "$seconds" &
    running=$((running + 1))
    if [ "$running" -ge 2 ]; then
      wait -n || true
      running=$((running - 1))
    fi
  done
  wait
  trap - INT TERM
}

fuzz_one() {
  local name=$1 seconds=$2 status=0
  local log=build/fuzz/logs/$name found=build/fuzz/corpus/$name seeds=tests/fuzz/corpus/${name#fuzz_}
  local corpora=("$found") dictionary=()
  mkdir -p -- "$found"
  # New inputs go to the first directory, so the seeds in the repository stay as they are.
  if [ -d "$seeds" ]; then corpora+=("$seeds"); fi
  if [ -f "tests/fuzz/$name.dict" ]; then dictionary=("-dict=tests/fuzz/$name.dict"); fi
  # A target that hangs outside the fuzzed call is ended from outside.
  UBSAN_OPTIONS=print_stacktrace=1 ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-19/bin/llvm-symbolizer \
    timeout --kill-after=10 $((seconds + 120)) "build/fuzz/$name" "-max_total_time=$seconds" -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 "-artifact_prefix=build/fuzz/crashes/$name-" "${dictionary[@]}" \
    "${corpora[@]}" >"$log.log" 2>&1 || status=$?
  printf '%s\n' "$status" >"$log.exit"
}

fuzz_summary() {
  local name status failed=0 runs coverage
  for name in "$@"; do
    status=$(<"build/fuzz/logs/$name.exit")
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/logs/$name.log")
    coverage=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "build/fuzz/logs/$name.log" | tail -n 1)
    if [ "$status" -eq 0 ]; then
      say "$(printf '%-28s ok      %10s runs, %6s edges' "$name" "${runs:-?}" "${coverage:-?}")"
    else
      failed=$((failed + 1))
      say "$(printf '%-28s FAILED  exit code %s, the end of build/fuzz/logs/%s.log:' "$name" "$status" "$name")"
      tail -n 40 -- "build/fuzz/logs/$name.log" >&2
    fi
  done
  if [ "$failed" -gt 0 ]; then
    say "fuzz: FAILED in $failed of $# targets; inputs are in build/fuzz/crashes"
    return 1
  fi
  say "fuzz: $# targets, no report"
}
