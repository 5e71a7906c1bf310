#!/usr/bin/env bash
# Rehearses a release: builds HEAD twice in fresh clones, compares the builds, checks what they staged, and runs a host that
# has only the staged modules and Maven Central. Nothing is published or installed. Needs git, gpg, python3, zip and
# Maven Central; takes about eight minutes on two processors.
#
#   support/check-release.sh
#
# Each check has to fail once: a copy of the staged files is broken, and the check is expected to say how.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
work="$(mktemp -d)"
export GNUPGHOME="$work/keys"
at_the_end() {
    gpgconf --kill all || true
    rm -rf "$work"
}
trap at_the_end EXIT
log="$work/log"
missed=0

snapshot="$(sed -n 's#.*<version>\(.*-SNAPSHOT\)</version>.*#\1#p' "$root/pom.xml" | head -n 1)"
version="${snapshot%-SNAPSHOT}"
if [ -z "$version" ]; then
    echo "The version in pom.xml is no snapshot; check a release before its version is set." >&2
    exit 1
fi
if [ -n "$(git -C "$root" status --porcelain)" ]; then
    echo "note        changes that are not committed are not checked"
fi

maven() { # directory, Maven's arguments
    (cd "$1" && shift && mvn --batch-mode --no-transfer-progress "$@") >"$log" 2>&1
}

fails() { # what failed
    echo "FAILED      $1"
    tail -n 40 "$log"
    exit 1
}

staging() { # what, directories
    python3 "$root/support/release/staging.py" "$@" >"$log" 2>&1
}

# Expects a command to fail with a message.
caught() { # check, expected message (extended regular expression), command
    local check="$1" message="$2"
    shift 2
    if "$@"; then
        echo "NOT CAUGHT  $check: it passed"
        missed=$((missed + 1))
    elif ! grep -Eq -- "$message" "$log"; then
        echo "NOT CAUGHT  $check: it failed, but not with: $message"
        tail -n 5 "$log" | sed 's/^/    /'
        missed=$((missed + 1))
    else
        echo "ok          $check"
    fi
}

# A clone as a release has it, except for the address.
clone() { # name
    git clone --quiet "file://$root" "$work/$1"
    (
        cd "$work/$1"
        git grep -lz --fixed-strings "$snapshot" | xargs -0 sed -i "s/${snapshot//./\\.}/$version/g"
        sed -i 's#https://feedkit\.invalid#https://feedkit.example#' pom.xml support/feedkit-bom/pom.xml
    )
}

# The key of this trial only.
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'Trial <trial@feedkit.example>' ed25519 sign 0 2>"$log" || fails key
MAVEN_GPG_KEY="$(gpg --batch --armor --export-secret-keys)"
export MAVEN_GPG_KEY

clone first
maven "$work/first" -Prelease -Dmaven.test.skip deploy || fails build
first="$work/first/target/staging"
echo "ok          build ($(du -sh "$first" | cut -f 1))"

staging complete "$first" || fails complete
echo "ok          complete: $(tail -n 1 "$log")"

# Elsewhere, at another hour, for a user who shares files with a group. (Under umask 077 the sources and Javadoc jars differ.)
(
    umask 002
    clone second-of-two-builds
    export TZ=Pacific/Auckland LC_ALL=C
    maven "$work/second-of-two-builds" -Prelease -Dmaven.test.skip deploy
) || fails 'second build'
staging same "$first" "$work/second-of-two-builds/target/staging" || fails reproducible
echo "ok          reproducible: $(tail -n 1 "$log")"

# A host, with an empty local repository.
consumer="$work/consumer"
cp -r "$root/support/release/consumer" "$consumer"
host() { # staging repository, Maven's arguments
    local repository="$1"
    shift
    maven "$consumer" -Dmaven.repo.local="$work/repository" -Dstaging="$repository" -Dfeedkit.version="$version" "$@"
}
run() { # Java's arguments
    (cd "$consumer/target" && java "$@") >"$log" 2>&1 && grep -q '^in memory: post-1 of bob$' "$log" && grep -q '^in H2: post-2 of bob$' "$log"
}
host "$first" package || fails 'consumer: build'
echo "ok          consumer: build"
run -cp "classes:libraries/*" io.feedkit.consumer.Main || fails 'consumer: class path'
echo "ok          consumer: class path"
run -p classes:libraries -m io.feedkit.consumer/io.feedkit.consumer.Main && grep -q '^module io.feedkit.consumer$' "$log" || fails 'consumer: module path'
echo "ok          consumer: module path"

