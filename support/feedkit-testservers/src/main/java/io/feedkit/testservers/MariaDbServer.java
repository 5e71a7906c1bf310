package io.feedkit.testservers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** MariaDB 11.4, for up to 200 connections. Its superuser is {@code root}, without a password; text is utf8mb4. */
public final class MariaDbServer extends SqlServer {

    private static final List<String> FAST =
            List.of("--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync", "--innodb-doublewrite=0");

    private final Durability durability;

    private MariaDbServer(Durability durability, boolean shared) {
        super("mariadb", shared);
        this.durability = durability;
    }

    /**
     * Starts a durable server.
     *
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static MariaDbServer start() {
        return start(Durability.DURABLE);
    }

    /**
     * Starts a server.
     *
     * @param durability whether commits are flushed
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static MariaDbServer start(Durability durability) {
        return begun(new MariaDbServer(durability, false));
    }

    /**
     * Returns the JVM's shared server, which is {@link Durability#FAST}. The first call starts it; it ends with the
     * JVM.
     *
     * @return the server
     */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    @Override
    public String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database + "?user=root";
    }

    @Override
    void initialize(ServerProcess process) {
        List<String> command = program("scripts/mariadb-install-db", process);
        command.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
        command.addAll(FAST);
        InitialData.fill(process, Binaries.mariaDb(), command);
    }

    @Override
    List<String> command(ServerProcess process) {
        List<String> command = program("bin/mariadbd", process);
        command.addAll(List.of("--port=" + port(), "--bind-address=127.0.0.1", "--skip-ssl", "--max-connections=200"));
        command.addAll(List.of("--socket=" + process.home().resolve("socket"), "--pid-file=pid"));
        command.add("--character-set-server=utf8mb4");
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

    private static MariaDbServer begun(MariaDbServer server) {
        server.begin();
        return server;
    }

    private static List<String> program(String name, ServerProcess process) {
        Path binaries = Binaries.mariaDb();
        List<String> command = new ArrayList<>();
        command.add(binaries.resolve(name).toString());
        command.addAll(List.of("--no-defaults", "--basedir=" + binaries, "--datadir=" + process.data()));
        command.addAll(List.of("--skip-name-resolve", "--innodb-log-file-size=16M"));
        if (Unprivileged.isRoot()) {
            command.add("--user=root");
        }
        return command;
    }

    private static final class Shared {
        static final MariaDbServer SERVER = begun(new MariaDbServer(Durability.FAST, true));
    }
}
