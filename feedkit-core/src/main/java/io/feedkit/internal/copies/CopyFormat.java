package io.feedkit.internal.copies;

import io.feedkit.Post;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.spi.Position;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The bytes of a copy, as {@link DataOutputStream} writes them.
 *
 * <ul>
 *   <li>head: 1 byte for the version; the identity of the source of truth; the reader; the token; the mark; the floor's
 *       time, id and author; 4 bytes each for the counts of followees and posts; 1 byte for the count of parts; the
 *       CRC-32 of each part; the CRC-32 of all bytes before
 *   <li>first parts: the followees' numbers, 8,000 in each
 *   <li>other parts: 200 posts in each, newest first: the time; 1 byte for the author's number in the part, followed by
 *       the author if it is new; the id
 * </ul>
 */
final class CopyFormat {

    /** A copy with more followees or posts does not fit into the parts that a copy may have. */
    static final int MOST_FOLLOWEES = 40_000;

    static final int MOST_POSTS = 10_000;

    private static final byte VERSION = 1;
    private static final int FOLLOWEES_EACH = 8_000;
    private static final int POSTS_EACH = 200;

    private CopyFormat() {}

    /** The bytes of a copy. */
    record Packed(Head head, List<Part> parts) {

        int bytes() {
            return head.content().length
                    + parts.stream().mapToInt(part -> part.content().length).sum();
        }
    }

    /** Why bytes are no copy. */
    enum Flaw {
        /** A part is missing. */
        INCOMPLETE,
        /** A checksum is wrong, or the bytes belong to another reader, token or source of truth. */
        DAMAGED,
        /** Another version of FeedKit wrote them. */
        OTHER_VERSION
    }

    /** The bytes are no copy. */
    static final class FlawedException extends Exception {

        private static final long serialVersionUID = 1;

        private final Flaw flaw;

        FlawedException(Flaw flaw) {
            super(flaw.name());
            this.flaw = flaw;
        }

        Flaw flaw() {
            return flaw;
        }
    }

    @FunctionalInterface
    private interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    /** Packs a copy with at most {@link #MOST_FOLLOWEES} and {@link #MOST_POSTS}. */
    static Packed pack(String identity, Copy copy) {
        List<Part> parts = new ArrayList<>();
        for (int from = 0; from < copy.followees().length; from += FOLLOWEES_EACH) {
            long[] some = Arrays.copyOfRange(
                    copy.followees(), from, Math.min(copy.followees().length, from + FOLLOWEES_EACH));
            add(copy, parts, out -> {
                for (long number : some) {
                    out.writeLong(number);
                }
            });
        }
        for (int from = 0; from < copy.posts().size(); from += POSTS_EACH) {
            List<Post> some = copy.posts().subList(from, Math.min(copy.posts().size(), from + POSTS_EACH));
            add(copy, parts, out -> writePosts(some, out));
        }
        byte[] head = sealed(bytes(out -> writeHead(identity, copy, parts, out)));
        return new Packed(new Head(copy.reader(), copy.token(), head), parts);
    }

    private static void add(Copy copy, List<Part> parts, Content content) {
        parts.add(new Part(copy.reader(), copy.token(), parts.size(), bytes(content)));
    }

    private static void writePosts(List<Post> posts, DataOutputStream out) throws IOException {
        Map<String, Integer> numbers = new HashMap<>();
        for (Post post : posts) {
            out.writeLong(post.publishedAt().toEpochMilli());
            Integer number = numbers.putIfAbsent(post.author(), numbers.size());
            out.writeByte(number == null ? numbers.size() - 1 : number);
            if (number == null) {
                out.writeUTF(post.author());
            }
            out.writeUTF(post.id());
        }
    }

