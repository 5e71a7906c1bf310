package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PartitionBatcher.Batch;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.redis.internal.log.LogKeys;
import io.feedkit.redis.internal.log.TaskCodec;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Appends and deletes posts, each in one step with its task. Posts of one partition share a script. */
final class PostWriter {

    private static final int AT_ONCE = 50;

    /** Imported posts need less work, because they share tasks. */
    private static final int IMPORTED_AT_ONCE = 200;

    /** The tail of a task whose position has a time that only the script knows. */
    private static final byte[] NO_POSITION_YET = TaskCodec.tail(new byte[0]);

    private final RedisLink link;
    private final Keys keys;
    private final LogKeys logKeys;
    private final ScriptClock clock;
    private final boolean forFollowers;

    private PostWriter(RedisLink link, Keys keys, ScriptClock clock, boolean forFollowers) {
        this.link = link;
        this.keys = keys;
        this.logKeys = new LogKeys(keys);
        this.clock = clock;
        this.forFollowers = forFollowers;
    }

    PostWriter(RedisLink link, Keys keys, ScriptClock clock) {
        this(link, keys, clock, false);
    }

    /** The same, except that a push by an author without followers has no task. */
    PostWriter forFollowers() {
        return new PostWriter(link, keys, clock, true);
    }

    List<Appended> append(List<Publication> publications) {
        PartitionBatcher<Publication> split = PartitionBatcher.of(
                publications, publication -> Keys.partition(publication.post().author()), AT_ONCE);
        List<List<Object>> answers = link.runAll("outbox.append", Effect.WRITE, split.each(this::append));
        List<Object> inPlace = split.inPlace(answers);
        List<Appended> appended = new ArrayList<>(publications.size());
        for (int i = 0; i < publications.size(); i++) {
            appended.add(appended(publications.get(i).post(), (byte[]) inPlace.get(i)));
        }
        return Collections.unmodifiableList(appended);
    }

    private Call<List<Object>> append(Batch<Publication> batch) {
        List<byte[]> of = keys(
                batch.partition(), batch.items().stream().map(Publication::post).toList());
        return OutboxScripts.APPEND.on(
                of, batch.values(List.of(clock.now(), Arguments.number(RecentPosts.POSTS)), PostWriter::values));
    }

    private List<byte[]> keys(int partition, List<Post> posts) {
        List<byte[]> of = new ArrayList<>(logKeys.of(partition));
        posts.forEach(post -> {
            of.add(keys.ofAuthor("posts", post.author()));
            of.add(keys.ofAuthor("last", post.author()));
            of.add(keys.ofAuthor("head", post.author()));
        });
        if (forFollowers) {
            of.add(keys.ofPartition("pulled", partition));
            posts.forEach(post -> of.add(RedisFollowGraph.followers(keys, post.author())));
        }
        return of;
    }

    List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        PartitionBatcher<Post> split =
                PartitionBatcher.of(posts, post -> Keys.partition(post.author()), IMPORTED_AT_ONCE);
        List<Object> answers = split.inPlace(
                link.runAll("outbox.append", Effect.WRITE, split.each(batch -> appendImported(batch, mode))));
        return IntStream.range(0, posts.size())
                .mapToObj(i -> appended(posts.get(i), (byte[]) answers.get(i)))
                .toList();
    }

    private Call<List<Object>> appendImported(Batch<Post> batch, FanoutMode mode) {
        List<byte[]> same = List.of(
                clock.now(),
                Arguments.number(RecentPosts.POSTS),
                TaskCodec.imported(mode == FanoutMode.PUSH),
                NO_POSITION_YET);
        return OutboxScripts.IMPORT.on(
                keys(batch.partition(), batch.items()),
                batch.values(
                        same,
                        post -> List.of(
                                Arguments.text(post.id()),
                                Arguments.millis(post.publishedAt().toEpochMilli()),
                                PositionCodec.of(post))));
    }

    private static List<byte[]> values(Publication publication) {
        Post post = publication.post();
        return List.of(
                Arguments.text(post.id()),
                Arguments.millis(post.publishedAt().toEpochMilli()),
                TaskCodec.kind(kind(publication.mode())),
                TaskCodec.tail(PositionCodec.of(post)));
    }

    private static Appended appended(Post post, byte[] answer) {
        String text = new String(answer, StandardCharsets.US_ASCII);
        return switch (text) {
            case "" -> new Appended(Status.NEW, post);
            case "-" -> new Appended(Status.DELETED, post);
            default -> new Appended(Status.SAME, Post.of(post.author(), post.id(), Long.parseLong(text)));
        };
    }

    List<Boolean> delete(List<PostKey> posts) {
        PartitionBatcher<PostKey> split = PartitionBatcher.of(posts, key -> Keys.partition(key.author()), AT_ONCE);
        List<byte[]> answers = link.runAll("outbox.delete", Effect.WRITE, split.each(this::delete));
        return split.inPlace(answers.stream().map(Arguments::flags).toList());
    }

    private Call<byte[]> delete(Batch<PostKey> batch) {
        List<byte[]> of = new ArrayList<>(logKeys.of(batch.partition()));
        of.add(keys.ofPartition("register", batch.partition()));
        of.add(keys.ofPartition("retracting", batch.partition()));
        batch.items().forEach(key -> {
            of.add(keys.ofAuthor("posts", key.author()));
            of.add(keys.ofAuthor("head", key.author()));
        });
        List<byte[]> same = List.of(clock.now(), Arguments.token(Arguments.newToken()), NO_POSITION_YET);
        return OutboxScripts.DELETE.on(of, batch.values(same, PostWriter::values));
    }

    private static List<byte[]> values(PostKey key) {
        return List.of(
                Arguments.text(key.id()),
                RegisterCodec.retracting(key),
                PositionCodec.withoutTime(key.author(), key.id()));
    }

    private static Kind kind(FanoutMode mode) {
        return switch (mode) {
            case PUSH -> Kind.PUSH;
            case PULL -> Kind.PULL;
            case PUSH_ACTIVE -> Kind.PUSH_ACTIVE;
        };
    }
}
