#!/usr/bin/env bash
# Proves that every gate of the build closes: breaks one rule at a time in a copy of the tracked files
# and expects the build to fail with that gate's message. Takes a few minutes.
#
#   support/check-gates.sh            all gates
#   support/check-gates.sh nullaway   only the gates whose name contains "nullaway"
set -euo pipefail

only="${1:-}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
tree="$work/tree"
pristine="$work/pristine"
log="$work/log"
core=feedkit-core/src/main/java/io/feedkit
network=(--offline)
missed=0

mkdir "$pristine"
git -C "$root" ls-files -z | (cd "$root" && xargs -0 sh -c 'for f; do if [ -e "$f" ]; then printf "%s\0" "$f"; fi; done' sh) |
    tar -C "$root" --null -T - -cf - | tar -C "$pristine" -xf -

reset_tree() {
    rm -rf "$tree"
    cp -a "$pristine" "$tree"
}

# A class in a @NullMarked package of the core; the body comes from standard input.
core_class() { # package (below io.feedkit, or empty), name
    local dir="$tree/$core${1:+/$1}"
    mkdir -p "$dir"
    { printf 'package io.feedkit%s;\n\n' "${1:+.${1//\//.}}" && cat; } >"$dir/$2.java"
    if [ ! -e "$dir/package-info.java" ]; then
        printf '/** A package. */\n@org.jspecify.annotations.NullMarked\npackage io.feedkit%s;\n' "${1:+.${1//\//.}}" \
            >"$dir/package-info.java"
    fi
}

# Replaces a fixed text in a file, and insists that it was there.
replace() { # file, old, new
    python3 - "$tree/$1" "$2" "$3" <<'PYTHON'
import pathlib, sys
path, old, new = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
text = path.read_text()
if old not in text:
    sys.exit(f"{path} does not contain {old!r}")
path.write_text(text.replace(old, new, 1))
PYTHON
}

maven() { (cd "$tree" && mvn --batch-mode --no-transfer-progress "$@") >"$log" 2>&1; }

jar_sums() { (cd "$tree" && find . -path '*/target/*.jar' -print0 | sort -z | xargs -0 sha256sum); }

# Builds the broken tree, and puts it back.
caught() { # gate, expected message (extended regular expression), Maven's arguments
    local gate="$1" message="$2"
    shift 2
    if maven "${network[@]}" "$@"; then
        echo "NOT CAUGHT  $gate: the build passed"
        missed=$((missed + 1))
    elif ! grep -Eq -- "$message" "$log"; then
        echo "NOT CAUGHT  $gate: the build failed, but not with: $message"
        grep -F '[ERROR]' "$log" | head -n 5 | sed 's/^/    /'
        missed=$((missed + 1))
    else
        echo "ok          $gate"
    fi
    reset_tree
}

wanted() { [[ "$1" == *"$only"* ]]; }

reset_tree
if ! maven verify; then
    tail -n 40 "$log"
    echo "The tree does not pass as it is; no gate was tried." >&2
    exit 1
fi
echo "ok          the tree as it is"
jar_sums >"$work/first"
reset_tree

if wanted reproducible-jars; then
    mv "$tree" "$work/elsewhere"
    tree="$work/elsewhere"
    if maven --offline -DskipTests package && jar_sums | diff "$work/first" - >"$log"; then
        echo "ok          reproducible-jars"
    else
        echo "NOT CAUGHT  reproducible-jars: two builds of the same sources differ"
        cat "$log"
        missed=$((missed + 1))
    fi
    tree="$work/tree"
    rm -rf "$work/elsewhere"
    reset_tree
fi

if wanted spotless-format; then
    core_class '' Seeded <<<$'/** Seeded. */\nfinal class Seeded {\n  private Seeded(){ }\n}'
    caught spotless-format 'format violations' -pl feedkit-core spotless:check@format
fi

if wanted spotless-unused-import; then
    core_class '' Seeded <<<$'import java.util.List;\n\nfinal class Seeded {\n    private Seeded() {}\n}'
    caught spotless-unused-import 'format violations' -pl feedkit-core spotless:check@format
fi

if wanted error-prone; then
    core_class '' Seeded <<'JAVA'
final class Seeded {
    private Seeded() {}

    static void run() {
        new IllegalStateException("never thrown");
    }
}
JAVA
    caught error-prone '\[DeadException\]' -pl feedkit-core compile
fi

if wanted error-prone-in-tests; then
    mkdir -p "$tree/feedkit-core/src/test/java/io/feedkit"
    cat >"$tree/feedkit-core/src/test/java/io/feedkit/SeededTest.java" <<'JAVA'
