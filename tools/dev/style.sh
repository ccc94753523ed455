# ./dev fmt and ./dev lint. Sourced by ./dev.
# shellcheck shell=bash

style_fmt() {
  local how
  case "$*" in
    '') how=(-i) ;;
    --check) how=(--dry-run -Werror) ;;
    *) die_usage "'fmt' takes only --check (got: $*)" ;;
  esac
  need_packages lint
  local list
  list=$(mktemp)
  own_files '*.h' '*.cpp' >"$list"
  # With --check clang-format names every place that it would change, and fails.
  if ! xargs -0 -r -n 16 -P "$(jobs_at_once)" clang-format-19 "${how[@]}" -- <"$list"; then
    rm -f -- "$list"
    die "the layout differs from .clang-format; ./dev fmt changes it"
  fi
  say "$(tr -cd '\0' <"$list" | wc -c) files have the layout of .clang-format"
  rm -f -- "$list"
}

style_lint() {
  need_packages build lint
  # clang's own warnings, as errors, and the compile commands that clang-tidy reads.
  build_preset clang
  local failed=() scripts=()
  clang-tidy-19 --verify-config || failed+=(.clang-tidy)
  if ! run-clang-tidy-19 -p build/clang -quiet -j "$(jobs_at_once)" '/(core|platform)/.*\.cpp$' >build/clang/tidy.log 2>&1; then
    grep -E -A 12 ' (warning|error): ' -- build/clang/tidy.log >&2 || tail -n 20 -- build/clang/tidy.log >&2
    failed+=(clang-tidy)
  fi
  mapfile -d '' -t scripts < <(own_files '*.sh' dev .ci/run tools/dev)
  shellcheck --external-sources -- "${scripts[@]}" || failed+=(shellcheck)
  (style_fmt --check) || failed+=(fmt)
  [ "${#failed[@]}" -eq 0 ] || die "lint: FAILED in: ${failed[*]}"
  say "lint: all passed"
}
