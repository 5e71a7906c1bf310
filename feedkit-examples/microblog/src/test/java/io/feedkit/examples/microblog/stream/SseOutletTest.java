package io.feedkit.examples.microblog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

@DisplayName("An outlet of server-sent events")
class SseOutletTest {

    /** A connection whose client reads, or does not. */
    private static final class Connection extends ServletOutputStream {

        private final StringBuilder sent = new StringBuilder();
        private final StringBuilder written = new StringBuilder();
        private boolean ready = true;

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int value) {
            requireReady();
            written.append((char) value);
        }

        @Override
        public void write(byte[] bytes) {
            requireReady();
            written.append(new String(bytes, StandardCharsets.UTF_8));
        }

        @Override
        public void flush() {
            requireReady();
            sent.append(written);
            written.setLength(0);
        }

        private void requireReady() {
            if (!ready) {
                throw new IllegalStateException("not ready");
            }
        }
    }

    private final Connection connection = new Connection();
    private final MockAsyncContext exchange =
            new MockAsyncContext(new MockHttpServletRequest(), new MockHttpServletResponse());
    private final SseOutlet outlet = new SseOutlet(exchange, connection, true);
    private final List<String> taken = new ArrayList<>();

    @Test
    @DisplayName("begins at once, and writes a heartbeat of one line")
    void beats() {
        assertThat(connection.sent).isEmpty();
        outlet.onWritePossible();
        outlet.beat();

        assertThat(connection.sent).hasToString(":)\n:thump\n");
    }

    @Test
    @DisplayName("writes events with their cursors")
    void writes() {
        outlet.onWritePossible();
        outlet.send(new Message("update", "{}", Optional.of("CURSOR")), () -> taken.add("update"));
        outlet.send(new Message("delete", "7"), () -> taken.add("delete"));

        assertThat(connection.sent)
                .hasToString(":)\nid: CURSOR\nevent: update\ndata: {}\n\nevent: delete\ndata: 7\n\n");
        assertThat(taken).containsExactly("update", "delete");
    }

    @Test
    @DisplayName("waits without a thread for a client that does not read")
    void waits() {
        outlet.onWritePossible();
        connection.ready = false;
        outlet.send(new Message("delete", "7"), () -> taken.add("7"));
        outlet.send(new Message("delete", "8"), () -> taken.add("8"));
        assertThat(taken).isEmpty();

        connection.ready = true;
        outlet.onWritePossible();
        assertThat(taken).containsExactly("7", "8");
        assertThat(connection.sent).endsWith("event: delete\ndata: 7\n\nevent: delete\ndata: 8\n\n");
    }

    @Test
    @DisplayName("writes nothing after it was closed")
    void closes() {
        outlet.onWritePossible();
        outlet.close();
        outlet.close();
        outlet.beat();

        assertThat(connection.sent).hasToString(":)\n");
    }
}
