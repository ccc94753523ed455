# Configure and build one preset of CMakePresets.json into build/PRESET. Sourced by ./dev.
# shellcheck shell=bash disable=SC2154 # root comes from ./dev

# build_preset PRESET [TARGET...]: quiet when all is well; shows what the tools said when it is not.
build_preset() {
  local preset=$1
  local tree=build/$preset lock fresh=()
  shift
  mkdir -p -- "$tree" || die "cannot write to $root/build: who owns it? (a run as root leaves root's files there)"
  # Two builds in one tree destroy each other's work; the second waits.
  exec {lock}>"$tree/.lock"
  if ! flock -n "$lock"; then
    say "another build of '$preset' is running; waiting for it"
    flock "$lock"
  fi
  # A checkout that was moved cannot use what the old place configured.
  if [ -f "$tree/CMakeCache.txt" ] && ! grep -qxF -- "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$tree/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  if ! cmake "${fresh[@]}" --preset "$preset" >"$tree/configure.log" 2>&1; then
    cat -- "$tree/configure.log" >&2
    die "cmake could not configure the preset '$preset'"
  fi
  cmake --build "$tree" --parallel "$(jobs_at_once)" ${1:+--target "$@"} || die "the build of '$preset' failed"
  exec {lock}>&-
}

build_product() {
  need_packages build
  build_preset release tidegate
  [ -x build/release/tidegate ] || die "the build ended without build/release/tidegate"
  say "built build/release/tidegate"
}
