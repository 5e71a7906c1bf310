package io.feedkit.examples.microblog.survival;

import io.feedkit.examples.microblog.survival.Ledger.Entry;
import io.feedkit.examples.microblog.survival.Members.Member;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Posts on behalf of all members, and deletes some of the posts. Runs in a thread of its own. */
final class Author implements Client {

    private static final int PAUSE_MILLIS = 1_200;
    private static final int DELETED = 5;
    private static final int OLDEST_DELETED = 20;

    private final Calls calls;
    private final Ledger ledger;
    private final Members members;
    private final String prefix;
    private final Random random;
    private final List<Entry> posts = new ArrayList<>();
    private volatile long postedAt = System.nanoTime();

    /** @param prefix of the texts, which differ between authors */
    Author(Calls calls, Ledger ledger, Members members, String prefix, Random random) {
        this.calls = calls;
        this.ledger = ledger;
        this.members = members;
        this.prefix = prefix;
        this.random = random;
    }

    void write(Threads work) {
        for (int n = 0; work.goOn(); n++) {
            post(members.any(random), prefix + n);
            if (random.nextInt(DELETED) == 0) {
                // Often the latest one, whose fan-out may not have ended.
                int age = random.nextBoolean() ? 0 : random.nextInt(Math.min(posts.size(), OLDEST_DELETED));
                delete(posts.remove(posts.size() - 1 - age));
            }
            Rounds.moment(random, PAUSE_MILLIS);
        }
    }

    private void post(Member author, String text) {
        long began = System.nanoTime();
        Entry entry = ledger.publishing(author.id(), text);
        Answer answer = calls.untilAnswered(
                new Calls.Call(
                        "POST",
                        "/api/v1/statuses",
                        author.token(),
                        Map.of("status", text),
                        Map.of("Idempotency-Key", text)),
                random);
        Shown shown = Shown.of(answer.json());
        if (!answer.isOk() || ledger.find(shown).filter(found -> found == entry).isEmpty()) {
            ledger.violated("the post " + text + " was answered " + answer);
        }
        entry.published(shown.id());
        posts.add(entry);
        postedAt = began;
    }

    private void delete(Entry entry) {
        Span span = entry.deleting();
        String token = members.all().stream()
                .filter(member -> member.id().equals(entry.author()))
                .map(Member::token)
                .findFirst()
                .orElseThrow();
        Answer answer = calls.untilAnswered(
                new Calls.Call("DELETE", "/api/v1/statuses/" + entry.id().orElseThrow(), token, Map.of(), Map.of()),
                random);
        // An earlier request may have deleted it.
        if (!answer.isOk() && answer.attempts() == 1) {
            ledger.violated("the delete of " + entry + " was answered " + answer);
        }
        span.end();
    }

    @Override
    public boolean wentOnSince(long time) {
        return postedAt - time > 0;
    }
}
