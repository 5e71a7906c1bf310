package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.testkit.fault.Fault;
import java.util.List;

/** One step of a run. A step names everything that it needs, so any part of a sequence is a valid sequence. */
sealed interface Step {

    /** A post with a time relative to the moment of the step. */
    record Draft(String author, String id, long offset) {
        Post at(long now) {
            return Post.of(author, id, now + offset);
        }
    }

    /** Which page of a walk is read. */
    enum Page {
        /** The top of the feed. */
        FIRST,
        /** The page below the last one read. */
        OLDER,
        /** The page above the first one read. */
        NEWER
    }

    /** The beginning of the ids of posts that only inboxes hold. */
    String LOST = "lost-";

    void run(ModelRun run);

    /** Whether a post may or may not be in a reader's feed while this step is under way. */
    default boolean unsettles(String reader, Post post) {
        return false;
    }

    record Publish(int engine, List<Draft> drafts, boolean repeat) implements Step {
        @Override
        public void run(ModelRun run) {
            run.publish(this);
        }
    }

    record Import(int engine, String author, int count, long offset, long spacing, boolean repeat) implements Step {
        @Override
        public void run(ModelRun run) {
            run.importPosts(this);
        }
    }

    record Delete(int engine, String author, String id, boolean repeat) implements Step {
        @Override
        public void run(ModelRun run) {
            run.delete(this);
        }

        @Override
        public boolean unsettles(String reader, Post post) {
            return post.author().equals(author) && post.id().equals(id);
        }
    }

    record Follow(int engine, String reader, String author, boolean repeat) implements Step {
        @Override
        public void run(ModelRun run) {
            run.follow(this);
        }

        @Override
        public boolean unsettles(String feed, Post post) {
            return feed.equals(reader) && post.author().equals(author);
        }
    }

    record Unfollow(int engine, String reader, String author) implements Step {
        @Override
        public void run(ModelRun run) {
            run.unfollow(this);
        }

        @Override
        public boolean unsettles(String feed, Post post) {
            return feed.equals(reader) && post.author().equals(author);
        }
    }

    record FollowAll(int engine, String reader, List<String> authors, boolean repeat) implements Step {
        @Override
        public void run(ModelRun run) {
            run.followAll(this);
        }

        @Override
        public boolean unsettles(String feed, Post post) {
            return feed.equals(reader) && authors.contains(post.author());
        }
    }

    record UnfollowAll(int engine, String reader, List<String> authors) implements Step {
        @Override
        public void run(ModelRun run) {
            run.unfollowAll(this);
        }

        @Override
        public boolean unsettles(String feed, Post post) {
            return feed.equals(reader) && authors.contains(post.author());
        }
    }

    record MoveFollowers(int engine, String from, String to, boolean repeat) implements Step {
        @Override
        public void run(ModelRun run) {
            run.moveFollowers(this);
        }

        @Override
        public boolean unsettles(String reader, Post post) {
            return post.author().equals(from) || post.author().equals(to);
        }
    }

    /** The host changes its own graph without reporting it to an engine. Does nothing if the graph is FeedKit's. */
    record Unreported(String reader, String author, boolean following) implements Step {
        @Override
        public void run(ModelRun run) {
            run.unreported(this);
        }
    }

    /**
     * The next write to the follow graph is done on the readers' sides only, and its answer is lost. Does nothing if
     * the graph has no sides.
     */
    record CutSides(int engine, Fault fault) implements Step {
        @Override
        public void run(ModelRun run) {
            run.cutSides(this);
        }
    }

    record Forget(int engine, String user) implements Step {
        @Override
        public void run(ModelRun run) {
            run.forget(this);
        }

        @Override
        public boolean unsettles(String reader, Post post) {
            return reader.equals(user) || post.author().equals(user);
        }
    }

    /** Reads a page. The inbox store may be down for this page. */
    record Read(int engine, String reader, int walk, Page page, int limit, boolean hydrated, boolean withoutInbox)
            implements Step {

        Read(int engine, String reader, int walk, Page page, int limit, boolean hydrated) {
            this(engine, reader, walk, page, limit, hydrated, false);
        }

        @Override
        public void run(ModelRun run) {
            run.reads().read(this);
        }
    }

    record Unread(int engine, String reader) implements Step {
        @Override
        public void run(ModelRun run) {
            run.reads().unread(this);
        }
    }

    record MarkSeen(int engine, String reader, int walk) implements Step {
        @Override
        public void run(ModelRun run) {
            run.reads().markSeen(this);
        }
    }

