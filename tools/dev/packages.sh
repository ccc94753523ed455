# Distribution packages: which are missing, and installing them. Sourced by ./dev.
# The lists are data: tools/packages/GROUP.txt, one package a line; bench/macro/packages.txt for the benchmarks.
# shellcheck shell=bash

package_groups=(build test sanitize lint bench)

package_list_file() {
  if [ "$1" = bench ]; then printf 'bench/macro/packages.txt'; else printf 'tools/packages/%s.txt' "$1"; fi
}

# The packages of the groups, one a line, each once.
packages_of() {
  local group file
  for group in "$@"; do
    file=$(package_list_file "$group")
    [ -f "$file" ] || die "the package list $file is missing"
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$file"
  done | sort -u
}

# Of the packages given, those that are not installed, one a line.
packages_missing() {
  # dpkg-query fails when it does not know one of the names; what it prints about the others counts.
  { dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } |
    sed -n 's/^installed //p' | { grep -vxF -f - <(printf '%s\n' "$@") || true; }
}

# Prints why packages cannot be installed here, or nothing when they can.
why_not_install() {
  if ! command -v apt-get >/dev/null; then
    printf 'there is no apt-get on this system'
  elif [ "$(id -u)" -eq 0 ]; then
    return 0
  elif ! command -v sudo >/dev/null; then
    printf 'you are not root and there is no sudo'
  elif ! sudo -n true 2>/dev/null && [ ! -t 0 ]; then
    printf 'sudo asks for a password and there is no terminal to ask on'
  fi
}

# need_packages GROUP...: installs what is missing of these groups, or says what is missing and what to do.
need_packages() {
  [ "${TIDEGATE_SKIP_INSTALL:-}" != 1 ] || return 0
  local list wanted missing reason
  list=$(packages_of "$@") || exit 1
  [ -n "$list" ] || die "the package lists of '$*' are empty"
  mapfile -t wanted <<<"$list"
  if ! command -v dpkg-query >/dev/null; then
    say "this system has no Debian packages, so I cannot see what is installed."
    say "needed, by their Debian 12 names: ${wanted[*]}"
    die "install their equivalents, then run ./dev with TIDEGATE_SKIP_INSTALL=1"
  fi
  mapfile -t missing < <(packages_missing "${wanted[@]}")
  [ "${#missing[@]}" -gt 0 ] || return 0
  reason=$(why_not_install)
  if [ -n "$reason" ]; then
    say "missing packages: ${missing[*]}"
    say "I cannot install them: $reason."
    die "as root run: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "installing ${#missing[@]} missing packages: ${missing[*]}"
  if ! as_root bash tools/dev/apt_install "${missing[@]}"; then
    say "missing packages: ${missing[*]}"
    die "apt-get could not install them (its last words are above): check the network and /etc/apt/sources.list*"
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

packages_install() {
  local group
  if [ $# -eq 0 ]; then set -- build test; fi
  if [ "$*" = all ]; then set -- "${package_groups[@]}"; fi
  for group in "$@"; do
    [[ " ${package_groups[*]} " == *" $group "* ]] || die_usage "'install': there is no package group '$group' (${package_groups[*]}, all)"
  done
  need_packages "$@"
  say "everything of: $* is installed"
}
