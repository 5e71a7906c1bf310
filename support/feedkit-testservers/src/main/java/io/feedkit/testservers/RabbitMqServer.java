package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A RabbitMQ node with one user. It has a port mapper (epmd) of its own; both listen on the loopback address only.
 * Confirmed messages survive a kill.
 */
public final class RabbitMqServer extends TestServer {

    private static final String COOKIE = "feedkit";
    private static final int READ_MILLIS = 5_000;
    private static final int LIMIT_SECONDS = 30;
    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    /** Runs both processes in the data directory, by which they are found and killed. */
    private static final String SCRIPT = """
            cd "$1" && epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" &
            cd "$1" && exec "$2"
            """;

    private final RabbitMqProgram program;
    private final Optional<Certificate> certificate;
    private final int encryptedPort = Ports.free();
    private final int distributionPort = Ports.free();
    private final int mapperPort = Ports.free();

    private RabbitMqServer(RabbitMqProgram program, Optional<Certificate> certificate) {
        super("rabbitmq", false, Ports.free());
        this.program = program;
        this.certificate = certificate;
    }

    /**
     * Starts a node.
     *
     * @param program the server's program
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static RabbitMqServer start(RabbitMqProgram program) {
        return begun(new RabbitMqServer(program, Optional.empty()));
    }

    /**
     * Starts a node that also has a port for encrypted connections (TLS).
     *
     * @param program the server's program
     * @param certificate the certificate that it presents to clients
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static RabbitMqServer start(RabbitMqProgram program, Certificate certificate) {
        return begun(new RabbitMqServer(program, Optional.of(certificate)));
    }

    private static RabbitMqServer begun(RabbitMqServer server) {
        server.begin();
        return server;
    }

    /**
     * Returns the port for encrypted connections.
     *
     * @return the port
     * @throws IllegalStateException if it has no certificate
     */
    public int encryptedPort() {
        if (certificate.isEmpty()) {
            throw new IllegalStateException("the server was started without a certificate");
        }
        return encryptedPort;
    }

    /**
     * Returns the name of the server's only user, who has all permissions.
     *
     * @return the user
     */
    public String user() {
        return "feedkit";
    }

    /**
     * Returns the user's password.
     *
     * @return the password
     */
    public String password() {
        return "rabbit-secret";
    }

    /** Makes the server believe that its memory is full: it accepts no messages until {@link #endMemoryAlarm()}. */
    public void beginMemoryAlarm() {
        call("vm_memory_monitor set_vm_memory_high_watermark [0.0000001]");
    }

    /** Ends a memory alarm. */
    public void endMemoryAlarm() {
        call("vm_memory_monitor set_vm_memory_high_watermark [{absolute,1000000000}]");
    }

    /**
     * Bounds how long a consumer may leave messages unacknowledged. The server checks this every second, and closes the
     * channel of a consumer that takes longer. Applies to channels that are opened from now on.
     *
     * @param timeout the bound
     */
    public void limitAcknowledgements(Duration timeout) {
        call("application set_env [rabbit,channel_tick_interval,1000]");
        call("application set_env [rabbit,consumer_timeout," + timeout.toMillis() + "]");
    }

    /** Calls a function of the node, given by module, name and arguments in Erlang's syntax. */
    private void call(String function) {
        try {
            Process process = new ProcessBuilder(
                            program.call().toString(),
                            "-c",
                            COOKIE,
                            "-address",
                            "127.0.0.1:" + distributionPort,
                            "-a",
                            function)
                    .redirectErrorStream(true)
                    .start();
            try {
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || !said.equals("ok")) {
                    throw new IllegalStateException("the node failed to do " + function + ": " + said);
                }
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + function, e);
        }
    }

    @Override
    void initialize(ServerProcess process) {
        Path data = process.data();
        try {
            Files.createDirectories(data);
            Files.write(data.resolve("rabbitmq.conf"), configuration(data));
            Path cookie = Files.writeString(data.resolve(".erlang.cookie"), COOKIE);
            Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
            if (certificate.isPresent()) {
                certificate.get().writePem(certificateFile(data), keyFile(data));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> configuration(Path data) {
        List<String> lines = new ArrayList<>(List.of(
                "listeners.tcp.1 = 127.0.0.1:" + port(),
                "default_user = " + user(),
                "default_pass = " + password(),
                "disk_free_limit.absolute = 1MB",
                "vm_memory_high_watermark.absolute = 1GB",
                "raft.wal_max_size_bytes = 32000000"));
        if (certificate.isPresent()) {
            lines.add("listeners.ssl.1 = 127.0.0.1:" + encryptedPort);
            lines.add("ssl_options.certfile = " + certificateFile(data));
            lines.add("ssl_options.keyfile = " + keyFile(data));
        }
        return lines;
    }

    private static Path certificateFile(Path data) {
        return data.resolve("certificate.pem");
    }

    private static Path keyFile(Path data) {
        return data.resolve("key.pem");
    }

    @Override
    List<String> command(ServerProcess process) {
        Path data = process.data();
        return List.of(
                "env",
                "PATH=" + program.path(),
                "HOME=" + data,
                "ERL_EPMD_ADDRESS=127.0.0.1",
                "ERL_EPMD_PORT=" + mapperPort,
                "RABBITMQ_CONF_ENV_FILE=/dev/null",
                "RABBITMQ_NODENAME=feedkit@localhost",
                "RABBITMQ_DIST_PORT=" + distributionPort,
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}",
                "RABBITMQ_CONFIG_FILE=" + data.resolve("rabbitmq.conf"),
                "RABBITMQ_ENABLED_PLUGINS_FILE=" + data.resolve("plugins"),
                "RABBITMQ_GENERATED_CONFIG_DIR=" + data.resolve("generated"),
                "RABBITMQ_LOG_BASE=" + data.resolve("log"),
                "RABBITMQ_LOGS=-",
                "RABBITMQ_MNESIA_BASE=" + data.resolve("mnesia"),
                "RABBITMQ_PID_FILE=" + data.resolve("pid"),
                "sh",
                "-c",
                SCRIPT,
                "feedkit-rabbitmq",
                data.toString(),
                program.server().toString());
    }

    @Override
    ServerProcess.Probe probe() {
        return this::greet;
    }

    private void greet() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(READ_MILLIS);
            socket.getOutputStream().write(HEADER);
            if (socket.getInputStream().read() != 1) {
                throw new IOException("the answer does not follow AMQP");
            }
        }
    }
}