    record ToggleMute(String reader, String author) implements Step {
        @Override
        public void run(ModelRun run) {
            run.toggleMute(this);
        }
    }

    record ToggleContent(String author, String id) implements Step {
        @Override
        public void run(ModelRun run) {
            run.toggleContent(this);
        }
    }

    record UsePolicy(int engine, Policies policy) implements Step {
        @Override
        public void run(ModelRun run) {
            run.usePolicy(this);
        }
    }

    record Refresh(int engine, String reader) implements Step {
        @Override
        public void run(ModelRun run) {
            run.refresh(this);
        }
    }

    record Rebuild(int engine, String reader) implements Step {
        @Override
        public void run(ModelRun run) {
            run.rebuild(this);
        }
    }

    /** The inbox store loses an inbox. */
    record Evict(String reader) implements Step {
        @Override
        public void run(ModelRun run) {
            run.evict(this);
        }
    }

    /** A wrong entry of an inbox. */
    enum Damage {
        /** The post does not exist: the source of truth has lost it in a restore. */
        LOST,
        /** The entry has another time: the host has changed the time of the post. */
        MOVED,
        /** The post has entries at two times. */
        TWICE
    }

    record WrongEntry(String reader, int nth, Damage damage) implements Step {
        @Override
        public void run(ModelRun run) {
            run.wrongEntry(this);
        }
    }

    /** The inbox store loses an entry, against its contract. */
    record LoseEntry(String reader, int nth) implements Step {
        @Override
        public void run(ModelRun run) {
            run.loseEntry(this);
        }
    }

    /** The host changes the time of a post in its own table. Does nothing if the posts are not in such a table. */
    record Edit(String author, String id, long offset) implements Step {
        @Override
        public void run(ModelRun run) {
            run.edits().edit(this);
        }
    }

    /** A backup of the source of truth is made. Does nothing if the outbox cannot be restored. */
    record BackUp() implements Step {
        @Override
        public void run(ModelRun run) {
            run.restoration().backUp();
        }
    }

    /** The source of truth is restored from the latest backup, and this engine distrusts inboxes. */
    record Restore(int engine) implements Step {
        @Override
        public void run(ModelRun run) {
            run.restoration().restore(engine);
        }
    }

    record Pass(long millis) implements Step {
        @Override
        public void run(ModelRun run) {
            run.pass(this);
        }
    }

    /** Sets an engine's clock to some distance from the store's, possibly back. */
    record SetClock(int engine, long millisAhead) implements Step {
        @Override
        public void run(ModelRun run) {
            run.setClock(this);
        }
    }

    record FailAt(int engine, int effectsAhead, Fault fault) implements Step {
        @Override
        public void run(ModelRun run) {
            run.failAt(this);
        }
    }

    /** Cancels the failures that were set up. */
    record Disarm(int engine) implements Step {
        @Override
        public void run(ModelRun run) {
            run.disarm(this);
        }
    }

    record FailNext(int engine, String operation, int times, Fault fault) implements Step {
        @Override
        public void run(ModelRun run) {
            run.failNext(this);
        }
    }

    /** Drains the log. A positive {@code stopAfter} makes the effect with that number fail, which ends the drain. */
    record Drain(int engine, int stopAfter) implements Step {
        @Override
        public void run(ModelRun run) {
            run.drain(this);
        }
    }

    /** Pauses an engine's workers, or ends the pause. Neither may change any feed. */
    record Pause(int engine, boolean rest) implements Step {
        @Override
        public void run(ModelRun run) {
            run.pause(this);
        }
    }

    record ReplayDead(int engine) implements Step {
        @Override
        public void run(ModelRun run) {
            run.replayDead(this);
        }
    }

    record ReplayFinished(int engine) implements Step {
        @Override
        public void run(ModelRun run) {
            run.replayFinished(this);
        }
    }

    record Restart(int engine) implements Step {
        @Override
        public void run(ModelRun run) {
            run.restart(this);
        }
    }

    /** Lets the run settle, and compares all feeds. */
    record Settle() implements Step {
        @Override
        public void run(ModelRun run) {
            run.settle();
        }
    }

    /**
     * Runs steps right before a call of an operation to its store, or right after the call, before the operation gets
     * the answer.
     */
    record Interleave(int engine, Step outer, int call, boolean answered, List<Step> inner) implements Step {
        @Override
        public void run(ModelRun run) {
            run.interleave(this);
        }
    }
}
