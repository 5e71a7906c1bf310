package io.feedkit.tools.inspect;

import java.io.PrintWriter;

/** Shows the tasks of each partition, in the order in which they are due, and the finished and dead tasks. */
final class LogView {

    private static final int ID = 14;
    private static final int TURN = 8;
    private static final int OUTAGE = 8;
    private static final int REASON_LENGTH = 2;

    private final Server server;
    private final PrintWriter out;
    private final int limit;

    LogView(Server server, PrintWriter out, int limit) {
        this.server = server;
        this.out = out;
        this.limit = limit;
    }

    void print() {
        for (int partition = 0; partition < Server.PARTITIONS; partition++) {
            print(partition);
        }
    }

    private void print(int partition) {
        String log = server.ofPartition("log", partition);
        byte[] header = server.get(log);
        if (header.length == 0) {
            return;
        }
        String fresh = server.ofPartition("fresh", partition);
        String tasks = server.ofPartition("tasks", partition);
        String queue = server.ofPartition("queue", partition);
        String dead = server.ofPartition("dead", partition);
        out.printf(
                "log        %s: at %s, %d fresh, %d claimed before, %d finished, %d dead%n",
                log,
                Stored.of(header).version(log).time(),
                server.length(fresh),
                server.size(queue),
                server.length(server.ofPartition("done", partition)),
                server.size(dead));
        for (byte[] task : server.front(fresh, limit)) {
            fresh(Stored.of(task));
        }
        for (byte[] place : server.first(queue, limit)) {
            claimed(Stored.of(place), tasks);
        }
        for (byte[] task : server.first(dead, limit)) {
            dead(Stored.of(task));
        }
    }

    private void fresh(Stored task) {
        task.time();
        task.number(TURN);
        String id = task.text(ID);
        out.println("  " + id + " fresh: " + work(id, task));
    }

    private void claimed(Stored place, String tasks) {
        String time = place.time();
        boolean lent = place.number(TURN) % 2 != 0;
        String id = place.text(ID);
        byte[] task = server.ask().hget(Server.bytes(tasks), Server.bytes(id));
        if (task != null) {
            Stored record = Stored.of(task);
            String given = lent ? " lent until " : " leased until ";
            String state = record.number(6) > 0 ? given : " due ";
            out.println("  " + id + state + time + ": " + attempted(id, record));
        }
    }

    private void dead(Stored task) {
        String id = task.text(ID);
        String died = task.time();
        String reason = task.utf8((int) task.number(REASON_LENGTH));
        task.number(6);
        out.println("  " + id + " dead since " + died + ", " + reason + ": " + attempted(id, task));
    }

    /** The part of a task's record after the end of its lease. */
    private static String attempted(String id, Stored task) {
        task.number(TURN);
        long attempts = task.number(2);
        task.number(OUTAGE);
        return work(id, task) + (attempts > 0 ? ", failed " + attempts + " times" : "");
    }

    private static String work(String id, Stored task) {
        char kind = task.version(id).letter();
        String created = task.time();
        String cursor = Stored.text(task.counted());
        task.counted();
        String from = Stored.text(task.counted());
        String below = Stored.text(task.counted());
        String oldest = kind == 'C' ? Stored.position(task.counted()) + " to " : "";
        return kind(kind) + " " + oldest + Stored.position(task.rest())
                + ", created " + created
                + (from.isEmpty() && below.equals("\u007f")
                        ? ""
                        : ", followers from '" + from + "' below '" + below + "'")
                + (cursor.isEmpty() ? "" : ", at follower " + cursor);
    }

    private static String kind(char letter) {
        return switch (letter) {
            case 'P' -> "push";
            case 'L' -> "pull";
            case 'A' -> "push to active readers";
            case 'R' -> "retract";
            case 'S' -> "retract later";
            case 'C' -> "catch up";
            default -> "unknown " + letter;
        };
    }
}
