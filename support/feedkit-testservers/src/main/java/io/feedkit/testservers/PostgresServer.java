package io.feedkit.testservers;

import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL 18, for up to 200 connections. Its superuser is {@code postgres}. Times are in UTC, and text is UTF-8,
 * ordered by its bytes.
 */
public final class PostgresServer extends SqlServer {

    private static final List<String> SETTINGS = List.of(
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            // In the data directory, so that a killed server leaves none in /dev/shm.
            "dynamic_shared_memory_type=mmap",
            "timezone=UTC",
            "log_timezone=UTC");
    private static final List<String> FAST = List.of("fsync=off", "synchronous_commit=off", "full_page_writes=off");

    private final Durability durability;

    private PostgresServer(Durability durability, boolean shared) {
        super("postgres", shared);
        this.durability = durability;
    }

    /**
     * Starts a durable server.
     *
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static PostgresServer start() {
        return start(Durability.DURABLE);
    }

    /**
     * Starts a server.
     *
     * @param durability whether commits are flushed
     * @return the server, which answers
     * @throws IllegalStateException if it does not answer in time
     */
    public static PostgresServer start(Durability durability) {
        return begun(new PostgresServer(durability, false));
    }

    /**
     * Returns the JVM's shared server, which is {@link Durability#FAST}. The first call starts it; it ends with the
     * JVM.
     *
     * @return the server
     */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    @Override
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database + "?user=postgres";
    }

    @Override
    void initialize(ServerProcess process) {
        List<String> command = program("initdb", process);
        command.addAll(List.of("--pgdata=" + process.data(), "--username=postgres", "--auth=trust"));
        command.addAll(List.of("--encoding=UTF8", "--locale=C", "--no-sync"));
        InitialData.fill(process, Binaries.postgres(), command);
    }

    @Override
    List<String> command(ServerProcess process) {
        List<String> command = program("postgres", process);
        command.addAll(List.of("-D", process.data().toString(), "-p", Integer.toString(port())));
        List<String> settings = new ArrayList<>(SETTINGS);
        if (durability == Durability.FAST) {
            settings.addAll(FAST);
        }
        settings.forEach(setting -> command.addAll(List.of("-c", setting)));
        return command;
    }

    @Override
    String anyDatabase() {
        return "postgres";
    }

    @Override
    String create(String database) {
        return "CREATE DATABASE " + database;
    }

    private static PostgresServer begun(PostgresServer server) {
        server.begin();
        return server;
    }

    private static List<String> program(String name, ServerProcess process) {
        List<String> command = new ArrayList<>(Unprivileged.prefix(process.home()));
        command.add(Binaries.postgres().resolve("bin").resolve(name).toString());
        return command;
    }

    private static final class Shared {
        static final PostgresServer SERVER = begun(new PostgresServer(Durability.FAST, true));
    }
}
