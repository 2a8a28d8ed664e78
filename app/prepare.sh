# Sourced by app/run, tests/run and .ci/run: installs what is missing, builds what has changed.
# Expects `root`, the folder of the project.

say() { printf 'lockstep: %s\n' "$*" >&2; }

# The packages of app/packages.txt, one a line.
listedPackages() { grep -Ev '^[[:space:]]*(#|$)' "$root/app/packages.txt"; }

# Those of the named packages that are not installed.
missingPackages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# Runs a command in silence; its last lines are shown if it fails.
quietly() {
    local log="$root/build/$1.log"
    shift
    mkdir -p "$root/build"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 60 "$log" >&2
        say "failed: $*; all of its output is in $log"
        return 1
    fi
}

# Installs the named packages that are missing; does nothing, and asks nobody, when all are there.
installPackages() {
    if ! command -v dpkg-query >/dev/null; then
        say "no Debian system: the equivalents of app/packages.txt must be installed by hand"
        return 0
    fi
    local missing
    mapfile -t missing < <(missingPackages "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    local asRoot=(env DEBIAN_FRONTEND=noninteractive)
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "please install, as root: apt-get install ${missing[*]}"
            return 1
        fi
        asRoot=(sudo env DEBIAN_FRONTEND=noninteractive)
    fi
    say "installing ${missing[*]}"
    # A foreign package source that does not answer is no reason to stop: the install itself will tell.
    quietly apt-update "${asRoot[@]}" apt-get update || true
    quietly apt-install "${asRoot[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
}

# Configures preset $1 where that has not been done in this folder, then builds the named targets (all if none is named).
buildPreset() {
    local preset="$1" folder="$root/build/$1"
    shift
    # A build folder that came with a copy of the project belongs to the original.
    if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        rm -rf "$folder"
    fi
    if [ ! -f "$folder/build.ninja" ]; then
        say "building preset $preset: this takes some minutes the first time"
        (cd "$root" && quietly "configure-$preset" cmake --preset "$preset") || return 1
    fi
    local targets=()
    [ "$#" -eq 0 ] || targets=(--target "$@")
    quietly "build-$preset" cmake --build "$folder" "${targets[@]}"
}
