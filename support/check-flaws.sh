#!/usr/bin/env bash
# Proves that the tests notice a wrong backend: seeds one flaw at a time in a copy of the tracked files and
# expects the backend's tests to fail. A flaw takes about 15 seconds on two processors, all of them ten minutes.
#
#   support/check-flaws.sh                    all flaws
#   support/check-flaws.sh redis              only the flaws whose name contains "redis"
#   support/check-flaws.sh redis/lost-entry   one flaw
#   support/check-flaws.sh --texts            only checks that each flaw's text is in the code once, in seconds
#
# The flaws are in support/flaws, a file for each backend, one for the engine, and one for counters. Each flaw names the test class that should notice it,
# which is a compatibility kit's in all but a few cases. That class runs first. If it passes, all compatibility
# kits of the backend run, on every database of the default build. If these pass, too, all other tests of the
# backend run, except those in packages named "survival". A run ends at the first test that fails; a line "ok"
# names that test. The class that should notice a flaw has to pass without it.
set -euo pipefail

only="${1:-}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
tree="$work/tree"
built="$work/built"
log="$work/log"
short_lived=-XX:TieredStopAtLevel=1
missed=0
tried=0

# Compiles what changed in the tree, and runs tests of the backend until one fails. A flaw may be badly formatted.
tests() { # which tests, as for surefire's "test"
    (cd "$tree" && MAVEN_OPTS="${MAVEN_OPTS:-} $short_lived" timeout --foreground --kill-after=30 1200 \
        mvn --batch-mode --no-transfer-progress --offline --quiet --projects "$module" --also-make test \
        -Dspotless.check.skip -Dcheckstyle.skip -Denforcer.skip -Dmdep.analyze.skip \
        -Dtest="$1" -Dsurefire.failIfNoSpecifiedTests=false -Dsurefire.skipAfterFailureCount=1 \
        -Dmaven.compiler.useIncrementalCompilation=false -Dfeedkit.test.argLine="-Xmx1g $short_lived") >"$log" 2>&1
}

# The first test that failed, as Class$Nested#method, or nothing.
first_failure() {
    sed -nE 's/^\[ERROR\] +io\.feedkit\.(.*) -- Time elapsed: .* <<< (FAILURE|ERROR)!$/\1/p' "$log" |
        sed -nE '1{s/^([a-z0-9]+\.)*//;s/\.([^.(]+)(\(.*)?$/#\1/;p}'
}

first_errors() {
    grep -F '[ERROR]' "$log" | sed -n '1,10s/^/    /p' || true
}

# Replaces a fixed text in a file, and insists that it is there once.
replace() { # file, old, new
    python3 - "$tree/$1" "$2" "$3" <<'PYTHON'
import pathlib, sys
path, old, new = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
text = path.read_text()
if text.count(old) != 1:
    sys.exit(f"{path} contains {text.count(old)} times {old!r}")
path.write_text(text.replace(old, new))
PYTHON
}

# Says which backend the following flaws are of.
backend() { # name, module whose tests run, all its tests
    name="$1"
    module="$2"
    everything="$3"
    proven=' '
}

reset_tree() {
    rm -rf "$tree"
    cp -a "$built" "$tree"
}

# Runs a test class without a flaw, once, and keeps what was compiled.
require_sound() { # test class
    if [[ "$proven" == *" $1 "* ]]; then
        return
    fi
    reset_tree
    if ! tests "$1"; then
        first_errors
        echo "$1 fails without a flaw; no further flaw was tried." >&2
        exit 1
    fi
    proven="$proven$1 "
    rm -rf "$built"
    mv "$tree" "$built"
}

# Begins a flaw, if it is wanted.
flaw() { # name, test class that should notice
    if [[ "$name/$1" != *"$only"* ]]; then
        return 1
    fi
    flaw="$name/$1"
    test="$2"
    require_sound "$test"
    reset_tree
}

not_caught() { # why
    echo "NOT CAUGHT  $flaw: $1"
    missed=$((missed + 1))
}

# Runs the tests against the flaw.
caught() {
    local selection first began="$SECONDS"
    tried=$((tried + 1))
    for selection in "$test" '*CompatibilityTest' "$everything"; do
        if tests "$selection"; then
            continue
        fi
        first="$(first_failure)"
        if [ -n "$first" ]; then
            printf 'ok          %-30s  %s  (%d s)\n' "$flaw" "$first" $((SECONDS - began))
        else
            not_caught 'the build failed, but no test did'
            first_errors
        fi
        return
    done
    not_caught 'all tests passed'
}

if [ "$only" = --texts ]; then
    tree="$root"
    flaw() { # name, test class that should notice
        flaw="$name/$1"
    }
    replace() { # file, old, new
        python3 - "$tree/$1" "$2" "$flaw" <<'PYTHON' || missed=$((missed + 1))
import pathlib, sys
path, old, flaw = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
times = path.read_text().count(old) if path.exists() else 0
if times != 1:
    sys.exit(f"{flaw}: {path} contains {times} times {old!r}")
PYTHON
    }
    caught() {
        tried=$((tried + 1))
    }
    for flaws in "$root"/support/flaws/*.sh; do
        # shellcheck source=/dev/null
        source "$flaws"
    done
    echo "$tried flaws, $missed texts not in the code once"
    exit $((missed > 0))
fi

mkdir "$built"
git -C "$root" ls-files -z | (cd "$root" && xargs -0 sh -c 'for f; do if [ -e "$f" ]; then printf "%s\0" "$f"; fi; done' sh) |
    tar -C "$root" --null -T - -cf - | tar -C "$built" -xf -

# Error Prone takes most of a compilation's time, and the flaws are not about warnings.
sed -i -e '/-Xplugin:ErrorProne/d' -e '/<failOnWarning>/d' "$built/pom.xml"

for flaws in "$root"/support/flaws/*.sh; do
    # shellcheck source=/dev/null
    source "$flaws"
done

if [ "$tried" -eq 0 ]; then
    echo "No flaw's name contains $only." >&2
    exit 1
fi
if [ "$missed" -ne 0 ]; then
    echo "$missed of $tried not caught" >&2
    exit 1
fi
