package io.feedkit.cassandra;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedkit.testservers.CassandraServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InstalledTest {

    @Test
    @DisplayName(
            "Without a JDK 17 or 11 for the server, nothing of feedkit-cassandra is tested: -Dfeedkit.cassandra.jdk")
    void installed() {
        assumeThat(CassandraServer.isInstalled()).isTrue();
    }
}
