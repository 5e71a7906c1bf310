package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("matrix")
@DisplayName("User and password in an address")
@Timeout(300)
class CredentialsTest {

    private static final int READERS = 100;

    private record Place(String hosts, String master, List<RedisServer> servers) {

        static Place of(String uri, List<RedisServer> servers) {
            int end = uri.contains("#") ? uri.indexOf('#') : uri.length();
            return new Place(uri.substring(0, end), uri.substring(end), servers);
        }

        String uri(String user, String password) {
            return hosts.replace("://", "://" + user + ":" + password + "@") + "?clientName=" + user + master;
        }

        List<RedisServer> masters() {
            return servers.stream()
                    .filter(server -> server.ask("INFO", "replication").contains("role:master"))
                    .toList();
        }
    }

    /** The users of a client's connections, as the server knows them. */
    private static List<String> users(RedisServer server, String client) {
        return server.ask("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains(" name=" + client + " "))
                .map(line -> line.replaceAll(".* user=(\\S+).*", "$1"))
                .toList();
    }

    private static Stream<Named<Place>> places() {
        RedisSentinels sentinels = RedisSentinels.shared(RedisProgram.embedded());
        RedisCluster cluster = RedisCluster.shared(RedisProgram.embedded());
        return Stream.of(
                named("sentinels", Place.of(sentinels.uri(), List.of(sentinels.master(), sentinels.replica()))),
                named("cluster", Place.of(cluster.uri(), cluster.nodes())));
    }

    @ParameterizedTest
    @MethodSource("places")
    @DisplayName("are those of the connections to every master, and need rights to the prefix's keys alone")
    void used(Place place) {
        String prefix = TestInboxes.newPrefix();
        String user = "user-of-" + prefix;
        place.servers()
                .forEach(server -> server.ask("ACL", "SETUSER", user, "on", ">secret", "~" + prefix + ":*", "+@all"));
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(place.uri(user, "secret")))
                        .prefix(prefix)
                        .build();
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            List<String> readers =
                    IntStream.range(0, READERS).mapToObj(n -> "reader-" + n).toList();
            readers.forEach(reader -> feed.follow(reader, "bob"));
            feed.publish("bob", "p1");
            feed.fanout().drain();
            for (String reader : readers) {
                assertThat(feed.read(reader, PageRequest.first(10)).items()).hasSize(1);
            }
            assertThat(place.masters())
                    .isNotEmpty()
                    .allSatisfy(master ->
                            assertThat(users(master, user)).isNotEmpty().containsOnly(user));
        }
        assertThatThrownBy(() -> RedisFeedStore.create(RedisServers.at(place.uri(user, "wr0ng"))))
                .isInstanceOfSatisfying(
                        UnusableServerException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.ACCESS_DENIED))
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("wr0ng");
        place.servers().forEach(server -> server.ask("ACL", "DELUSER", user));
    }
}
