package io.feedkit.testservers;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A Cassandra node without a password, in {@link #DATACENTER}: a cluster of its own, or one of several nodes. It needs
 * a JDK 17 or 11: see {@link #isInstalled()}.
 *
 * <p>The jars of the server never enter a class path of tests. The build records their paths in the directory
 * {@code target} of the module feedkit-cassandra-server.
 */
public final class CassandraServer extends TestServer {

    /** The name of the only datacenter. */
    public static final String DATACENTER = "datacenter1";

    /** The newest JDK that Cassandra 5.0 runs on. */
    private static final int NEWEST_JDK = 17;

    private static final String CLASS_PATH = "cassandra-class-path";
    private static final String MAIN = "org.apache.cassandra.service.CassandraDaemon";
    private static final String KEPT = "kept";

    /** The request OPTIONS of version 4 of the protocol, and the code of its answer SUPPORTED. */
    private static final byte[] QUESTION = {4, 0, 0, 0, 5, 0, 0, 0, 0};

    private static final int ANSWER = 6;
    private static final int ANSWER_MILLIS = 5000;

    /** Small: one process of the tests shares the machine with others. */
    private static final List<String> JVM = List.of(
            "-Xms256m",
            "-Xmx256m",
            "-Xss256k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            "-Dcassandra-foreground=yes",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.ring_delay_ms=1",
            "-Dcassandra.load_ring_state=false",
            "-Dcassandra.superuser_setup_delay_ms=0",
            "-Dcassandra.available_processors=2",
            "-Dorg.apache.cassandra.disable_mbean_registration=true",
            "-Dcassandra.libjemalloc=-",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djdk.attach.allowAttachSelf=true");

    /** Options that replace those of a small server. */
    private static final List<String> FAST_JVM = List.of("-Xmx1g", "-XX:TieredStopAtLevel=4");

    /** Packages of the JDK, as in conf/jvm17-server.options of Cassandra 5.0. */
    private static final List<String> EXPORTS = List.of(
            "java.base/jdk.internal.misc",
            "java.base/java.lang.ref",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.sql/java.sql",
            "jdk.unsupported/sun.misc",
            "jdk.compiler/com.sun.tools.javac.file",
            "jdk.attach/sun.tools.attach");

    private static final List<String> OPENS = List.of(
            "java.base/java.lang",
            "java.base/java.lang.module",
            "java.base/java.lang.reflect",
            "java.base/java.io",
            "java.base/java.util",
            "java.base/sun.nio.ch",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.util.jar",
            "jdk.management/com.sun.management.internal",
            "jdk.compiler/com.sun.tools.javac");

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("cluster_name", "feedkit"),
            Map.entry("num_tokens", "1"),
            Map.entry("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner"),
            Map.entry("endpoint_snitch", "SimpleSnitch"),
            Map.entry("auto_bootstrap", "false"),
            Map.entry("commitlog_segment_size", "4MiB"),
            Map.entry("commitlog_total_space", "64MiB"),
            Map.entry("memtable_heap_space", "32MiB"),
            Map.entry("memtable_offheap_space", "32MiB"),
            Map.entry("memtable_allocation_type", "heap_buffers"),
            Map.entry("concurrent_reads", "8"),
            Map.entry("concurrent_writes", "8"),
            Map.entry("concurrent_compactors", "1"),
            Map.entry("key_cache_size", "0MiB"),
            Map.entry("counter_cache_size", "0MiB"),
            Map.entry("file_cache_enabled", "false"),
            Map.entry("hinted_handoff_enabled", "false"),
            Map.entry("dynamic_snitch", "false"),
            Map.entry("auto_snapshot", "false"),
            Map.entry("cdc_enabled", "false"),
            Map.entry("native_transport_max_threads", "16"));

    private final Options options;

    private CassandraServer(Options options, boolean shared) {
        super("cassandra", shared, options.port);
        this.options = options;
    }

    /**
     * Returns whether there is a JDK that Cassandra runs on: that of this JVM, the one in the system property
     * {@code feedkit.cassandra.jdk}, or one in {@code /usr/lib/jvm}.
     *
     * @return true if servers can be started
     */
    public static boolean isInstalled() {
        return CassandraJdk.find(NEWEST_JDK).isPresent();
    }

    /**
     * Starts a durable server.
     *
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time, or there is no JDK for it
     */
    public static CassandraServer start() {
        return options().start();
    }

    /**
     * Returns the JVM's shared server, which is {@link Durability#FAST}. The first call starts it; it ends with the
     * JVM.
     *
     * @return the server
     */
    public static CassandraServer shared() {
        return Shared.SERVER;
    }

    /**
     * Starts nodes of one cluster, one after the other. They share a port, on the addresses 127.0.0.1, 127.0.0.2 and so
     * on.
     *
     * @param nodes how many
     * @return the nodes, which answer; the caller closes each
     * @throws IllegalStateException if one does not answer in time; none runs then
     */
    public static List<CassandraServer> cluster(int nodes) {
        Options first = options();
        List<CassandraServer> started = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                // Until this time has passed once, reads wait half of it for a replica that was killed.
                started.add(new Options(first, i, nodes)
                        .setting("read_request_timeout", "2000ms")
                        .start());
            }
            return List.copyOf(started);
        } catch (RuntimeException e) {
            started.forEach(CassandraServer::close);
            throw e;
        }
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
     * @return a loopback address with {@link #port()}
     */
    public InetSocketAddress address() {
        return new InetSocketAddress(options.host, port());
    }

    /**
     * Keeps a copy of the data, in place of the copy that was kept before.
     *
     * @throws IllegalStateException if the server is running
     */
    public synchronized void keepData() {
        refuseIfRunning();
        copy(process().data(), process().home().resolve(KEPT));
    }

    /**
     * Replaces the data by the copy that was kept. {@link #restart()} starts the server with it.
     *
     * @throws IllegalStateException if the server is running, or there is no copy
     */
    public synchronized void returnToKeptData() {
        refuseIfRunning();
        copy(process().home().resolve(KEPT), process().data());
    }

    private void refuseIfRunning() {
        if (isRunning()) {
            throw new IllegalStateException("the server is running: kill it before its data is copied");
        }
    }

    private void copy(Path from, Path to) {
        process().run(List.of("rm", "-rf", to.toString()));
        process().run(List.of("cp", "--archive", from.toString(), to.toString()));
    }

    @Override
    void initialize(ServerProcess process) {
        try {
            Files.createDirectories(process.data());
            Files.writeString(configuration(process), options.yaml(process.data()));
            Files.writeString(logging(process), """
                    <configuration>
                        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
                            <encoder><pattern>%d %-5level %logger{0}: %msg%n</pattern></encoder>
                        </appender>
                        <root level="WARN"><appender-ref ref="OUT"/></root>
                    </configuration>
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path is in the environment, because it is too long for a command line. */
    @Override
    List<String> command(ServerProcess process) {
        Path java = CassandraJdk.find(NEWEST_JDK)
                .orElseThrow(() -> new IllegalStateException(
                        "Cassandra needs a JDK 17 or 11: name its directory in -Dfeedkit.cassandra.jdk"));
        String jars = classPath();
        List<String> command = new ArrayList<>(
                List.of("env", "--chdir=" + process.data(), "CLASSPATH=" + jars, java.toString(), agent(jars)));
        command.addAll(JVM);
        command.addAll(options.optimized ? FAST_JVM : List.of());
        EXPORTS.forEach(each -> command.addAll(List.of("--add-exports", each + "=ALL-UNNAMED")));
        OPENS.forEach(each -> command.addAll(List.of("--add-opens", each + "=ALL-UNNAMED")));
        command.addAll(List.of(
                "-Dcassandra.config=" + configuration(process).toUri(),
                "-Dcassandra.storagedir=" + process.data(),
                "-Dcassandra.logdir=" + process.home(),
                "-Dlogback.configurationFile=" + logging(process),
                "-Djava.io.tmpdir=" + libraries(),
                // Otherwise each change of a table is flushed. A killed server would have lost the table.
                "-Dcassandra.unsafesystem=" + !options.isDurable(),
                "-Dfeedkit.port=" + port(),
                MAIN));
        return command;
    }

    /** Measures objects. It is one of the jars. */
    private static String agent(String jars) {
        return Arrays.stream(jars.split(":"))
                .filter(jar -> jar.contains("/jamm-"))
                .findFirst()
                .map(jar -> "-javaagent:" + jar)
                .orElseThrow(() -> new IllegalStateException("jamm is not among Cassandra's jars"));
    }

    /** The port for clients is the last one that a starting server opens. */
    @Override
    ServerProcess.Probe probe() {
        return () -> {
            try (Socket socket = new Socket()) {
                socket.connect(address(), ANSWER_MILLIS);
                socket.setSoTimeout(ANSWER_MILLIS);
                socket.getOutputStream().write(QUESTION);
                byte[] answer = new DataInputStream(socket.getInputStream()).readNBytes(QUESTION.length);
                if (answer.length < QUESTION.length || answer[4] != ANSWER) {
                    throw new SocketTimeoutException("no answer that Cassandra would give: " + Arrays.toString(answer));
                }
            }
        };
    }

    private static Path configuration(ServerProcess process) {
        return process.home().resolve("cassandra.yaml");
    }

    private static Path logging(ServerProcess process) {
        return process.home().resolve("logback.xml");
    }

    /** Where the server unpacks native libraries. Servers run programs from this file system. */
    private static Path libraries() {
        try {
            return Files.createDirectories(Binaries.home().resolve("cassandra-libraries"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath() {
        try (InputStream file = CassandraServer.class.getResourceAsStream(CLASS_PATH)) {
            if (file == null) {
                throw new IllegalStateException(
                        "the paths of Cassandra's jars are unknown: build the module feedkit-cassandra-server");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the paths of Cassandra's jars", e);
        }
    }

    /** Options of a new server. Not thread-safe. */
    public static final class Options {

        private final Map<String, String> settings = new TreeMap<>(SETTINGS);
        private final int port;
        private final int storagePort;
        private final String host;
        private boolean optimized;

        private Options() {
            this(Ports.free(), Ports.free(), 0, 1);
        }

        /** A node of a cluster, whose first node has the ports. */
        private Options(Options first, int index, int nodes) {
            this(first.port, first.storagePort, index, nodes);
        }

        private Options(int port, int storagePort, int index, int nodes) {
            this.port = port;
            this.storagePort = storagePort;
            host = "127.0.0." + (1 + index);
            durability(Durability.DURABLE);
            setting("initial_token", "'" + token(index, nodes) + "'");
        }

        /** Tokens that divide the ring evenly. */
        private static long token(int index, int nodes) {
            return Long.MIN_VALUE + (index + 1) * Long.divideUnsigned(-1L, nodes);
        }

        /**
         * Returns the port that the server will listen on.
         *
         * @return the port on the loopback address
         */
        public int port() {
            return port;
        }

        /**
         * Sets whether acknowledged writes survive a kill.
         *
         * @param durability {@link Durability#DURABLE} by default
         * @return these options
         */
        public Options durability(Durability durability) {
            boolean durable = durability == Durability.DURABLE;
            settings.remove("commitlog_sync_period");
            settings.put("commitlog_sync", durable ? "batch" : "periodic");
            if (!durable) {
                settings.put("commitlog_sync_period", "10000ms");
            }
            return this;
        }

        /**
         * Sets a setting of {@code cassandra.yaml}.
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
         * Lets the server's JVM optimise its code fully, and use more memory. It is made for measurements: such a
         * server starts more slowly.
         *
         * @return these options
         */
        public Options optimized() {
            optimized = true;
            return this;
        }

        /**
         * Starts the server.
         *
         * @return the server, which answers
         * @throws IllegalStateException if it does not answer in time, or there is no JDK for it
         */
        public CassandraServer start() {
            return start(false);
        }

        private CassandraServer start(boolean shared) {
            CassandraServer server = new CassandraServer(this, shared);
            server.begin();
            return server;
        }

        private boolean isDurable() {
            return "batch".equals(settings.get("commitlog_sync"));
        }

        private String yaml(Path data) {
            Map<String, String> all = new TreeMap<>(settings);
            all.putAll(Map.of(
                    "listen_address",
                    host,
                    "rpc_address",
                    host,
                    "native_transport_port",
                    Integer.toString(port),
                    "storage_port",
                    Integer.toString(storagePort)));
            all.putAll(Map.of(
                    "data_file_directories", "[" + data.resolve("data") + "]",
                    "commitlog_directory", data.resolve("commitlog").toString(),
                    "saved_caches_directory", data.resolve("caches").toString(),
                    "hints_directory", data.resolve("hints").toString(),
                    "cdc_raw_directory", data.resolve("cdc").toString()));
            return all.entrySet().stream()
                            .map(setting -> setting.getKey() + ": " + setting.getValue() + "\n")
                            .collect(Collectors.joining())
                    + """
                    seed_provider:
                      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                        parameters:
                          - seeds: "127.0.0.1:%d"
                    """.formatted(storagePort);
        }
    }

    private static final class Shared {
        static final CassandraServer SERVER =
                options().durability(Durability.FAST).start(true);
    }
}
