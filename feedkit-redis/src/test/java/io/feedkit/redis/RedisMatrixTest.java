package io.feedkit.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedkit.testservers.RedisProgram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compatibility kits on the servers of the full build. */
@Tag("matrix")
class RedisMatrixTest {

    @ParameterizedTest
    @ValueSource(strings = {"redis-server", "valkey-server"})
    @DisplayName("the server is installed; the test is skipped if it is not")
    void installed(String program) {
        assumeTrue(
                RedisProgram.all().stream()
                        .filter(found -> !found.equals(RedisProgram.embedded()))
                        .anyMatch(found -> found.path().endsWith(program)),
                () -> program + " is not on the PATH");
    }

    @Nested
    class Feeds extends RedisFeedStoreCompatibilityTest {
        Feeds(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Outboxes extends RedisOutboxCompatibilityTest {
        Outboxes(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Logs extends RedisFanoutLogCompatibilityTest {
        Logs(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Registers extends RedisPulledRegisterCompatibilityTest {
        Registers(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Inboxes extends RedisInboxCompatibilityTest {
        Inboxes(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Graphs extends RedisFollowGraphCompatibilityTest {
        Graphs(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Marks extends RedisSeenMarksCompatibilityTest {
        Marks(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Ranks extends RedisRankSnapshotsCompatibilityTest {
        Ranks(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Presences extends RedisPresenceStoreCompatibilityTest {
        Presences(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Counters extends RedisCounterStoreCompatibilityTest {
        Counters(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Buses extends RedisLiveBusCompatibilityTest {
        Buses(Topology topology) {
            super(topology);
        }
    }

    @Nested
    class Refusals extends RefusalsTest {
        Refusals(RedisProgram program) {
            super(program);
        }
    }
}
