/**
 * FeedKit's test kit: compatibility kits for every interface of a backend, an oracle, fault injection and a model-based
 * test. Read io.feedkit.testkit first. It is open, since JUnit runs the kits' methods by reflection.
 */
@SuppressWarnings("NotJavadoc") // Error Prone does not know the comment of an open module.
open module io.feedkit.testkit {
    requires transitive io.feedkit.core;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static org.jspecify;

    exports io.feedkit.testkit;
    exports io.feedkit.testkit.fault;
    exports io.feedkit.testkit.forwarding;
    exports io.feedkit.testkit.model;
    exports io.feedkit.testkit.oracle;
}
