package io.feedkit.survival.tiers;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.survival.Trap;
import io.feedkit.survival.tiers.TierPoint.Role;
import io.feedkit.testservers.survival.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A process that moves posts to the archive, or runs {@code verify}, until it is killed. It prints {@code ready}, waits
 * for a line, works, and prints {@code at POINT} when it waits at the point where it is to be killed. Before it deletes
 * a post, it prints {@code deletes AUTHOR ID}.
 */
final class TierVictim {

    private static final int CAP = 4;
    private static final int POINT = 5;
    private static final int TIME = 6;

    private TierVictim() {}

    /**
     * Works.
     *
     * @param args {@link TierNodes#arguments}, the point, how often it is passed
     */
    public static void main(String[] args) throws IOException {
        TierNodes tiers = TierNodes.of(args[0], args[1], args[2], args[3], Integer.parseInt(args[CAP]));
        TierPoint point = TierPoint.valueOf(args[POINT]);
        Trap<TierPoint> trap = Trap.holding(point, Integer.parseInt(args[TIME]));
        System.out.println("ready");
        if (System.in.read() < 0) {
            return;
        }
        if (point.role() == Role.MOVER) {
            move(tiers, point, trap);
        } else {
            verify(tiers, trap);
        }
    }

    private static void move(TierNodes tiers, TierPoint point, Trap<TierPoint> trap) throws IOException {
        boolean deletes = point == TierPoint.MOVER_BEFORE_DELETE || point == TierPoint.MOVER_AFTER_DELETE;
        // The client that deletes has no mover.
        try (Node client = tiers.node("victim-client", Duration.ofHours(1), UnaryOperator.identity())
                .workers(0)
                .open()) {
            TrappedMove move = new TrappedMove(trap, posts -> {
                if (deletes) {
                    deleteDoomed(client.engine(), posts);
                }
            });
            try (Node node = tiers.node("victim", TierNodes.ALWAYS, move::through)
                    .workers(1)
                    .through(move::through)
                    .open()) {
                System.out.println("open");
                while (System.in.read() >= 0) {
                    System.out.println("still there: " + node.engine());
                }
            }
        }
    }

    /** Deletes posts that were copied, and whose rows are removed next. */
    private static void deleteDoomed(FeedEngine feed, List<Post> posts) {
        for (Post post : posts) {
            if (post.id().startsWith(Rivals.DOOMED)) {
                System.out.println("deletes " + post.author() + " " + post.id());
                feed.delete(post.author(), post.id());
            }
        }
    }

    private static void verify(TierNodes tiers, Trap<TierPoint> trap) {
        try (Node node = tiers.node("victim", Duration.ofHours(1), archive -> TrappedVerify.archive(archive, trap))
                .workers(0)
                .through(store -> new TrappedVerify(store, trap))
                .open()) {
            System.out.println("open");
            while (true) {
                System.out.println("verified: " + node.engine().verify(TierCheck.ALL.repair(true)));
            }
        }
    }
}
