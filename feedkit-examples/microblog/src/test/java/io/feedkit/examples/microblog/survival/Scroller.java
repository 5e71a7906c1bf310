package io.feedkit.examples.microblog.survival;

import io.feedkit.examples.microblog.survival.Ledger.Entry;
import io.feedkit.examples.microblog.survival.Members.Member;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Scrolls home from the newest to the oldest post, again and again, and checks each walk. A page that fails is asked
 * for again, from any server. Runs in a thread of its own.
 */
final class Scroller implements Client {

    static final String HOME = "/api/v1/timelines/home?limit=20";

    /** How late a post may appear that another server has shown. */
    private static final Duration STALENESS = Duration.ofSeconds(2);

    private final Calls calls;
    private final Ledger ledger;
    private final Sightings sightings;
    private final Member reader;
    private final Duration delivered;
    private final Random random;
    private int pages;
    private int walks;
    private int interrupted;
    private volatile long walkBegan = System.nanoTime();

    /** @param delivered how late a post may appear that was published while something failed */
    Scroller(Calls calls, Ledger ledger, Sightings sightings, Member reader, Duration delivered, Random random) {
        this.calls = calls;
        this.ledger = ledger;
        this.sightings = sightings;
        this.reader = reader;
        this.delivered = delivered;
        this.random = random;
    }

    void scroll(Threads work) {
        while (work.goOn()) {
            walk();
        }
    }

    private void walk() {
        long began = System.nanoTime();
        List<Shown> walked = new ArrayList<>();
        int failures = 0;
        for (Optional<String> path = Optional.of(HOME); path.isPresent(); ) {
            Answer page = calls.get(reader.token(), path.get(), random);
            walked.addAll(checked(page));
            failures += page.attempts() - 1;
            pages++;
            path = page.next();
        }
        checkOrder(walked);
        checkComplete(walked, began);
        walks++;
        interrupted += failures == 0 ? 0 : 1;
        walkBegan = began;
    }

    /** The posts of a page, none of which was deleted, or of an author who was not followed, when it was asked for. */
    private List<Shown> checked(Answer page) {
        long now = System.nanoTime();
        List<Shown> items = new ArrayList<>();
        page.json().forEach(status -> items.add(Shown.of(status)));
        for (Shown item : items) {
            Optional<Entry> entry = ledger.find(item);
            entry.ifPresent(found -> sightings.saw(reader.id(), found));
            if (entry.isEmpty()) {
                violated("was shown " + item + ", which nobody wrote");
            } else if (entry.get().isDeletedBy(page.sentAt())) {
                violated("was shown " + item + " after its delete");
            } else if (!ledger.mayFollow(reader.id(), item.author(), page.sentAt(), now)) {
                violated("was shown " + item + " of an author who was not followed");
            }
        }
        return items;
    }

    private void checkOrder(List<Shown> walked) {
        Set<String> texts = new HashSet<>();
        long last = Long.MAX_VALUE;
        for (Shown item : walked) {
            long id = Long.parseLong(item.id());
            if (id >= last || !texts.add(item.text())) {
                violated("was shown " + item + " again or after an older post");
            }
            last = id;
        }
    }

    private void checkComplete(List<Shown> walked, long began) {
        long ended = System.nanoTime();
        Set<String> texts = new HashSet<>();
        walked.forEach(item -> texts.add(item.text()));
        for (Entry entry : ledger.posts()) {
            if (!texts.contains(entry.text()) && isExpected(entry, began, ended)) {
                violated("was not shown " + entry);
            }
        }
    }

    private boolean isExpected(Entry entry, long began, long ended) {
        boolean deleted = entry.delete().filter(delete -> delete.beganBy(ended)).isPresent();
        boolean due = entry.publish().returnedBy(began - delivered.toNanos())
                || sightings.isSeen(reader.id(), entry, began, STALENESS);
        return due && !deleted && ledger.hasFollowed(reader.id(), entry.author(), began, ended);
    }

    private void violated(String what) {
        ledger.violated("while scrolling, " + reader.id() + " " + what);
    }

    @Override
    public boolean wentOnSince(long time) {
        return walkBegan - time > 0;
    }

    int pages() {
        return pages;
    }

    int walks() {
        return walks;
    }

    /** How many walks had a page that failed first. */
    int interrupted() {
        return interrupted;
    }
}
