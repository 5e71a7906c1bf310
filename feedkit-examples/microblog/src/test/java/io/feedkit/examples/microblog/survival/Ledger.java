package io.feedkit.examples.microblog.survival;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** The oracle: what was posted, deleted and followed, when; and what contradicts it. Thread-safe. */
final class Ledger {

    /** A post, which its text identifies, because its id is unknown until a request is answered. */
    static final class Entry {

        private final String author;
        private final String text;
        private final Span publish = new Span();
        private volatile Optional<String> id = Optional.empty();
        private volatile Optional<Span> delete = Optional.empty();

        private Entry(String author, String text) {
            this.author = author;
            this.text = text;
        }

        String author() {
            return author;
        }

        String text() {
            return text;
        }

        Span publish() {
            return publish;
        }

        void published(String as) {
            id = Optional.of(as);
            publish.end();
        }

        /** Present when the post was acknowledged. */
        Optional<String> id() {
            return id;
        }

        Span deleting() {
            Span span = new Span();
            delete = Optional.of(span);
            return span;
        }

        Optional<Span> delete() {
            return delete;
        }

        boolean isDeletedBy(long time) {
            return delete.filter(span -> span.returnedBy(time)).isPresent();
        }

        @Override
        public String toString() {
            return text + " (" + id.orElse("not acknowledged") + ") of " + author;
        }
    }

    private record Edge(String reader, String author) {}

    private record Change(boolean following, Span span) {}

    private final Map<String, Entry> posts = new ConcurrentHashMap<>();
    private final Map<Edge, List<Change>> changes = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    Entry publishing(String author, String text) {
        Entry entry = new Entry(author, text);
        posts.put(text, entry);
        return entry;
    }

    Optional<Entry> find(Shown shown) {
        return Optional.ofNullable(posts.get(shown.text()))
                .filter(entry -> entry.author().equals(shown.author()));
    }

    Collection<Entry> posts() {
        return posts.values();
    }

    /** Changes of one edge follow one another. */
    Span changing(String reader, String author, boolean following) {
        Change change = new Change(following, new Span());
        changes.computeIfAbsent(new Edge(reader, author), same -> new CopyOnWriteArrayList<>())
                .add(change);
        return change.span();
    }

    boolean follows(String reader, String author) {
        long now = System.nanoTime();
        return hasFollowed(reader, author, now, now);
    }

    /** Whether a reader has followed an author all the time from one time to another. */
    boolean hasFollowed(String reader, String author, long from, long to) {
        boolean followed = reader.equals(author);
        for (Change change : changesOf(reader, author)) {
            if (change.span().beganBy(to)) {
                followed = change.following() && change.span().returnedBy(from);
            }
        }
        return followed;
    }

    /** Whether a reader may have followed an author at some time from one time to another. */
    boolean mayFollow(String reader, String author, long from, long to) {
        boolean may = reader.equals(author);
        for (Change change : changesOf(reader, author)) {
            if (change.following() && change.span().beganBy(to)) {
                may = true;
            } else if (!change.following() && change.span().returnedBy(from)) {
                may = false;
            }
        }
        return may;
    }

    private List<Change> changesOf(String reader, String author) {
        return changes.getOrDefault(new Edge(reader, author), List.of());
    }

    int changes() {
        return changes.values().stream().mapToInt(List::size).sum();
    }

    /** The ids of a reader's feed in the end, newest first. */
    List<String> feed(String reader) {
        List<String> feed = new ArrayList<>();
        for (Entry entry : posts.values()) {
            if (entry.delete().isEmpty() && follows(reader, entry.author())) {
                entry.id().ifPresent(feed::add);
            }
        }
        feed.sort(Comparator.reverseOrder()); // ids have equal length
        return feed;
    }

    void violated(String what) {
        violations.add(what);
    }

    List<String> violations() {
        return List.copyOf(violations);
    }
}
