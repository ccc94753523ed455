# What all pieces of ./dev share. Sourced by ./dev, which has set $root and works in it.
# shellcheck shell=bash disable=SC2154 # root comes from ./dev

say() { printf './dev: %s\n' "$*" >&2; }

die() {
  say "$@"
  exit 1
}

die_usage() {
  say "$@"
  exit 2
}

takes_no_arguments() {
  local command=$1
  shift
  [ $# -eq 0 ] || die_usage "'$command' takes no arguments (got: $*)"
}

# How many compilers or checkers run at once.
jobs_at_once() { printf '%s' "${JOBS:-$(nproc)}"; }

# The project's own C++ and shell files, NUL between them: tracked ones and new ones that are not ignored.
own_files() {
  # safe.directory: root may run this in a clone that belongs to a user.
  local git=(git -c "safe.directory=$root") file
  if "${git[@]}" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    "${git[@]}" ls-files -z --cached --others --exclude-standard -- "$@" | while IFS= read -r -d '' file; do
      if [ -f "$file" ]; then printf '%s\0' "$file"; fi
    done
  else
    die "this needs a git checkout (git ls-files): run it in a clone, with git installed and allowed to read it"
  fi
}
