package io.feedkit.survival.chaos;

import io.feedkit.survival.chaos.Clients.Turn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Reads the feeds of some readers: walks down, polls, counts, marks as seen, refreshes and rebuilds. Used by one
 * thread.
 */
final class Readers {

    private static final int PERCENT = 100;
    private static final int WALKS = 30;
    private static final int POLLS = 75;
    private static final int COUNTS = 90;
    private static final int MARKS = 97;
    private static final int LONG_WALK = 3;
    private static final int MOST = 40;
    private static final int PAUSE_MILLIS = 60;

    private final Clients clients;
    private final FeedModel model;
    private final List<String> readers;
    private final Random random;
    private final Map<String, Poll> polls = new HashMap<>();

    Readers(Clients clients, List<String> readers, Random random) {
        this.clients = clients;
        this.model = clients.model();
        this.readers = List.copyOf(readers);
        this.random = random;
    }

    /** A polling client, with the cursor of its last page. */
    private record Poll(Polling polling, String cursor) {}

    /** Does one action for one of the readers. */
    void step() {
        String reader = readers.get(random.nextInt(readers.size()));
        int choice = random.nextInt(PERCENT);
        if (choice < WALKS) {
            walk(reader);
        } else if (choice < POLLS) {
            poll(reader);
        } else if (choice < COUNTS) {
            count(reader);
        } else if (choice < MARKS) {
            mark(reader);
        } else {
            clients.ask(clients.any(random), (random.nextBoolean() ? "rebuild " : "refresh ") + reader);
        }
        Clients.pause(random, PAUSE_MILLIS);
    }

    /** Walks down one, some, or all pages, on one engine or on several. */
    private void walk(String reader) {
        boolean all = random.nextInt(LONG_WALK) == 0;
        boolean oneEngine = random.nextBoolean();
        String how = (1 + random.nextInt(MOST)) + (random.nextInt(4) == 0 ? " hydrated " : " plain ");
        Seat seat = clients.any(random);
        Walk walk = new Walk(model);
        Optional<Turn> turn = ask(seat, reader, "first " + how + reader);
        while (turn.isPresent()) {
            Turn shown = turn.get();
            clients.report().add(walk.add(shown.page()));
            if (!shown.hasOlder() || (!all && random.nextInt(3) == 0)) {
                return;
            }
            Clients.pause(random, PAUSE_MILLIS);
            seat = oneEngine ? seat : clients.any(random);
            turn = ask(seat, reader, "older " + how + reader + " " + shown.older());
        }
    }

    /** Polls. The first time, and now and then later, it starts with a first page. */
    private void poll(String reader) {
        String how = (2 + random.nextInt(MOST)) + (random.nextInt(4) == 0 ? " hydrated " : " plain ");
        Poll before = polls.get(reader);
        if (before == null || random.nextInt(MOST) == 0) {
            ask(clients.any(random), reader, "first " + how + reader).ifPresent(first -> {
                clients.report().add(new Walk(model).add(first.page()));
                polls.put(reader, new Poll(new Polling(model, first.page()), first.newer()));
            });
            return;
        }
        ask(clients.any(random), reader, "newer " + how + reader + " " + before.cursor())
                .ifPresent(next -> {
                    clients.report().add(before.polling().add(next.page()));
                    polls.put(reader, new Poll(before.polling(), next.newer()));
                });
    }

    private void count(String reader) {
        String request = "unread " + reader;
        Answer answer = clients.ask(clients.any(random), request);
        if (answer.isOk()) {
            String[] words = answer.text().split(" ", -1);
            if (words[1].equals("exact")) {
                clients.report()
                        .add(model.check(
                                new Call(answer.engine(), reader, request, answer.start(), answer.end()),
                                Long.parseLong(words[0])));
            }
        }
    }

    private void mark(String reader) {
        Poll poll = polls.get(reader);
        if (poll != null) {
            int handle = model.marking(reader, poll.polling().shown(), System.currentTimeMillis());
            Answer done = clients.untilDone(random, "mark " + reader + " " + poll.cursor(), false);
            model.marked(reader, handle, done.end());
        }
    }

    private Optional<Turn> ask(Seat seat, String reader, String request) {
        Answer answer = clients.ask(seat, request);
        return answer.isOk() ? Optional.of(clients.page(reader, request, answer)) : Optional.empty();
    }
}
