package io.feedkit.examples.redis;

import java.io.PrintWriter;

/** What there is to do: the tasks of each partition, in the order in which they come up, and those that nobody works on any more. */
final class LogView {

    private static final int ID = 13;
    private static final int TIME_AND_TURN = 14;
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
        Stored stored = Stored.of(header).version(log);
        String queue = server.ofPartition("queue", partition);
        String dead = server.ofPartition("dead", partition);
        out.printf(
                "log        %s: at %s, %d tasks ever, %d waiting or leased, %d finished, %d dead%n",
                log,
                stored.time(),
                stored.number(6),
                server.size(queue),
                server.size(server.ofPartition("done", partition)),
                server.size(dead));
        byte[] tasks = Server.bytes(server.ofPartition("tasks", partition));
        for (byte[] place : server.first(queue, limit)) {
            String due = Stored.of(place).time();
            String id = Stored.text(place).substring(TIME_AND_TURN);
            byte[] task = server.ask().hget(tasks, Server.bytes(id));
            if (task != null) {
                out.println("  " + id + " " + task(id, Stored.of(task), due));
            }
        }
        for (byte[] entry : server.first(dead, limit)) {
            Stored buried = Stored.of(entry);
            String id = buried.text(ID);
            String died = buried.time();
            String reason = buried.utf8((int) buried.number(REASON_LENGTH));
            out.println("  " + id + " dead since " + died + ", " + task(id, buried, died) + ": " + reason);
        }
    }

    private static String task(String id, Stored task, String due) {
        char kind = task.version(id).letter();
        String created = task.time();
        boolean leased = task.number(6) > 0;
        task.number(8);
        long attempts = task.number(2);
        String cursor = Stored.text(task.counted());
        task.counted();
        String from = Stored.text(task.counted());
        String below = Stored.text(task.counted());
        String oldest = kind == 'C' ? Stored.position(task.counted()) + " to " : "";
        return kind(kind) + " " + oldest + Stored.position(task.rest())
                + ", created " + created
                + (leased ? ", leased until " : ", due ") + due
                + (attempts > 0 ? ", attempts " + attempts : "")
                + (from.isEmpty() && below.equals("\u007f")
                        ? ""
                        : ", followers from '" + from + "' below '" + below + "'")
                + (cursor.isEmpty() ? "" : ", at follower " + cursor);
    }

    private static String kind(char letter) {
        return switch (letter) {
            case 'P' -> "push";
            case 'L' -> "pull";
            case 'A' -> "push to the active";
            case 'R' -> "retract";
            case 'S' -> "retract again";
            case 'C' -> "catch up";
            default -> "unknown " + letter;
        };
    }
}
