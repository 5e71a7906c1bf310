package io.feedkit.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** The clients of Redis, Cassandra and RabbitMQ run on Netty, and its artifacts must all be of one version. */
@DisplayName("One Netty for all clients")
@Timeout(120)
class OneNettyTest {

    private static final String VERSIONS = "META-INF/io.netty.versions.properties";
    private static final Pattern MANAGED =
            Pattern.compile("<artifactId>netty-bom</artifactId>\\s*<version>([^<]+)</version>");

    private static final ClassLoader CLASSES = OneNettyTest.class.getClassLoader();

    private static String managed() throws IOException {
        Matcher found = MANAGED.matcher(Files.readString(Path.of("..", "..", "pom.xml")));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    /** Artifacts and versions, such as {@code netty-common 4.2.18.Final}. */
    private static Set<String> artifacts() throws IOException {
        Set<String> artifacts = new TreeSet<>();
        Enumeration<URL> files = CLASSES.getResources(VERSIONS);
        while (files.hasMoreElements()) {
            Properties properties = new Properties();
            try (InputStream file = files.nextElement().openStream()) {
                properties.load(file);
            }
            properties.stringPropertyNames().stream()
                    .filter(name -> name.endsWith(".version"))
                    .forEach(name -> artifacts.add(name.substring(0, name.length() - ".version".length()) + " "
                            + properties.getProperty(name)));
        }
        return artifacts;
    }

    @Test
    @DisplayName("all artifacts on the class path have the managed version")
    void oneVersion() throws IOException {
        String version = managed();
        assertThat(artifacts())
                .hasSizeGreaterThan(5)
                .allSatisfy(artifact -> assertThat(artifact).endsWith(" " + version));
        assertThat(Collections.list(CLASSES.getResources("io/netty/util/Version.class")))
                .hasSize(1);
    }

    @Test
    @DisplayName("no driver has a Netty of its own")
    void notShaded() {
        assertThat(CLASSES.getResource("com/datastax/oss/driver/shaded/netty")).isNull();
        assertThat(CLASSES.getResource("com/datastax/oss/driver/shaded/netty/util/Version.class"))
                .isNull();
    }

    /** A port that refuses connections. A bound socket that does not listen holds it. */
    private static <T> T onClosedPort(OnPort<T> action) throws Exception {
        try (Socket holder = new Socket()) {
            holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return action.run(holder.getLocalPort());
        }
    }

    private interface OnPort<T> {
        T run(int port) throws Exception;
    }

    private static String redis(int port) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().ping();
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    private static String cassandra(int port) {
        DriverConfigLoader settings = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, CassandraServer.DATACENTER)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20))
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .build();
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .withConfigLoader(settings)
                .build()) {
            return Optional.ofNullable(
                            session.execute("SELECT key FROM system.local").one())
                    .map(row -> row.getString("key"))
                    .orElse("");
        }
    }

    private static ConnectionFactory rabbit(int port) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.netty();
        return factory;
    }

    private static boolean isOpen(ConnectionFactory factory) throws Exception {
        try (Connection connection = factory.newConnection()) {
            return connection.isOpen();
        }
    }

    @Test
    @DisplayName("the three clients start in one JVM, and fail for want of a server only")
    void withoutServers() {
        assertThatThrownBy(() -> onClosedPort(OneNettyTest::redis)).isInstanceOf(RedisConnectionException.class);
        assertThatThrownBy(() -> onClosedPort(OneNettyTest::cassandra)).isInstanceOf(AllNodesFailedException.class);
        assertThatThrownBy(() -> onClosedPort(port -> isOpen(rabbit(port)))).isInstanceOf(ConnectException.class);
    }

    @Test
    @Tag("matrix")
    @EnabledIf("io.feedkit.testservers.CassandraServer#isInstalled")
    @DisplayName("the three clients talk to their servers from one JVM; to RabbitMQ, if it is installed")
    void onServers() throws Exception {
        assertThat(redis(RedisServer.shared().port())).isEqualTo("PONG");
        assertThat(cassandra(CassandraServer.shared().port())).isEqualTo("local");
        Optional<RabbitMqProgram> program = RabbitMqProgram.find();
        if (program.isPresent()) {
            try (RabbitMqServer server = RabbitMqServer.start(program.get())) {
                ConnectionFactory factory = rabbit(server.port());
                factory.setUsername(server.user());
                factory.setPassword(server.password());
                assertThat(isOpen(factory)).isTrue();
            }
        }
    }
}
