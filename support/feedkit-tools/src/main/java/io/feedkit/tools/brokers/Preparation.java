package io.feedkit.tools.brokers;

import io.feedkit.PageRequest;
import io.feedkit.event.FeedListener;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.tools.servers.FanoutQueues;
import io.feedkit.tools.servers.KafkaUrl;
import io.feedkit.tools.servers.RunKeys;
import io.feedkit.tools.servers.RunTables;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Creates what the processes of a run share, and deletes it after they end. */
final class Preparation {

    private static final int EDGES_AT_ONCE = 10_000;

    private final Place place;

    Preparation(Place place) {
        this.place = place;
    }

    /** Creates the run's tables, queues and topics. If a server cannot be used, everything is deleted again. */
    void makeEmpty() {
        place.orRefuse(() -> {
            RunTables.make(place.database(), place.tablePrefix());
            return true;
        });
        try {
            place.orRefuse(() -> {
                place.openQueue().close();
                place.events().ifPresent(url -> KafkaUrl.createTopic("events", url, place.eventTopic()));
                place.openInboxes(place.timeout()).ifPresent(RedisInboxes::close);
                return true;
            });
        } catch (RuntimeException e) {
            removeAfter(e);
            throw e;
        }
    }

    private void removeAfter(RuntimeException failure) {
        try {
            remove();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Adds followers of the celebrity. Each reads once, because posts are only pushed to the inboxes of readers. */
    void addFollowers(int number) {
        try (Member member = place.orRefuse(() -> Member.reader(place, Readers.THREADS, FeedListener.NONE));
                Readers readers = new Readers()) {
            for (int from = 0; from < number; from += EDGES_AT_ONCE) {
                List<String> some = IntStream.range(from, Math.min(number, from + EDGES_AT_ONCE))
                        .mapToObj(Preparation::follower)
                        .toList();
                member.graph()
                        .add(some.stream()
                                .map(follower -> new Edge(follower, Place.CELEBRITY))
                                .toList());
                readers.forEach(some, reader -> member.engine().read(reader, PageRequest.first(1)));
            }
        }
    }

    private static String follower(int number) {
        return String.format(Locale.ROOT, "follower-%07d", number);
    }

    /** Deletes the run's data from all servers. If one fails, the others are still cleaned up. */
    void remove() {
        List<Runnable> removals = List.of(
                () -> place.events()
                        .ifPresent(url -> KafkaUrl.deleteTopics("events", url, List.of(place.eventTopic()))),
                () -> place.events().ifPresent(url -> KafkaUrl.deleteGroups("events", url, place.eventTopic())),
                () -> FanoutQueues.remove(place.queueUrl(), place.queuePrefix()),
                () -> place.redis().ifPresent(url -> new RunKeys(url, place.run()).remove()),
                () -> RunTables.drop(place.database(), place.tablePrefix()));
        RuntimeException failure = null;
        for (Runnable removal : removals) {
            try {
                removal.run();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
