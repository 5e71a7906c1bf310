package io.feedkit.survival.chaos;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Follows and unfollows authors for some readers. Used by one thread. */
final class Followers {

    private final Clients clients;
    private final FeedModel model;
    private final List<String> readers;
    private final List<String> authors;
    private final Random random;
    private final int pauseMillis;
    private final Set<String> followed = new HashSet<>();

    Followers(Clients clients, List<String> readers, List<String> authors, Random random, int pauseMillis) {
        this.clients = clients;
        this.model = clients.model();
        this.readers = List.copyOf(readers);
        this.authors = List.copyOf(authors);
        this.random = random;
        this.pauseMillis = pauseMillis;
    }

    /** Makes all readers follow the first author, and each of them some of the others. */
    void join() {
        for (String reader : readers) {
            for (String author : authors) {
                if (author.equals(authors.get(0)) || random.nextInt(3) > 0) {
                    change(reader, author);
                }
            }
        }
    }

    /** Makes a reader follow or unfollow an author. */
    void step() {
        Clients.pause(random, pauseMillis);
        change(readers.get(random.nextInt(readers.size())), authors.get(random.nextInt(authors.size())));
    }

    private void change(String reader, String author) {
        String pair = reader + " " + author;
        model.edgeChanging(reader, author, System.currentTimeMillis());
        if (followed.remove(pair)) {
            Answer done = clients.untilDone(random, "unfollow " + pair, true);
            model.unfollowed(reader, author, done.end());
        } else {
            String request = "follow " + pair;
            Answer done = clients.untilDone(random, request, true);
            model.followed(new Call(done.engine(), reader, request, done.start(), done.end()), author);
            followed.add(pair);
        }
    }
}
