package io.feedkit.redis.internal.counter;

import static java.util.stream.Collectors.toSet;

import io.feedkit.counter.Reactions.Repair;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.counter.RedisCounters.FirstChange;
import io.feedkit.redis.internal.counter.RedisCounters.Ticket;
import io.feedkit.redis.internal.counter.RedisCounters.WrongCount;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.ReactionLabel;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Recounts the reactions to all posts from the stored reactions of users.
 *
 * <p>A first walk through all users finds counts that look wrong. Some only look wrong, because users react meanwhile.
 * A second walk examines only the posts of these counts, each under a watch. Only redeemed tickets change what a
 * reaction counts for, and they change the count by the same amount. So the error of a count stays the same. The second
 * walk finds how many users a count should have had when the watch began. Users without a redeemed ticket since then
 * count as the walk finds them, whenever it reaches them. For the other users, the first change that the watch recorded
 * decides: a user who was added had not been counted before.
 *
 * @param link the servers
 * @param keys the keys of owners
 * @param store the counters
 * @param most about how many users a walk under a watch keeps in memory; for more users there are several walks, each
 *     through a part
 */
record ReactionRecount(RedisLink link, OwnerKeys keys, RedisCounters store, int most) {

    /** How many users a walk under a watch keeps in memory: they take some 25 MB. */
    static final int USERS = 250_000;

    private static final String OPERATION = "counterStore.reconcile";

    /** The most posts of one walk under a watch. */
    private static final int WATCHED = 10_000;

    /** The most sets or posts that are read at once. */
    private static final int AT_ONCE = 100;

    private static final Comparator<CellKey> ORDER =
            Comparator.<CellKey, String>comparing(key -> key.owner().id()).thenComparing(CellKey::name);

    /**
     * A count that looks wrong.
     *
     * @param key the count
     * @param users how many users the first walk found
     */
    private record Suspect(CellKey key, long users) {}

    /** A reaction that is not settled. */
    private record Unsettled(String user, Member member) {}

    /** A walk under a watch through a part of the users. */
    private final class Walk {
        /** The users of each count, by settled reactions. */
        private final Map<CellKey, Set<String>> users = new HashMap<>();

        private final Map<String, Unsettled> unsettled = new HashMap<>();
        private final Set<Owner> posts;
        private final int part;
        private final int parts;

        Walk(Collection<CellKey> counts, int part, int parts) {
            counts.forEach(count -> users.put(count, new HashSet<>()));
            posts = counts.stream().map(CellKey::owner).collect(toSet());
            this.part = part;
            this.parts = parts;
            eachMember(this::collect);
        }

        private boolean isInPart(String user) {
            return Math.floorMod(user.hashCode(), parts) == part;
        }

        private void collect(String user, Member member) {
            if (!isInPart(user) || !posts.contains(post(member))) {
                return;
            }
            if (member.settled()) {
                add(user, member, true);
            } else {
                unsettled.putIfAbsent(user + " " + member.name(), new Unsettled(user, member));
            }
        }

        private void add(String user, Member member, boolean redeemed) {
            ReactionLabel label = ReactionLabel.of(member.label());
            label.counted(redeemed).ifPresent(choice -> {
                Set<String> there = users.get(count(member, label, choice));
                if (there != null) {
                    there.add(user);
                }
            });
        }

        /**
         * Adds the reactions that are not settled. If the walk also found the user's reaction settled, the result is
         * the same.
         */
        void finish() {
            List<Unsettled> all = List.copyOf(unsettled.values());
            List<Boolean> open = store.areOpen(all.stream()
                    .map(each -> new Ticket(post(each.member()), each.member().number()))
                    .toList());
            for (int i = 0; i < all.size(); i++) {
                add(all.get(i).user(), all.get(i).member(), !open.get(i));
            }
        }

        /** Restores the state of a user before a change. */
        void undo(FirstChange change) {
            Set<String> there = users.get(change.count());
            if (there == null || !isInPart(change.user())) {
                return;
            }
            if (change.added()) {
                there.remove(change.user());
            } else {
                there.add(change.user());
            }
        }
    }

