package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.bench.brokers.LateInbox.Deliveries;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A process with one worker of a queue, whose inboxes answer late. */
final class WorkerProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String READY = "it is ready";
    private static final String BEGIN = "begin";
    private static final String REPORT = "report";
    private static final String END = "end";
    private static final String DELIVERED = "it delivered ";

    private final ChildProcess process;

    /** Starts a process, which takes a while. */
    WorkerProcess(String database, String queue, long splitThreshold) {
        process = ChildProcess.start(WorkerProcess.class, List.of(database, queue, Long.toString(splitThreshold)));
    }

    /** Waits until its worker receives messages. */
    void awaitReady() {
        process.awaitLine(READY, LIMIT);
    }

    /** Makes its inboxes answer late, and count from now on. */
    void begin(long lateMillis) {
        process.send(BEGIN + " " + lateMillis);
        process.awaitLine(READY, LIMIT);
    }

    Deliveries deliveries() {
        process.send(REPORT);
        String line = process.awaitLine(DELIVERED, LIMIT);
        String[] numbers =
                line.substring(line.indexOf(DELIVERED) + DELIVERED.length()).split(" ", -1);
        return new Deliveries(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
    }

    @Override
    public void close() {
        try (process) {
            process.send(END);
            process.awaitExit(LIMIT);
        }
    }

    /**
     * Works until the parent ends it.
     *
     * @param args the database, the queue, and the number of followers above which a push is split
     * @throws IOException if the parent's input cannot be read
     */
    public static void main(String[] args) throws IOException {
        try (JdbcFeedStore sql = BenchDatabase.storeAt(args[0]);
                FanoutQueue queue = BenchQueue.at(args[1])) {
            LateInbox inbox = new LateInbox(sql.inbox(FullInboxes.LIMITS));
            FeedStore store = FeedStore.of(sql.outbox(), limits -> inbox, sql.graph(), sql.seenMarks());
            FeedEngine engine = FeedEngine.builder(store)
                    .fanoutQueue(QueuedFanout.over(queue).relay(false))
                    .workers(1)
                    .fanout(fanout -> fanout.splitThreshold(Long.parseLong(args[2])))
                    .build();
            try {
                System.out.println(READY);
                handleCommands(inbox);
            } finally {
                engine.close();
            }
        }
    }

    private static void handleCommands(LateInbox inbox) throws IOException {
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = parent.readLine(); line != null && !line.equals(END); line = parent.readLine()) {
            if (line.equals(REPORT)) {
                Deliveries made = inbox.deliveries();
                System.out.println(DELIVERED + made.readers() + " " + made.firstMillis() + " " + made.lastMillis());
            } else {
                inbox.begin(Long.parseLong(line.substring(BEGIN.length() + 1)));
                System.out.println(READY);
            }
        }
    }
}
