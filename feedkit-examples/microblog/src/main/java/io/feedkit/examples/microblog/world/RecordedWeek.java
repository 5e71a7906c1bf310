package io.feedkit.examples.microblog.world;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.status.Status;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * A week of real follows and posts, moved so that it ends now. Its files have a line {@code follower followee} for each
 * follow, and {@code epochSeconds author} for each post. They have no texts.
 */
@Component
class RecordedWeek {

    /** An account with many followees. */
    static final String LOGIN = "user6982";

    private static final Logger log = LoggerFactory.getLogger(RecordedWeek.class);
    private static final int BATCH = 20_000;

    private final History history;
    private final Clock clock;

    RecordedWeek(History history, Clock clock) {
        this.history = history;
        this.clock = clock;
    }

    private record Event(long seconds, long author) {}

    void load(Path directory) {
        Map<Long, Set<Long>> follows = new LinkedHashMap<>();
        forEach(
                directory.resolve("higgs-follows.txt.gz"),
                (follower, followee) -> follows.computeIfAbsent(follower, missing -> new LinkedHashSet<>())
                        .add(followee));
        List<Event> events = new ArrayList<>();
        forEach(directory.resolve("higgs-posts.txt.gz"), (seconds, author) -> events.add(new Event(seconds, author)));
        long shift = clock.millis() / 1000 - 1 - events.get(events.size() - 1).seconds();
        long firstId = Snowflakes.first((events.get(0).seconds() + shift - 86_400) * 1000);
        addAccounts(follows, events, firstId);
        addFollows(follows, firstId);
        addPosts(events, shift, firstId);
    }

    private void addAccounts(Map<Long, Set<Long>> follows, List<Event> events, long firstId) {
        Set<Long> users = new TreeSet<>(follows.keySet());
        follows.values().forEach(users::addAll);
        events.forEach(event -> users.add(event.author()));
        log.info("adding {} accounts", users.size());
        history.addAccounts(users.stream()
                .map(user -> new Account(
                        firstId + user, "user" + user, "User " + user, "", Snowflakes.millis(firstId + user)))
                .toList());
    }

    private void addFollows(Map<Long, Set<Long>> follows, long firstId) {
        log.info("adding the follows of {} accounts", follows.size());
        Map<String, Set<String>> keys = new LinkedHashMap<>();
        follows.forEach((follower, followees) -> {
            Set<String> all = new LinkedHashSet<>();
            followees.forEach(followee -> all.add(Long.toString(firstId + followee)));
            keys.put(Long.toString(firstId + follower), all);
        });
        history.addFollows(keys);
    }

    private void addPosts(List<Event> events, long shift, long firstId) {
        List<Status> statuses = new ArrayList<>();
        long second = 0;
        int inSecond = 0;
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            inSecond = event.seconds() == second ? inSecond + 1 : 0;
            second = event.seconds();
            String text = Texts.POSTS.get((int) ((event.author() + i) % Texts.POSTS.size()));
            statuses.add(new Status(
                    Snowflakes.first((second + shift) * 1000 + inSecond),
                    firstId + event.author(),
                    text,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
            if (statuses.size() == BATCH || i == events.size() - 1) {
                history.addStatuses(statuses);
                statuses.clear();
                log.info("added {} of {} posts", i + 1, events.size());
            }
        }
    }

    private static void forEach(Path file, BiConsumer<Long, Long> line) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            reader.lines().forEach(text -> {
                int space = text.indexOf(' ');
                line.accept(Long.valueOf(text.substring(0, space)), Long.valueOf(text.substring(space + 1)));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }
}
