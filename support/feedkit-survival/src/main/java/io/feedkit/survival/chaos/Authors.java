package io.feedkit.survival.chaos;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.survival.chaos.Answer.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Publishes and deletes. Used by one thread. */
final class Authors {

    private static final int PERCENT = 100;
    private static final int BACK = 10;
    private static final int FAR_BACK = 14;
    private static final int AHEAD = 18;
    private static final int OLD = 34;
    private static final int DELETES = 10;
    private static final int AGAIN = 15;
    private static final int BACK_MILLIS = 15_000;
    private static final int FAR_BACK_MILLIS = 600_000;

    /** Old enough for the archive, whatever the engines' clocks say. */
    private static final long OLD_MILLIS = OpenEngine.ARCHIVED_AFTER.toMillis() + FAR_BACK_MILLIS;

    private final Clients clients;
    private final FeedModel model;
    private final String name;
    private final List<String> authors;
    private final Random random;
    private final int aheadMillis;
    private final int pauseMillis;
    private final List<Post> own = new ArrayList<>();
    private int posts;

    /**
     * @param name the beginning of the ids of posts
     * @param aheadMillis how far ahead of the present a post may be dated
     * @param pauseMillis the longest pause between two calls
     */
    Authors(Clients clients, String name, List<String> authors, Random random, int aheadMillis, int pauseMillis) {
        this.clients = clients;
        this.model = clients.model();
        this.name = name;
        this.authors = List.copyOf(authors);
        this.random = random;
        this.aheadMillis = aheadMillis;
        this.pauseMillis = pauseMillis;
    }

    /**
     * Publishes a post, every third one by the first author, and now and then publishes one again or deletes one. Some
     * of them may be in the archive.
     */
    void step() {
        String author = authors.get(random.nextInt(3) == 0 ? 0 : random.nextInt(authors.size()));
        long now = System.currentTimeMillis();
        publish(Post.of(author, name + posts++, now + shift()));
        if (!own.isEmpty() && random.nextInt(PERCENT) < AGAIN) {
            publishAgain(own.get(random.nextInt(own.size())));
        }
        if (!own.isEmpty() && random.nextInt(PERCENT) < DELETES) {
            Clients.pause(random, pauseMillis);
            delete(own.remove(random.nextBoolean() ? own.size() - 1 : random.nextInt(own.size()))
                    .key());
        }
        Clients.pause(random, pauseMillis);
    }

    /** Publishes a post that is old enough for the archive. */
    void publishOld() {
        String author = authors.get(random.nextInt(authors.size()));
        publish(Post.of(author, name + posts++, System.currentTimeMillis() + oldShift()));
    }

    private long oldShift() {
        return -OLD_MILLIS - random.nextInt(FAR_BACK_MILLIS);
    }

    private long shift() {
        int choice = random.nextInt(PERCENT);
        if (choice < BACK) {
            return -random.nextInt(BACK_MILLIS);
        } else if (choice < FAR_BACK) {
            return -random.nextInt(FAR_BACK_MILLIS);
        }
        if (choice < AHEAD) {
            return random.nextInt(aheadMillis + 1);
        }
        return choice < OLD ? oldShift() : 0;
    }

    /** Publishes a post until it is done. A refused post is sometimes given up, because nothing was done. */
    private void publish(Post post) {
        String request = request(post);
        model.publishing(post, System.currentTimeMillis());
        Answer answer = clients.ask(clients.any(random), request);
        if (answer.outcome() == Outcome.REFUSED && random.nextBoolean()) {
            model.givenUp(post.key());
            return;
        }
        Answer done = answer.isOk() ? answer : clients.untilDone(random, request, false);
        String[] words = done.text().split(" ", -1);
        if (words[0].equals("DELETED")) {
            clients.report().add(new Violation(Rule.PUBLISHED, request + " was answered with DELETED"));
        }
        Post stored = Post.of(post.author(), post.id(), Long.parseLong(words[1]));
        clients.report().add(model.published(stored, done.engine(), done.end()));
        own.add(stored);
    }

    private static String request(Post post) {
        return "publish " + post.author() + " " + post.id() + " "
                + post.publishedAt().toEpochMilli();
    }

    /** Publishes a post again with its own time, which changes nothing. */
    private void publishAgain(Post post) {
        Answer answer = clients.ask(clients.any(random), request(post));
        String same = "SAME " + post.publishedAt().toEpochMilli();
        if (answer.isOk() && !answer.text().equals(same)) {
            clients.report()
                    .add(new Violation(
                            Rule.PUBLISHED,
                            request(post) + ", again, by " + answer.engine() + " was answered with " + answer.text()));
        }
    }

    private void delete(PostKey key) {
        model.deleting(key, System.currentTimeMillis());
        Answer done = clients.untilDone(random, "delete " + key.author() + " " + key.id(), false);
        model.deleted(key, done.end());
    }
}