package io.feedkit;

class SeededTest {
    void run() {
        new IllegalStateException("never thrown");
    }
}
JAVA
    caught error-prone-in-tests '\[DeadException\]' -pl feedkit-core test-compile
fi

if wanted nullaway-return; then
    core_class '' Seeded <<'JAVA'
final class Seeded {
    private Seeded() {}

    static String run() {
        return null;
    }
}
JAVA
    caught nullaway-return '\[NullAway\] returning @Nullable' -pl feedkit-core compile
fi

if wanted nullaway-dereference; then
    core_class '' Seeded <<'JAVA'
import org.jspecify.annotations.Nullable;

final class Seeded {
    private Seeded() {}

    static int run(@Nullable String text) {
        return text.length();
    }
}
JAVA
    caught nullaway-dereference '\[NullAway\] dereferenced expression' -pl feedkit-core compile
fi

if wanted javac-lint; then
    core_class '' Seeded <<'JAVA'
final class Seeded {
    private Seeded() {}

    static java.util.List run() {
        return java.util.List.of();
    }
}
JAVA
    caught javac-lint 'found raw type' -pl feedkit-core compile
fi

if wanted doclint-broken-link; then
    core_class '' Seeded <<'JAVA'
/** Stands for {@link NoSuchType}. */
public final class Seeded {
    private Seeded() {}
}
JAVA
    caught doclint-broken-link 'reference not found' -pl feedkit-core compile
fi

if wanted doclint-missing; then
    core_class '' Seeded <<'JAVA'
public final class Seeded {
    private Seeded() {}
}
JAVA
    caught doclint-missing 'MissingJavadocType|no comment' -pl feedkit-core compile checkstyle:check@javadoc-present
fi

if wanted line-length; then
    core_class internal/read Seeded <<'JAVA'
/** A comment of more than 120 characters, which the formatter leaves as it is, and which nobody wants to read in a narrow window. */
final class Seeded {
    private Seeded() {}
}
JAVA
    caught line-length 'LineLength' -pl feedkit-core checkstyle:check@line-length
fi

if wanted doclint-missing-param; then
    core_class '' Seeded <<'JAVA'
/**
 * A pair.
 *
 * @param first the first
 */
public record Seeded(int first, int second) {}
JAVA
    caught doclint-missing-param 'missing @param second tag|no @param for second' \
        -pl feedkit-core compile checkstyle:check@javadoc-present
fi

arch() { # gate, name of the test method
    caught "$1" "ArchitectureTest.$2" -pl feedkit-core test -Dtest="ArchitectureTest#$2"
}

if wanted archunit-core-depends-on-little; then
    core_class '' Seeded <<'JAVA'
final class Seeded {
    private Seeded() {}

    static String run() {
        return javax.naming.Context.PROVIDER_URL.concat(javax.naming.InitialContext.class.getName());
    }
}
JAVA
    replace feedkit-core/src/main/java/module-info.java 'requires org.slf4j;' $'requires org.slf4j;\n    requires java.naming;'
    arch archunit-core-depends-on-little dependsOnLittle
fi

internal_class() {
    core_class internal/read SeededInternal <<'JAVA'
/** Seeded. */
public final class SeededInternal {
    /** Its name. */
    public static final Object NAME = new Object();

    private SeededInternal() {}
}
JAVA
}

using() { # what the class uses
    printf 'final class Seeded {\n    private Seeded() {}\n\n    static Object run() {\n        return %s;\n    }\n}\n' "$1"
}

if wanted archunit-packages-in-order; then
    internal_class
    using io.feedkit.internal.read.SeededInternal.NAME | core_class spi Seeded
    arch archunit-packages-in-order packagesInOrder
fi

if wanted archunit-internals-behind-the-door; then
    internal_class
    using io.feedkit.internal.read.SeededInternal.NAME | core_class seeded Seeded
    arch archunit-internals-behind-the-door internalsBehindTheDoor
fi

if wanted archunit-standard-streams; then
    using 'System.out' | core_class '' Seeded
    arch archunit-standard-streams logsThroughSlf4j
fi

if wanted archunit-java-util-logging; then
    using 'java.util.logging.Logger.getAnonymousLogger()' | core_class '' Seeded
    replace feedkit-core/src/main/java/module-info.java 'requires org.slf4j;' $'requires org.slf4j;\n    requires java.logging;'
    arch archunit-java-util-logging logsThroughSlf4j
fi