# All published modules in one project: each has to be found with all that it needs.
modules="$(sed -n 's#.*<artifactId>\(feedkit-.*\)</artifactId>#\1#p' "$first/io/feedkit/feedkit-bom/$version/feedkit-bom-$version.pom" | grep -v '^feedkit-bom$')"
for module in $modules; do
    grep -q "<artifactId>$module<" "$consumer/pom.xml" || printf '<dependency><groupId>io.feedkit</groupId><artifactId>%s</artifactId></dependency>\n' "$module"
done >"$work/dependencies"
sed -i "/<artifactId>h2</,/<\/dependency>/{/<\/dependency>/r $work/dependencies
}" "$consumer/pom.xml"
host "$first" dependency:resolve || fails 'consumer: all modules'
echo "ok          consumer: all modules ($(echo "$modules" | wc -w))"

# The API of a later version against the staged one, which stands for the last release.
rm -r "$work/repository/io/feedkit"
cp -r "$first/io" "$work/repository/"
git clone --quiet "file://$root" "$work/later"
api=feedkit-core/src/main/java/io/feedkit
compare() {
    maven "$work/later" -pl feedkit-core -Dmaven.test.skip \
        -Dmaven.repo.local="$work/repository" -Dfeedkit.compare="$version" verify
}
sed -i 's/PageRequest from(Collection/PageRequest from(java.util.List/' "$work/later/$api/PageRequest.java"
compare || fails 'compatible API'
echo "ok          compatible API: a beta method may change"
sed -i 's/FanoutPolicy pull()/FanoutPolicy pulls()/' "$work/later/$api/fanout/FanoutPolicy.java"
caught 'incompatible API' 'METHOD_REMOVED|pull\(\)' compare
version=99.99.99 caught 'no release to compare with' '99\.99\.99' compare

# Each check once more, against a fault that it has to find.
broken="$work/broken"
break_staging() {
    rm -rf "$broken"
    cp -a "$first" "$broken"
    cd "$broken/io/feedkit"
}
core="feedkit-core/$version/feedkit-core-$version"
parent="feedkit-parent/$version/feedkit-parent-$version"
incomplete() { # check, expected message
    cd "$work"
    caught "$1" "$2" staging complete "$broken"
}

for file in .jar -sources.jar -javadoc.jar -cyclonedx.json .pom; do
    break_staging
    rm "$core$file"
    incomplete "missing $file" '^feedkit-core has no '
    break_staging
    rm "$core$file.asc"
    incomplete "missing $file.asc" "^feedkit-core-$version$file has no signature"
    break_staging
    printf ' ' >>"$core$file"
    incomplete "forged $file" "^the signature of feedkit-core-$version$file is not valid"
done
for file in .jar -sources.jar; do
    break_staging
    zip --quiet --delete "$core$file" META-INF/LICENSE
    incomplete "no licence in $file" "^feedkit-core-$version$file has no licence"
done
for name in name description; do
    break_staging
    sed -i "0,/<$name>/s#^    <$name>.*##" "$core.pom"
    incomplete "POM without $name" "^the POM of feedkit-core has no $name"
done
for name in url licenses developers scm; do
    break_staging
    sed -i -e "s#^    <$name>.*</$name>##" -e "/^    <$name[ >]/,/^    <\/$name>/d" "$parent.pom"
    incomplete "parent without $name" "^the POM of feedkit-core has no $name"
done
break_staging
sed -i 's/feedkit\.example/feedkit.invalid/' "$parent.pom"
incomplete 'no public address' '^url in the POM of feedkit-core is no public address: https://feedkit.invalid'
break_staging
cp -r feedkit-core feedkit-tools
incomplete 'unpublished module staged' '^feedkit-tools is staged, but is not in feedkit-bom'
break_staging
rm -r feedkit-kafka
incomplete 'published module not staged' '^feedkit-kafka has no jar'

break_staging
cd "$work"
python3 - "$broken/io/feedkit/$core.jar" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as jar:
    entries = [(entry, jar.read(entry)) for entry in jar.infolist()]
entries[0][0].date_time = (2026, 1, 2, 3, 4, 6)
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as jar:
    for entry, content in entries:
        jar.writestr(entry, content)
PYTHON
caught 'timestamp in a jar' "^two builds differ in io/feedkit/$core.jar: META-INF/" staging same "$first" "$broken"

break_staging
cd "$work"
rm -r "$broken/io/feedkit/feedkit-jdbc" "$work/repository/io/feedkit/feedkit-jdbc"
caught 'consumer without feedkit-jdbc' 'Could not find artifact io.feedkit:feedkit-jdbc' host "$broken" package

git -C "$work/first" checkout --quiet -- pom.xml
caught 'profile release without an address' 'Set feedkit.url in pom.xml' maven "$work/first" -N -Prelease -Dmaven.test.skip validate

if [ "$missed" -ne 0 ]; then
    echo "$missed not caught" >&2
    exit 1
fi
