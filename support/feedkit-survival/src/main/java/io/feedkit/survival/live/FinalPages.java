package io.feedkit.survival.live;

import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.survival.live.Client.Arrival;
import io.feedkit.survival.live.Ledger.Entry;
import io.feedkit.testservers.survival.Walks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads pages when everything is quiet: the feeds must be those of the ledger. From the cursor of an event, the posts
 * that arrived after the event must follow, and none that arrived before.
 */
final class FinalPages {

    private static final int CLIENTS = 60;
    private static final int EVENTS = 3;
    private static final int PAGE = 100;

    private final Ledger ledger;
    private final List<LocalEngine> engines;

    FinalPages(Ledger ledger, List<LocalEngine> engines) {
        this.ledger = ledger;
        this.engines = engines;
    }

    List<String> check(List<Client> clients, Random random) {
        List<String> violations = new ArrayList<>();
        for (Client client : clients.subList(0, Math.min(CLIENTS, clients.size()))) {
            for (LocalEngine engine : engines) {
                checkFeed(engine, client.reader(), violations);
                checkCursors(engine, client, random, violations);
            }
        }
        return violations;
    }

    private void checkFeed(LocalEngine engine, String reader, List<String> violations) {
        Set<Post> shown = new HashSet<>(Walks.plain(engine.feed(), reader));
        Set<Post> feed = new HashSet<>(ledger.feed(reader));
        if (!shown.equals(feed)) {
            Set<Post> missing = new HashSet<>(feed);
            missing.removeAll(shown);
            Set<Post> surplus = new HashSet<>(shown);
            surplus.removeAll(feed);
            violations.add(
                    "the feed of " + reader + " on " + engine.name() + " lacks " + missing + " and has " + surplus);
        }
    }

    private void checkCursors(LocalEngine engine, Client client, Random random, List<String> violations) {
        List<Arrival> arrivals = client.stretches().stream()
                .flatMap(stretch -> stretch.arrivals().stream())
                .toList();
        for (int i = 0; i < EVENTS && !arrivals.isEmpty(); i++) {
            int index = i == 0 ? arrivals.size() - 1 : random.nextInt(arrivals.size());
            Cursor cursor = arrivals.get(index).event().cursor();
            Set<PostKey> newer = newer(engine, client.reader(), cursor);
            Set<PostKey> before = posts(arrivals.subList(0, index + 1));
            Set<PostKey> repeated = new HashSet<>(before);
            repeated.retainAll(newer);
            Set<PostKey> lacking = posts(arrivals.subList(index + 1, arrivals.size()));
            lacking.removeIf(key -> newer.contains(key) || !mustRemain(client, key));
            if (!repeated.isEmpty() || !lacking.isEmpty()) {
                violations.add("the pages of " + client.reader() + " on " + engine.name() + " from the cursor of event "
                        + index + " of " + arrivals.size() + " repeat " + repeated + " and lack " + lacking);
            }
        }
    }

    private boolean mustRemain(Client client, PostKey key) {
        Entry entry = ledger.find(key).orElseThrow();
        return entry.delete().isEmpty()
                && ledger.hasFollowedSince(
                        client.reader(), key.author(), entry.publish().began());
    }

    private static Set<PostKey> posts(List<Arrival> arrivals) {
        return arrivals.stream()
                .filter(arrival -> arrival.event() instanceof PostAdded)
                .map(arrival -> ((PostAdded) arrival.event()).post().key())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static Set<PostKey> newer(LocalEngine engine, String reader, Cursor since) {
        Set<PostKey> newer = new HashSet<>();
        Cursor cursor = since;
        boolean more = true;
        while (more) {
            FeedPage<Post> page = engine.feed().read(reader, PageRequest.newer(cursor, PAGE));
            page.items().forEach(post -> newer.add(post.key()));
            cursor = page.newer();
            more = page.moreNewer();
        }
        return newer;
    }
}
