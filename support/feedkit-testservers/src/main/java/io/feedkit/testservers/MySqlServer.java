package io.feedkit.testservers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * MySQL 8.0.15, for up to 200 connections. Its superuser is {@code root}, without a password; text is utf8mb4.
 *
 * <p>The server needs the library {@code libaio.so.1}, which few machines have ({@code libaio1} in Debian). Call
 * {@link #isAvailable()} before you start one.
 */
public final class MySqlServer extends SqlServer {

    /**
     * Sizes for tests, and no performance schema: with it the server needs three times the memory and twice the time to
     * start.
     */
    private static final List<String> SMALL = List.of(
            "--innodb-log-file-size=16M",
            "--innodb-buffer-pool-load-at-startup=0",
            "--performance-schema=off",
            "--skip-log-bin",
            "--mysqlx=0");

    private static final List<String> FAST =
            List.of("--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync", "--innodb-doublewrite=0");

    private final Durability durability;

    private MySqlServer(Durability durability, boolean shared) {
        super("mysql", shared);
        this.durability = durability;
    }

    /**
     * Returns whether this machine can run the server.
     *
     * @return whether it can; if not, {@link #whyUnavailable()} gives the reason
     */
    public static boolean isAvailable() {
        return whyUnavailable().isEmpty();
    }

    /**
     * Returns why this machine cannot run the server. The check is made once for each JVM, by loading the server's
     * program.
     *
     * @return the operating system's message, such as a missing library; empty if the server can run
     */
    public static Optional<String> whyUnavailable() {
        return Availability.OBSTACLE;
    }

    /**
     * Starts a durable server.
     *
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time, or is not {@linkplain #isAvailable() available}
     */
    public static MySqlServer start() {
        return start(Durability.DURABLE);
    }

    /**
     * Starts a server.
     *
     * @param durability whether commits are flushed
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time, or is not {@linkplain #isAvailable() available}
     */
    public static MySqlServer start(Durability durability) {
        return begun(new MySqlServer(durability, false));
    }

    /**
     * Returns the JVM's shared server, which is {@link Durability#FAST}. The first call starts it; it ends with the
     * JVM.
     *
     * @return the server
     */
    public static MySqlServer shared() {
        return Shared.SERVER;
    }

    @Override
    public String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + port() + "/" + database + "?user=root";
    }

    @Override
    void initialize(ServerProcess process) {
        List<String> command = program(process);
        command.addAll(FAST);
        command.add("--initialize-insecure");
        InitialData.fill(process, Binaries.mySql(), command);
    }

    @Override
    List<String> command(ServerProcess process) {
        List<String> command = program(process);
        command.addAll(List.of("--port=" + port(), "--bind-address=127.0.0.1", "--skip-ssl", "--max-connections=200"));
        command.addAll(List.of("--socket=" + process.home().resolve("socket"), "--pid-file=pid"));
        if (durability == Durability.FAST) {
            command.addAll(FAST);
        }
        return command;
    }

    @Override
    String anyDatabase() {
        return "mysql";
    }

    @Override
    String create(String database) {
        return "CREATE DATABASE " + database + " CHARACTER SET utf8mb4";
    }

    private static MySqlServer begun(MySqlServer server) {
        server.begin();
        return server;
    }

    private static List<String> program(ServerProcess process) {
        Path binaries = Binaries.mySql();
        List<String> command = new ArrayList<>();
        command.add(binaries.resolve("bin/mysqld").toString());
        command.addAll(List.of("--no-defaults", "--basedir=" + binaries, "--datadir=" + process.data()));
        command.addAll(SMALL);
        if (Unprivileged.isRoot()) {
            command.add("--user=root");
        }
        return command;
    }

    private static final class Availability {
        static final Optional<String> OBSTACLE =
                Loading.obstacle(Binaries.mySql().resolve("bin/mysqld"), "--version");
    }

    private static final class Shared {
        static final MySqlServer SERVER = begun(new MySqlServer(Durability.FAST, true));
    }
}
