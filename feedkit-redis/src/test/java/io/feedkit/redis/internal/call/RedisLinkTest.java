package io.feedkit.redis.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A link that cannot be opened")
class RedisLinkTest {

    private static final int CONNECTIONS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RedisClient client = RedisClient.create(RedisServer.shared().uri());
    private final List<StatefulConnection<byte[], byte[]>> made = new ArrayList<>();
    private final List<Boolean> ended = new ArrayList<>();

    @AfterEach
    void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }

    /** Some connections succeed; then an error or an exception is thrown. */
    private ConnectionFactory failingAfter(int successes, Throwable failure) {
        return new ConnectionFactory(
                () -> {
                    if (made.size() == successes) {
                        RedisLinkTest.<RuntimeException>sneak(failure);
                    }
                    made.add(client.connect(ByteArrayCodec.INSTANCE));
                    return made.get(made.size() - 1);
                },
                () -> client.connectPubSub(ByteArrayCodec.INSTANCE),
                () -> {},
                false,
                ended::add);
    }

    private void assertNothingLeft() {
        assertThat(ended).containsExactly(true);
        assertThat(made).noneMatch(StatefulConnection::isOpen);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, CONNECTIONS - 1})
    @DisplayName("because of an error, or of an exception that nobody declared, leaves neither"
            + " connections nor a client behind")
    void errors(int successes) {
        for (Throwable failure : List.of(new NoClassDefFoundError("missing"), new InterruptedException("undeclared"))) {
            ConnectionFactory connections = failingAfter(successes, failure);
            assertThatThrownBy(() -> RedisLink.open(connections, TIMEOUT)).isSameAs(failure);
            assertNothingLeft();
            made.clear();
            ended.clear();
        }
    }

    @Test
    @DisplayName("because of Lettuce leaves nothing behind, and says so in FeedKit's words")
    void exceptions() {
        ConnectionFactory connections = failingAfter(1, new RedisException("no"));
        assertThatThrownBy(() -> RedisLink.open(connections, TIMEOUT)).isInstanceOf(StoreUnavailableException.class);
        assertNothingLeft();
    }

    @SuppressWarnings("unchecked") // so that it need not be declared
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }
}
