package io.feedkit.bench;

import io.feedkit.bench.core.CoreSuite;
import java.util.List;
import java.util.Optional;

/** The register of suites. A new one is a line here. */
final class Suites {

    private static final List<Suite> ALL = List.of(CoreSuite.create());

    private Suites() {}

    static Optional<Suite> named(String name) {
        return ALL.stream().filter(suite -> suite.name().equals(name)).findFirst();
    }

    static List<String> names() {
        return ALL.stream().map(Suite::name).toList();
    }
}
