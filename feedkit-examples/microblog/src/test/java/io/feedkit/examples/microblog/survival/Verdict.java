package io.feedkit.examples.microblog.survival;

import io.feedkit.examples.microblog.survival.Ledger.Entry;
import io.feedkit.examples.microblog.survival.Members.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Compares streams and pages with the ledger, when nothing changes any more. */
final class Verdict {

    private final Ground ground;
    private final Http http;
    private final Ledger ledger;
    private final Random random;

    Verdict(Ground ground, Http http, Ledger ledger, Random random) {
        this.ground = ground;
        this.http = http;
        this.ledger = ledger;
        this.random = random;
    }

    /** What clients lack, or have too much. Events may still be on their way. */
    List<String> differences(List<Listener> listeners, Members members) {
        List<String> differences = new ArrayList<>();
        listeners.forEach(listener -> compareStream(listener, differences));
        if (differences.isEmpty()) {
            for (Application server : ground.applications()) {
                members.all().forEach(member -> comparePages(server, member, differences));
            }
        }
        return differences;
    }

    /** All posts come by the stream, also those after a catch-up; only deletes may have to be looked for on pages. */
    private void compareStream(Listener listener, List<String> differences) {
        for (Entry entry : ledger.posts()) {
            if (isDue(listener, entry) && !listener.got(entry)) {
                differences.add("the stream of " + listener.reader().id() + " lacks " + entry);
            }
            if (entry.delete().isPresent() && listener.got(entry) && !listener.knowsDelete(entry)) {
                differences.add("the stream of " + listener.reader().id() + " did not report the delete of " + entry);
            }
        }
    }

    private boolean isDue(Listener listener, Entry entry) {
        return entry.id().isPresent()
                && entry.delete().isEmpty()
                && ledger.hasFollowed(
                        listener.reader().id(), entry.author(), entry.publish().began(), System.nanoTime());
    }

    private void comparePages(Application server, Member member, List<String> differences) {
        List<String> ids = new ArrayList<>();
        Calls calls = new Calls(List.of(server), http, ledger);
        for (Optional<String> path = Optional.of(Scroller.HOME); path.isPresent(); ) {
            Answer page = calls.get(member.token(), path.get(), random);
            page.json().forEach(status -> ids.add(Shown.of(status).id()));
            path = page.next();
        }
        List<String> feed = ledger.feed(member.id());
        if (!ids.equals(feed)) {
            List<String> lacking = new ArrayList<>(feed);
            lacking.removeAll(ids);
            List<String> surplus = new ArrayList<>(ids);
            surplus.removeAll(feed);
            differences.add("in the end, the pages of " + member.id() + " on port " + server.port() + " lack " + lacking
                    + " and have " + surplus + ", or are in a wrong order or repeat: " + ids);
        }
    }
}