    private static void writeHead(String identity, Copy copy, List<Part> parts, DataOutputStream out)
            throws IOException {
        out.writeByte(VERSION);
        out.writeUTF(identity);
        out.writeUTF(copy.reader());
        out.writeLong(copy.token());
        out.writeLong(copy.mark());
        out.writeLong(copy.floor().millis());
        out.writeUTF(copy.floor().id());
        out.writeUTF(copy.floor().author());
        out.writeInt(copy.followees().length);
        out.writeInt(copy.posts().size());
        out.writeByte(parts.size());
        for (Part part : parts) {
            out.writeInt(checksum(part.content(), part.content().length));
        }
    }

    private static byte[] bytes(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            content.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static byte[] sealed(byte[] bytes) {
        return ByteBuffer.allocate(bytes.length + Integer.BYTES)
                .put(bytes)
                .putInt(checksum(bytes, bytes.length))
                .array();
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /**
     * Unpacks a copy.
     *
     * @throws FlawedException if the bytes are no copy of this reader for this source of truth
     */
    static Copy unpack(String identity, Head head, List<Part> parts) throws FlawedException {
        byte[] content = head.content();
        int end = content.length - Integer.BYTES;
        if (content.length > 0 && content[0] != VERSION) {
            throw new FlawedException(Flaw.OTHER_VERSION);
        }
        require(end > 0 && ByteBuffer.wrap(content).getInt(end) == checksum(content, end));
        try {
            return read(identity, head, new DataInputStream(new ByteArrayInputStream(content, 1, end - 1)), parts);
        } catch (IOException | RuntimeException e) {
            // The checksums are right, but another program wrote the bytes.
            throw new FlawedException(Flaw.DAMAGED);
        }
    }

    private static Copy read(String identity, Head head, DataInputStream in, List<Part> parts)
            throws IOException, FlawedException {
        require(in.readUTF().equals(identity));
        require(in.readUTF().equals(head.reader()));
        require(in.readLong() == head.token());
        long mark = in.readLong();
        Position floor = new Position(in.readLong(), in.readUTF(), in.readUTF());
        int count = in.readInt();
        int posts = in.readInt();
        require(count >= 0 && count <= MOST_FOLLOWEES && posts >= 0 && posts <= MOST_POSTS);
        long[] followees = new long[count];
        List<byte[]> contents = contents(in, parts);
        int next = 0;
        for (int from = 0; from < followees.length; from += FOLLOWEES_EACH) {
            readFollowees(contents.get(next++), followees, from);
        }
        List<Post> found = new ArrayList<>(posts);
        while (next < contents.size()) {
            readPosts(contents.get(next++), Math.min(POSTS_EACH, posts - found.size()), found);
        }
        require(found.size() == posts);
        return new Copy(head.reader(), head.token(), mark, followees, floor, List.copyOf(found));
    }

    /** The contents of all parts that the head names. */
    private static List<byte[]> contents(DataInputStream in, List<Part> parts) throws IOException, FlawedException {
        Map<Integer, byte[]> byNumber = new HashMap<>();
        parts.forEach(part -> byNumber.put(part.number(), part.content()));
        List<byte[]> contents = new ArrayList<>();
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            byte[] content = byNumber.get(contents.size());
            if (content == null) {
                throw new FlawedException(Flaw.INCOMPLETE);
            }
            require(in.readInt() == checksum(content, content.length));
            contents.add(content);
        }
        return contents;
    }

    private static void readFollowees(byte[] content, long[] followees, int from) {
        ByteBuffer in = ByteBuffer.wrap(content);
        for (int i = from; in.hasRemaining(); i++) {
            followees[i] = in.getLong();
        }
    }

    private static void readPosts(byte[] content, int count, List<Post> posts) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        List<String> authors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long millis = in.readLong();
            int number = in.readUnsignedByte();
            if (number == authors.size()) {
                authors.add(in.readUTF());
            }
            posts.add(Post.of(authors.get(number), in.readUTF(), millis));
        }
    }

    private static void require(boolean isSound) throws FlawedException {
        if (!isSound) {
            throw new FlawedException(Flaw.DAMAGED);
        }
    }
}
