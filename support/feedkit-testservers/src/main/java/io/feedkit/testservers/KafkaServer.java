package io.feedkit.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A Kafka broker that is its own controller (KRaft), by default without a password. Acknowledged records survive
 * {@link #kill()}. Topics are not created automatically. Sessions and heartbeats are short, so the partitions and locks
 * of a dead client or broker are soon free.
 *
 * <p>The jars of the broker never enter a class path of tests. The build records their paths in the directory
 * {@code target} of this module.
 */
public final class KafkaServer extends TestServer {

    private static final String CLUSTER = "feedkit-test-cluster-1";
    private static final String ADDRESS = "127.0.0.1:";

    /** Short times. If the broker has a lower bound, that is used. */
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("inter.broker.listener.name", "INTERNAL"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("offsets.topic.num.partitions", "1"),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("transaction.state.log.num.partitions", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.num.partitions", "1"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"),
            Map.entry("broker.session.timeout.ms", "2000"),
            Map.entry("broker.heartbeat.interval.ms", "200"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("group.consumer.assignment.interval.ms", "0"),
            Map.entry("group.consumer.heartbeat.interval.ms", "100"),
            Map.entry("group.consumer.min.heartbeat.interval.ms", "100"),
            Map.entry("group.consumer.session.timeout.ms", "3000"),
            Map.entry("group.consumer.min.session.timeout.ms", "3000"),
            Map.entry("group.share.assignment.interval.ms", "0"),
            Map.entry("group.share.heartbeat.interval.ms", "100"),
            Map.entry("group.share.min.heartbeat.interval.ms", "100"),
            Map.entry("group.share.session.timeout.ms", "3000"),
            Map.entry("group.share.min.session.timeout.ms", "3000"),
            Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
            Map.entry("log.index.size.max.bytes", "1048576"),
            Map.entry("num.network.threads", "1"),
            Map.entry("num.io.threads", "2"));

    private final Options options;

    private KafkaServer(Options options, boolean shared) {
        super("kafka", shared, options.port);
        this.options = options;
    }

    /**
     * Starts a server.
     *
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static KafkaServer start() {
        return options().start();
    }

    /**
     * Returns the JVM's shared server. The first call starts it; it ends with the JVM.
     *
     * @return the server
     */
    public static KafkaServer shared() {
        return Shared.SERVER;
    }

    /**
     * Returns options for a new server.
     *
     * @return options, which can be changed
     */
    public static Options options() {
        return new Options();
    }

    /**
     * Returns the address for clients.
     *
     * @return host and port; the port of the proxy if the broker is behind one
     */
    public String bootstrapServers() {
        return ADDRESS + options.advertisedPort;
    }

    @Override
    void initialize(ServerProcess process) {
        try {
            try (var out = Files.newOutputStream(configuration(process))) {
                properties(process).store(out, null);
            }
            List<String> format = new ArrayList<>(java(process.home()));
            format.addAll(List.of("kafka.tools.StorageTool", "format", "--cluster-id", CLUSTER));
            format.addAll(List.of("--config", configuration(process).toString()));
            options.features.forEach((feature, level) -> format.addAll(List.of("--feature", feature + "=" + level)));
            InitialData.fill(process, Binaries.home().resolve("kafka"), format);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    List<String> command(ServerProcess process) {
        List<String> command = new ArrayList<>(java(process.data()));
        command.addAll(List.of("-Dfeedkit.port=" + port(), "kafka.Kafka"));
        command.add(configuration(process).toString());
        return command;
    }

    /** The broker is ready when it listens for clients. */
    @Override
    ServerProcess.Probe probe() {
        return () -> new Socket(InetAddress.getLoopbackAddress(), port()).close();
    }

    private static Path configuration(ServerProcess process) {
        return process.home().resolve("server.properties");
    }

    private Properties properties(ServerProcess process) {
        int internal = Ports.free();
        int controller = Ports.free();
        Properties properties = new Properties();
        properties.putAll(SETTINGS);
        properties.putAll(Map.of(
                "log.dirs", process.data().toString(),
                "controller.quorum.voters", "1@" + ADDRESS + controller,
                "listeners", listeners(port(), internal) + ",CONTROLLER://" + ADDRESS + controller,
                "advertised.listeners", listeners(options.advertisedPort, internal),
                "listener.security.protocol.map",
                        "CLIENT:" + options.protocol + ",INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT"));
        properties.putAll(options.settings);
        return properties;
    }

    private static String listeners(int client, int internal) {
        return "CLIENT://" + ADDRESS + client + ",INTERNAL://" + ADDRESS + internal;
    }

    /**
     * The command of a small and quick JVM, which prints only warnings and errors. The class path is in the
     * environment, because it is too long for a command line.
     */
    private static List<String> java(Path directory) {
        return List.of(
                "env",
                "--chdir=" + directory,
                "CLASSPATH=" + classPath(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    }

    private static String classPath() {
        try (InputStream file = KafkaServer.class.getResourceAsStream("kafka-class-path")) {
            if (file == null) {
                throw new IllegalStateException("the paths of Kafka's jars are unknown: build this module");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the paths of Kafka's jars", e);
        }
    }

    /** Options of a new server. Not thread-safe. */
    public static final class Options {

        private final int port = Ports.free();
        private final Map<String, Integer> features = new TreeMap<>();
        private final Map<String, String> settings = new TreeMap<>();
        private int advertisedPort = port;
        private String protocol = "PLAINTEXT";

        private Options() {}

        /**
         * Returns the port that the server will listen on.
         *
         * @return the port on the loopback address
         */
        public int port() {
            return port;
        }

        /**
         * Directs clients to a proxy.
         *
         * @param proxy the proxy in front of {@link #port()}
         * @return these options
         */
        public Options behind(FaultyProxy proxy) {
            advertisedPort = proxy.port();
            return this;
        }

        /**
         * Sets the level of a feature of the cluster.
         *
         * @param feature its name, such as {@code share.version}
         * @param level its level; 0 disables the feature
         * @return these options
         */
        public Options feature(String feature, int level) {
            features.put(feature, level);
            return this;
        }

        /**
         * Sets a setting of the broker.
         *
         * @param name its name
         * @param value its value
         * @return these options
         */
        public Options setting(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /**
         * Encrypts the connections of clients, and requires a password (TLS with SASL/PLAIN).
         *
         * @param certificate the certificate that the broker presents to clients
         * @param user the only user
         * @param password the user's password
         * @return these options
         */
        public Options secured(Certificate certificate, String user, String password) {
            protocol = "SASL_SSL";
            settings.put("ssl.keystore.type", "PKCS12");
            settings.put("ssl.keystore.location", certificate.keyStore().toString());
            settings.put("ssl.keystore.password", certificate.password());
            settings.put("sasl.enabled.mechanisms", "PLAIN");
            settings.put(
                    "listener.name.client.plain.sasl.jaas.config",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";"
                            .formatted(user, password));
            return this;
        }

        /**
         * Starts the server.
         *
         * @return the server, which answers
         * @throws IllegalStateException if it does not answer in time
         */
        public KafkaServer start() {
            return start(false);
        }

        private KafkaServer start(boolean shared) {
            KafkaServer server = new KafkaServer(this, shared);
            server.begin();
            return server;
        }
    }

    private static final class Shared {
        /** The shared server is never killed. It keeps its partitions on a host that freezes for seconds. */
        static final KafkaServer SERVER =
                options().setting("broker.session.timeout.ms", "60000").start(true);
    }
}