    private List<Repair> repair(List<Suspect> suspects, int limit, boolean onlyFind) {
        long token = Arguments.newToken();
        Map<Owner, List<String>> names = new LinkedHashMap<>();
        suspects.forEach(suspect -> {
            List<String> cells = names.computeIfAbsent(suspect.key().owner(), none -> new ArrayList<>());
            cells.add(suspect.key().name());
            String incarnation = incarnation(suspect.key().name());
            if (!cells.contains(incarnation)) {
                cells.add(incarnation);
            }
        });
        try {
            Map<CellKey, Long> began = store.watch(names, token);
            Map<CellKey, Long> users = users(suspects, token);
            List<WrongCount> wrong = new ArrayList<>();
            for (Suspect suspect : suspects) {
                CellKey key = suspect.key();
                Long is = users.get(key);
                long was = orZero(began.get(key));
                String incarnation = incarnation(key.name());
                long present = orZero(began.get(new CellKey(key.owner(), incarnation)));
                if (is != null && is != was && isOf(key.name(), present) && wrong.size() < limit) {
                    wrong.add(new WrongCount(key, was, is, incarnation, present));
                }
            }
            List<Boolean> repaired = onlyFind ? Collections.nCopies(wrong.size(), true) : store.repair(wrong, token);
            List<Repair> repairs = new ArrayList<>();
            for (int i = 0; i < wrong.size(); i++) {
                if (repaired.get(i)) {
                    repairs.add(Repair.of(
                            wrong.get(i).key(), wrong.get(i).was(), wrong.get(i).is()));
                }
            }
            return repairs;
        } finally {
            store.unwatch(List.copyOf(names.keySet()), token);
        }
    }

    /** How many users each count should have had when the watches began. Posts whose watches ended are left out. */
    private Map<CellKey, Long> users(List<Suspect> suspects, long token) {
        long all = suspects.stream().mapToLong(Suspect::users).sum();
        int parts = Math.toIntExact(1 + all / most);
        Map<CellKey, Long> users = new HashMap<>();
        suspects.forEach(suspect -> users.put(suspect.key(), 0L));
        List<Owner> posts = suspects.stream()
                .map(suspect -> suspect.key().owner())
                .distinct()
                .toList();
        Set<Owner> ended = new HashSet<>();
        for (int part = 0; part < parts; part++) {
            Walk walk = new Walk(users.keySet(), part, parts);
            walk.finish();
            List<Optional<List<FirstChange>>> changes = store.firstChanges(posts, token);
            for (int i = 0; i < posts.size(); i++) {
                changes.get(i).ifPresentOrElse(first -> first.forEach(walk::undo), endedAt(ended, posts.get(i)));
            }
            walk.users.forEach((count, found) -> users.merge(count, (long) found.size(), Long::sum));
        }
        users.keySet().removeIf(count -> ended.contains(count.owner()));
        return users;
    }

    private static Runnable endedAt(Set<Owner> ended, Owner post) {
        return () -> ended.add(post);
    }

    private static Owner post(Member member) {
        return new Owner(Space.POSTS, member.name().substring(member.name().indexOf('/') + 1));
    }

    /**
     * Repairs counts, or only finds those that are wrong.
     *
     * @param limit the most repairs
     * @param onlyFind whether to leave the counts as they are
     * @return the repairs
     */
    List<Repair> repair(int limit, boolean onlyFind) {
        List<Suspect> suspects = suspects();
        List<Repair> repairs = new ArrayList<>();
        int from = 0;
        while (from < suspects.size() && repairs.size() < limit) {
            int to = from + 1;
            long users = suspects.get(from).users();
            while (to < suspects.size()
                    && to - from < WATCHED
                    && users + suspects.get(to).users() < most) {
                users += suspects.get(to++).users();
            }
            repairs.addAll(repair(suspects.subList(from, to), limit - repairs.size(), onlyFind));
            from = to;
        }
        return repairs;
    }

