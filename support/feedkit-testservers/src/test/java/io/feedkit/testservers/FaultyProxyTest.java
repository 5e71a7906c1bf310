package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.testservers.FaultyProxy.Direction;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FaultyProxyTest {

    private static final int PATIENCE_MILLIS = 30_000;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private ServerSocket echo;
    private FaultyProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = Ports.listen(0);
        Thread acceptor = new Thread(this::acceptAll);
        acceptor.setDaemon(true);
        acceptor.start();
        proxy = FaultyProxy.before(echo.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    @DisplayName("passes both ways, and the end of a connection")
    void passes() throws IOException {
        try (Socket client = connect()) {
            assertThat(call(client, "one")).isEqualTo("one");
            assertThat(call(client, "two")).isEqualTo("two");
            assertThat(proxy.connections()).isEqualTo(1);
            client.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    @DisplayName("passes what is encrypted on its way to it, to those who trust its certificate")
    void encrypted() throws IOException, GeneralSecurityException {
        try (Certificate certificate = Certificate.of("ip:127.0.0.1");
                FaultyProxy encrypted = FaultyProxy.encrypted(echo.getLocalPort(), certificate)) {
            KeyStore trusted = KeyStore.getInstance(
                    certificate.trustStore().toFile(), certificate.password().toCharArray());
            TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            InetAddress loopback = InetAddress.getLoopbackAddress();
            try (Socket client = context.getSocketFactory().createSocket(loopback, encrypted.port())) {
                client.setSoTimeout(PATIENCE_MILLIS);
                assertThat(call(client, "one")).isEqualTo("one");
            }
            try (Socket client = SSLSocketFactory.getDefault().createSocket(loopback, encrypted.port())) {
                client.setSoTimeout(PATIENCE_MILLIS);
                assertThatThrownBy(() -> call(client, "one")).isInstanceOf(SSLHandshakeException.class);
            }
        }
    }

    @Test
    @DisplayName("delays each way")
    void delays() throws IOException {
        try (Socket client = connect()) {
            proxy.delay(Duration.ofMillis(150));
            long start = System.nanoTime();
            assertThat(call(client, "slow")).isEqualTo("slow");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));

            proxy.delay(Duration.ofDays(1));
            send(client, "held");
            proxy.pass();
            assertThat(read(client, 4)).isEqualTo("held");
        }
    }

    @Test
    @DisplayName("holds requests, which then never reach the server")
    void holdsRequests() throws IOException {
        try (Socket client = connect()) {
            proxy.blackHole(Direction.REQUESTS);
            send(client, "lost");
            client.setSoTimeout(200);
            assertThatThrownBy(() -> read(client, 4)).isInstanceOf(SocketTimeoutException.class);
            assertThat(seen).isEmpty();
        }
        proxy.resetAll();
        proxy.pass();
        try (Socket client = connect()) {
            assertThat(call(client, "next")).isEqualTo("next");
        }
        assertThat(seen).containsExactly("next");
    }

    @Test
    @DisplayName("holds replies to what the server has done, until it passes again")
    void holdsReplies() throws IOException {
        try (Socket client = connect()) {
            proxy.blackHole(Direction.REPLIES);
            send(client, "done");
            client.setSoTimeout(200);
            assertThatThrownBy(() -> read(client, 4)).isInstanceOf(SocketTimeoutException.class);
            await().until(() -> seen.equals(List.of("done")));
            client.setSoTimeout(PATIENCE_MILLIS);
            proxy.pass();
            assertThat(read(client, 4)).isEqualTo("done");
        }
    }

    @Test
    @DisplayName("resets what is open, and accepts what is new")
    void resets() throws IOException {
        try (Socket client = connect()) {
            assertThat(call(client, "open")).isEqualTo("open");
            proxy.resetAll();
            assertThatThrownBy(() -> read(client, 1))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        try (Socket client = connect()) {
            assertThat(call(client, "new")).isEqualTo("new");
        }
    }

    @Test
    @DisplayName("refuses what is new, and leaves what is open")
    void refuses() throws IOException {
        try (Socket client = connect()) {
            assertThat(call(client, "open")).isEqualTo("open");
            proxy.refuse();
            assertThatThrownBy(this::connect)
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("refused");
            assertThat(call(client, "still")).isEqualTo("still");
        }
        proxy.pass();
        try (Socket client = connect()) {
            assertThat(call(client, "again")).isEqualTo("again");
        }
    }

    @Test
    @DisplayName("keeps its port while it refuses connections")
    void keepsPort() throws IOException {
        proxy.refuse();
        try (Socket other = new Socket()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port());
            other.setReuseAddress(false);
            assertThatThrownBy(() -> other.bind(address)).isInstanceOf(BindException.class);
        }
    }

    @Test
    @DisplayName("cuts a reply after so many bytes, though the server has done all of it")
    void cuts() throws IOException {
        try (Socket client = connect()) {
            assertThat(call(client, "whole")).isEqualTo("whole");
            proxy.cutAfterReplyBytes(2);
            send(client, "applied");
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("ap");
        }
        assertThat(seen).containsExactly("whole", "applied");
        try (Socket client = connect()) {
            send(client, "also");
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("al");
        }
        assertThatThrownBy(() -> proxy.cutAfterReplyBytes(-1)).hasMessageContaining("-1");
    }

    @Test
    @DisplayName("closed, resets and refuses everything for good")
    void closes() throws IOException {
        try (Socket client = connect()) {
            assertThat(call(client, "open")).isEqualTo("open");
            proxy.close();
            assertThatThrownBy(() -> read(client, 1)).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        assertThatThrownBy(proxy::pass).isInstanceOf(IllegalStateException.class);
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("feedkit-proxy")));
    }

    @Test
    @DisplayName("makes a commit ambiguous: the client fails, the row is there")
    void ambiguousCommit() throws SQLException {
        PostgresServer server = PostgresServer.shared();
        String url = server.createDatabase();
        Sql.execute(url, "CREATE TABLE notes (note TEXT)");
        try (FaultyProxy front = FaultyProxy.before(server.port())) {
            assertThatThrownBy(() -> front.url("jdbc:postgresql://127.0.0.1:1/x"))
                    .isInstanceOf(IllegalArgumentException.class);
            try (Connection connection = DriverManager.getConnection(front.url(url))) {
                front.cutAfterReplyBytes(0);
                assertThatThrownBy(() -> connection.createStatement().execute("INSERT INTO notes VALUES ('applied')"))
                        .isInstanceOf(SQLException.class);
            }
        }
        assertThat(Sql.answer(url, "SELECT note FROM notes")).isEqualTo("applied");
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        client.setSoTimeout(PATIENCE_MILLIS);
        return client;
    }

    private static String call(Socket client, String text) throws IOException {
        send(client, text);
        return read(client, text.length());
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(Socket client, int length) throws IOException {
        return new String(client.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = echo.accept();
                Thread server = new Thread(() -> echo(client));
                server.setDaemon(true);
                server.start();
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    private void echo(Socket client) {
        try (client) {
            byte[] buffer = new byte[1024];
            for (int n = client.getInputStream().read(buffer);
                    n >= 0;
                    n = client.getInputStream().read(buffer)) {
                seen.add(new String(buffer, 0, n, StandardCharsets.UTF_8));
                client.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // The proxy has reset it.
        }
    }
}
