package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pulled register: entries, posts being retracted, and the latest changes in their order, under one lock. Each
 * author, and each post, is listed once among the changes, at its latest change.
 */
final class MemoryPulledRegister implements PulledRegister {

    /** The most authors and posts that are listed as changed. */
    static final int CHANGES = 100_000;

    /** A register, and the number of its last change. */
    private record Version(MemoryPulledRegister register, long number) implements Moment {}

    private final Map<String, Entry> pulled = new HashMap<>();
    private final Map<String, Set<String>> retracting = new HashMap<>();
    private final TreeMap<Long, Object> changes = new TreeMap<>();
    private final Map<Object, Long> changedAt = new HashMap<>();
    private long version;
    private long droppedUpTo;
    private int retractions;

    @Override
    public synchronized Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
        Map<String, Optional<Entry>> entries = new HashMap<>();
        Set<PostKey> begun = new HashSet<>();
        Set<PostKey> ended = new HashSet<>();
        Optional<Version> from =
                since.map(Version.class::cast).filter(known -> known.register == this && known.number >= droppedUpTo);
        Scope scope = Scope.AUTHORS;
        Collection<String> asked = authors;
        if (from.isPresent()) {
            scope = Scope.CHANGES;
            changes.tailMap(from.get().number, false).values().forEach(changed -> {
                if (changed instanceof PostKey key) {
                    (isRetracting(key) ? begun : ended).add(key);
                } else {
                    String author = (String) changed;
                    entries.put(author, Optional.ofNullable(pulled.get(author)));
                }
            });
        } else if (pulled.size() + retractions <= wholeUpTo) {
            scope = Scope.WHOLE;
            asked = new HashSet<>(authors);
            asked.addAll(pulled.keySet());
            asked.addAll(retracting.keySet());
        }
        for (String author : asked) {
            entries.put(author, Optional.ofNullable(pulled.get(author)));
            retracting.getOrDefault(author, Set.of()).forEach(id -> begun.add(new PostKey(author, id)));
        }
        return new Update(new Version(this, version), scope, entries, begun, ended);
    }

    /** Returns the authors that have an entry. */
    synchronized Set<String> registered(Collection<String> authors) {
        Set<String> registered = new HashSet<>(authors);
        registered.retainAll(pulled.keySet());
        return registered;
    }

    /** Whether a post is in the span of its author's entry. */
    synchronized boolean isUnpushed(Post post) {
        Entry entry = pulled.get(post.author());
        return entry != null
                && entry.oldest().compareOf(post) >= 0
                && entry.newest().compareOf(post) <= 0;
    }

    @Override
    public synchronized void put(List<Post> unpushed) {
        for (Post post : unpushed) {
            Position position = Position.of(post);
            Entry entry = pulled.get(post.author());
            Position oldest = entry == null ? position : Position.min(entry.oldest(), position);
            Position newest = entry == null ? position : Position.max(entry.newest(), position);
            pulled.put(post.author(), new Entry(oldest, newest, changed(post.author())));
        }
    }

    @Override
    public synchronized boolean remove(String author, long expected) {
        Entry entry = pulled.get(author);
        if (entry == null || entry.version() != expected) {
            return false;
        }
        pulled.remove(author);
        changed(author);
        return true;
    }

    /** Enters a deleted post. The caller then records its retraction in the log, under the same lock of the author. */
    synchronized void retracting(PostKey key) {
        if (retracting.computeIfAbsent(key.author(), author -> new TreeSet<>()).add(key.id())) {
            retractions++;
            changed(key);
        }
    }

    @Override
    public synchronized void retracted(List<PostKey> retracted) {
        for (PostKey key : retracted) {
            if (isRetracting(key)) {
                retracting.computeIfPresent(key.author(), (author, ids) -> {
                    ids.remove(key.id());
                    return ids.isEmpty() ? null : ids;
                });
                retractions--;
                changed(key);
            }
        }
    }

    private boolean isRetracting(PostKey key) {
        return retracting.getOrDefault(key.author(), Set.of()).contains(key.id());
    }

    /** Records a change of an author or a post, and returns the change's number. */
    private long changed(Object authorOrPost) {
        long number = ++version;
        changes.put(number, authorOrPost);
        Long before = changedAt.put(authorOrPost, number);
        if (before != null) {
            changes.remove(before);
        } else if (changes.size() > CHANGES) {
            Map.Entry<Long, Object> oldest = changes.pollFirstEntry();
            changedAt.remove(oldest.getValue());
            droppedUpTo = oldest.getKey();
        }
        return number;
    }
}
