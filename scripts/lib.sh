# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside it.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The folders of the RTL, and all its files, by rtl/flitcast.f.
rtl_folders() { sed -n "s|^-y |$root/rtl/|p" "$root/rtl/flitcast.f"; }
rtl_files() { rtl_folders | while read -r folder; do printf '%s\n' "$folder"/*.sv; done; }

# The designs of the Clos controller, a line "NUMBER NAME" each.
clos_designs() {
  sed -nE 's/.*\(Design == ([0-9]+)\) begin : gen_(.*)/\1 \2/p' "$root/rtl/clos_search/flitcast_clos_search.sv"
}

# none_skipped REPORT: fails and names the skipped tests if the report of ctest --output-junit has any. Without dpkg-query, where
# scripts/setup installs no packages, tests may be skipped.
none_skipped() {
  local skipped
  [[ -e $1 ]] && command -v dpkg-query >/dev/null || return 0
  skipped=$(sed -nE 's/.*<testcase name="([^"]*)".* status="notrun".*/  \1/p' "$1")
  [[ -n $skipped ]] || return 0
  say "tests were skipped; scripts/setup should install what they need:"$'\n'"$skipped"
  return 1
}

# forgive_leaks PROGRAM: turns the search for leaks off if it ends PROGRAM, as it does where processes may not be traced.
forgive_leaks() {
  if "$1" --help 2>&1 | grep -q 'LeakSanitizer has encountered a fatal error'; then
    say "processes may not be traced here; leaks are not looked for"
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    export ASAN_OPTIONS
  fi
}

say() { printf 'flitcast: %s\n' "$*" >&2; }

# Prints the comment block at the top of the script FILE: its help text.
help_of() { sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$1"; }

# build PRESET [ARGS of ninja]: configures build/PRESET unless it is newer than the presets, and builds what is out of date.
# Writes to standard error only, and little unless something fails.
build() {
  local preset=$1 folder=$root/build/$1 status=0
  shift
  mkdir -p "$folder"
  exec 9>"$folder/.lock"
  flock 9
  [[ -e $folder/build.ninja && ! $root/CMakePresets.json -nt $folder/build.ninja ]] ||
    logged "configuring build/$preset" "$folder/configure.log" cmake -S "$root" --preset "$preset" || status=$?
  if ((status == 0)) && ! ninja -C "$folder" -n "$@" | grep -q 'no work to do'; then
    logged "building build/$preset" "$folder/build.log" ninja -C "$folder" "$@" || status=$?
  fi
  exec 9>&-
  return $status
}

# logged WHAT LOG COMMAND...: runs COMMAND in the top folder with its output in LOG; on a terminal it shows
# ninja's one-line progress instead. A failure shows the end of LOG.
logged() {
  local what=$1 log=$2
  shift 2
  say "$what"
  cd "$root" || return
  if [[ -t 2 && $1 == ninja ]]; then
    "$@" 9>&- >&2
  elif ! "$@" 9>&- >"$log" 2>&1; then
    grep -vE '^(\[|/[^ ]*(cmake|ccache) )|warnings? generated' "$log" | tail -n 200 >&2
    say "$what failed; its output is in $log"
    return 1
  fi
}
