package io.feedkit.examples.microblog.clients;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Scripts for Node. Their packages are in the folder that FEEDKIT_NODE_CLIENTS names, or in target/ci-clients of the
 * project, where .ci/run installs what src/test/clients/package.json lists.
 */
final class NodeScripts {

    private static final Path PACKAGES = Path.of(Script.setting("FEEDKIT_NODE_CLIENTS", "../../target/ci-clients"))
            .toAbsolutePath();

    private NodeScripts() {}

    static void assume(String library) throws InterruptedException {
        assumeThat(Script.succeeds("node", "--version")).as("node can be run").isTrue();
        assumeThat(Files.isDirectory(PACKAGES.resolve("node_modules").resolve(library)))
                .as("%s is in %s", library, PACKAGES)
                .isTrue();
    }

    static Map<String, String> variables() {
        return Map.of("MICROBLOG_NODE_CLIENTS", PACKAGES.toString());
    }
}