    /** The counts that look wrong, in the order of their posts. */
    private List<Suspect> suspects() {
        Map<CellKey, Long> missing = new HashMap<>();
        eachMember((user, member) -> {
            ReactionLabel label = ReactionLabel.of(member.label());
            label.counted(true).ifPresent(choice -> missing.merge(count(member, label, choice), 1L, Long::sum));
        });
        Map<CellKey, Suspect> suspects = new TreeMap<>(ORDER);
        link.scan(
                OPERATION,
                keys.cells(Space.POSTS),
                found -> eachPost(found, (post, cells) -> {
                    cells.forEach((name, cell) -> {
                        CellKey key = new CellKey(post, name);
                        if (name.startsWith("+") && !name.endsWith("/")) {
                            long users = orZero(missing.remove(key));
                            if (cell.count() != users && isCurrent(name, cells)) {
                                suspects.put(key, new Suspect(key, users));
                            }
                        }
                    });
                }));
        // The posts of the remaining keys have no such count.
        List<CellKey> others = List.copyOf(missing.keySet());
        for (int from = 0; from < others.size(); from += AT_ONCE) {
            List<CellKey> some = others.subList(from, Math.min(others.size(), from + AT_ONCE));
            List<Map<String, Cell>> cells =
                    store.cells(some.stream().map(CellKey::owner).toList());
            for (int i = 0; i < some.size(); i++) {
                if (isCurrent(some.get(i).name(), cells.get(i))
                        && !cells.get(i).containsKey(some.get(i).name())) {
                    suspects.put(some.get(i), new Suspect(some.get(i), orZero(missing.get(some.get(i)))));
                }
            }
        }
        return List.copyOf(suspects.values());
    }

    private static long orZero(@Nullable Long count) {
        return count == null ? 0 : count;
    }

    private static CellKey count(Member member, ReactionLabel label, String choice) {
        int slash = member.name().indexOf('/');
        String name = "+" + member.name().substring(0, slash + 1) + label.incarnation()
                + (choice.isEmpty() ? "" : "/" + choice);
        return new CellKey(post(member), name);
    }

    /** The name of the cell with the incarnation that a count belongs to. */
    private static String incarnation(String count) {
        return count.substring(0, count.indexOf('/') + 1);
    }

    private static boolean isCurrent(String count, Map<String, Cell> cells) {
        return isOf(count, cells.getOrDefault(incarnation(count), Cell.NONE).count());
    }

    private static boolean isOf(String count, long incarnation) {
        return count.split("/", -1)[1].equals(Long.toString(incarnation));
    }

    /** Walks through all reactions. A user may be passed several times. */
    private void eachMember(BiConsumer<String, Member> some) {
        link.scan(OPERATION, keys.sets(Space.REACTIONS), found -> {
            List<Owner> users = found.stream()
                    .map(key -> keys.ownerOfSet(Space.REACTIONS, key))
                    .toList();
            for (int from = 0; from < users.size(); from += AT_ONCE) {
                List<Owner> part = users.subList(from, Math.min(users.size(), from + AT_ONCE));
                List<List<Member>> sets =
                        store.read(Wanted.NOTHING.withMembers(part)).members();
                for (int i = 0; i < part.size(); i++) {
                    String user = part.get(i).id();
                    sets.get(i).forEach(member -> some.accept(user, member));
                }
            }
            return true;
        });
    }

    /** Returns true, so that a walk goes on. */
    private boolean eachPost(List<byte[]> found, BiConsumer<Owner, Map<String, Cell>> some) {
        List<Owner> posts =
                found.stream().map(key -> keys.ownerOfCells(Space.POSTS, key)).toList();
        for (int from = 0; from < posts.size(); from += AT_ONCE) {
            List<Owner> part = posts.subList(from, Math.min(posts.size(), from + AT_ONCE));
            List<Map<String, Cell>> cells = store.cells(part);
            for (int i = 0; i < part.size(); i++) {
                some.accept(part.get(i), cells.get(i));
            }
        }
        return true;
    }
}
