package io.feedkit.examples.microblog.world;

import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.announcement.Bulletins;
import io.feedkit.examples.microblog.status.Status;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Thirty invented accounts with three days of posts. The same at each creation, but for the times. */
@Component
class SmallWorld {

    static final String LOGINS = "ada, bruno or chen";

    private static final int POSTS = 2_000;
    private static final int FAMOUS = 5;
    private static final int OFTEN = 8;
    private static final int REPLIES_OF_TEN = 3;
    private static final int BOOSTS_OF_TEN = 1;
    private static final Duration PAST = Duration.ofDays(3);

    private final History history;
    private final Bulletins bulletins;
    private final Clock clock;

    SmallWorld(History history, Bulletins bulletins, Clock clock) {
        this.history = history;
        this.bulletins = bulletins;
        this.clock = clock;
    }

    void create() {
        Random random = new Random(40);
        long start = clock.millis() - PAST.toMillis();
        List<Account> accounts = accounts(start - PAST.toMillis());
        history.addAccounts(accounts);
        history.addFollows(follows(accounts, random));
        List<Status> statuses = statuses(accounts, start, random);
        history.addStatuses(statuses);
        history.addLikes(likes(accounts, statuses, random));
        bulletins.publish("Welcome! Everything here is invented, and stays on this machine.");
    }

    private static List<Account> accounts(long created) {
        List<Account> accounts = new ArrayList<>();
        for (String[] person : Texts.PEOPLE) {
            long millis = created + accounts.size();
            accounts.add(new Account(Snowflakes.first(millis), person[0], person[1], person[2], millis));
        }
        return accounts;
    }

    /** Everybody follows the famous ones, and a few others. The first account follows most. */
    private static Map<String, Set<String>> follows(List<Account> accounts, Random random) {
        Map<String, Set<String>> follows = new LinkedHashMap<>();
        for (Account reader : accounts) {
            Set<String> followees = new LinkedHashSet<>();
            int others = reader.equals(accounts.get(0)) ? 2 * accounts.size() : OFTEN;
            for (int i = 0; i < others; i++) {
                followees.add(any(accounts, random).key());
            }
            accounts.subList(accounts.size() - FAMOUS, accounts.size()).forEach(famous -> followees.add(famous.key()));
            followees.remove(reader.key());
            follows.put(reader.key(), followees);
        }
        return follows;
    }

    private static List<Status> statuses(List<Account> accounts, long start, Random random) {
        List<Status> statuses = new ArrayList<>();
        Set<String> boosts = new HashSet<>();
        long step = PAST.toMillis() / POSTS;
        for (int i = 0; i < POSTS; i++) {
            long id = Snowflakes.first(start + i * step + random.nextInt((int) step));
            long author = any(accounts, random).id();
            int kind = random.nextInt(10);
            Optional<Status> earlier = i == 0
                    ? Optional.empty()
                    : Optional.of(statuses.get(i - 1 - random.nextInt(Math.min(i, OFTEN * OFTEN))))
                            .filter(status -> status.reblogOfId().isEmpty());
            if (kind < BOOSTS_OF_TEN
                    && earlier.isPresent()
                    && boosts.add(author + " " + earlier.get().id())) {
                statuses.add(new Status(id, author, "", Optional.empty(), Optional.empty(), earlier.map(Status::id)));
            } else if (kind < BOOSTS_OF_TEN + REPLIES_OF_TEN && earlier.isPresent()) {
                String text = any(Texts.REPLIES, random);
                statuses.add(new Status(
                        id, author, text, earlier.map(Status::id), earlier.map(Status::accountId), Optional.empty()));
            } else {
                String text = any(Texts.POSTS, random);
                statuses.add(new Status(id, author, text, Optional.empty(), Optional.empty(), Optional.empty()));
            }
        }
        return statuses;
    }

    private static Set<Reaction> likes(List<Account> accounts, List<Status> statuses, Random random) {
        return statuses.stream()
                .filter(status -> status.reblogOfId().isEmpty())
                .flatMap(status -> random.ints(random.nextInt(OFTEN), 0, accounts.size())
                        .mapToObj(liker -> new Reaction(accounts.get(liker).key(), status.key())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static <T> T any(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }
}