if wanted archunit-null-marked; then
    using '"x"' | core_class seeded Seeded
    printf '/** A package. */\npackage io.feedkit.seeded;\n' >"$tree/$core/seeded/package-info.java"
    arch archunit-null-marked everyPackageIsNullMarked
fi

if wanted archunit-disabled-test; then
    cat >"$tree/feedkit-core/src/test/java/io/feedkit/SeededTest.java" <<'JAVA'
package io.feedkit;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class SeededTest {
    @Test
    @Disabled("seeded")
    void run() {}
}
JAVA
    arch archunit-disabled-test noDisabledTests
fi

if wanted dependency-unused; then
    replace feedkit-examples/pom.xml '    <dependencies>' '    <dependencies>
        <dependency>
            <groupId>org.openjdk.jmh</groupId>
            <artifactId>jmh-core</artifactId>
            <version>1.37</version>
        </dependency>'
    caught dependency-unused 'Unused declared dependencies found' -pl feedkit-examples -am -DskipTests \
        package dependency:analyze-only@used-and-declared
fi

if wanted dependency-undeclared; then
    replace feedkit-core/pom.xml '<groupId>ch.qos.logback</groupId>
            <artifactId>logback-core</artifactId>' '<groupId>org.awaitility</groupId>
            <artifactId>awaitility</artifactId>'
    cat >"$tree/feedkit-core/src/test/java/io/feedkit/SeededTest.java" <<'JAVA'
package io.feedkit;

class SeededTest {
    Object run() {
        return ch.qos.logback.core.CoreConstants.EMPTY_STRING_ARRAY;
    }
}
JAVA
    caught dependency-undeclared 'Used undeclared dependencies found' -pl feedkit-core test-compile \
        dependency:analyze-only@used-and-declared
fi

if wanted enforcer-convergence; then
    replace feedkit-examples/pom.xml '    <dependencies>' '    <dependencies>
        <dependency>
            <groupId>ch.qos.logback</groupId>
            <artifactId>logback-classic</artifactId>
        </dependency>'
    # Without the parent's word for it, logback and core ask for different versions of slf4j.
    replace pom.xml '            <dependency>
                <groupId>org.slf4j</groupId>
                <artifactId>slf4j-api</artifactId>
                <version>${slf4j.version}</version>
            </dependency>
' ''
    replace feedkit-core/pom.xml '<artifactId>slf4j-api</artifactId>' '<artifactId>slf4j-api</artifactId>
            <version>${slf4j.version}</version>'
    network=()
    caught enforcer-convergence 'DependencyConvergence failed' -pl feedkit-examples -am -DskipTests \
        package enforcer:enforce@dependencies
    network=(--offline)
fi

if wanted enforcer-core-dependencies; then
    replace feedkit-core/pom.xml '    <dependencies>' '    <dependencies>
        <dependency>
            <groupId>info.picocli</groupId>
            <artifactId>picocli</artifactId>
        </dependency>'
    caught enforcer-core-dependencies 'BannedDependencies failed' -pl feedkit-core enforcer:enforce@core-dependencies
fi

if wanted enforcer-plugin-versions; then
    replace pom.xml '<artifactId>maven-site-plugin</artifactId>
                    <version>3.21.0</version>' '<artifactId>maven-site-plugin</artifactId>'
    caught enforcer-plugin-versions 'RequirePluginVersions failed' -N enforcer:enforce@dependencies
fi

if wanted enforcer-java; then
    replace pom.xml '<version>[17,)</version>' '<version>[99,)</version>'
    caught enforcer-java 'RequireJavaVersion failed' -N validate
fi

if wanted enforcer-maven; then
    replace pom.xml '<version>[3.8,)</version>' '<version>[99,)</version>'
    caught enforcer-maven 'RequireMavenVersion failed' -N validate
fi

if wanted reproducible-timestamp; then
    sed -i '/project.build.outputTimestamp>/d' "$tree/pom.xml"
    caught reproducible-timestamp 'Reproducible Build not activated' -pl feedkit-core artifact:check-buildplan@reproducible
fi

if wanted reproducible-plugins; then
    replace pom.xml '<artifactId>maven-jar-plugin</artifactId>
                    <version>3.5.1</version>' '<artifactId>maven-jar-plugin</artifactId>
                    <version>3.1.2</version>'
    network=()
    caught reproducible-plugins 'plugin with non-reproducible output' -pl feedkit-core artifact:check-buildplan@reproducible
    network=(--offline)
fi

if [ "$missed" -ne 0 ]; then
    echo "$missed not caught" >&2
    exit 1
fi
