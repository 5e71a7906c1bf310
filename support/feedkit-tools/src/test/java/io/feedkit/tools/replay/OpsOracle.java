package io.feedkit.tools.replay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What every feed must be in the end, by definition: all posts that were not deleted, of all whom the reader follows,
 * sorted. Shares no code with what it judges.
 */
final class OpsOracle {

    private record Post(long millis, String id, String author) {}

    private record Key(String author, String id) {}

    private final TreeMap<Long, Set<String>> follows = new TreeMap<>();
    private final Map<Key, Post> posts = new HashMap<>();
    private final Set<Key> deleted = new HashSet<>();

    OpsOracle(List<String> followLines, List<String> opLines) {
        for (String line : followLines) {
            String[] f = line.split(" ", -1);
            if (!f[0].equals(f[1])) {
                followees(f[0]).add(f[1]);
            }
        }
        opLines.forEach(line -> apply(line.split(" ", -1)));
    }

    private Set<String> followees(String reader) {
        return follows.computeIfAbsent(Long.valueOf(reader), r -> new HashSet<>());
    }

    private void apply(String[] op) {
        switch (op[1]) {
            case "P" -> {
                Key key = new Key(op[2], op[3]);
                if (!deleted.contains(key)) {
                    posts.putIfAbsent(
                            key,
                            new Post(
                                    Long.parseLong(op[0]),
                                    String.format("%7s", op[3]).replace(' ', '0'),
                                    op[2]));
                }
            }
            case "D" -> {
                Key key = new Key(op[2], op[3]);
                deleted.add(key);
                posts.remove(key);
            }
            case "F" -> {
                Set<String> followees = followees(op[2]);
                if (!op[2].equals(op[3])) {
                    followees.add(op[3]);
                }
            }
            case "U" ->
                follows.getOrDefault(Long.valueOf(op[2]), new HashSet<>()).remove(op[3]);
            default -> {}
        }
    }

    /** The feeds, a line each. */
    String feeds(int newest) {
        List<Post> sorted = new ArrayList<>(posts.values());
        sorted.sort(Comparator.comparing(Post::millis)
                .thenComparing(Post::id)
                .thenComparing(Post::author)
                .reversed());
        StringBuilder lines = new StringBuilder();
        follows.forEach((reader, followees) -> {
            List<String> ids = sorted.stream()
                    .filter(post -> followees.contains(post.author()))
                    .limit(newest)
                    .map(post -> String.valueOf(Long.parseLong(post.id())))
                    .toList();
            lines.append(reader).append(':').append(String.join(",", ids)).append('\n');
        });
        return lines.toString();
    }

    String digest(int newest) throws NoSuchAlgorithmException {
        return digest(feeds(newest));
    }

    /**
     * The digest of what is unread when the reader in place {@code i} has seen all but the newest {@code i mod 50}
     * posts.
     */
    String unreadDigest() throws NoSuchAlgorithmException {
        StringBuilder lines = new StringBuilder();
        int place = 0;
        for (String feed : feeds(Integer.MAX_VALUE).split("\n", -1)) {
            if (!feed.isEmpty()) {
                String[] parts = feed.split(":", -1);
                int length = parts[1].isEmpty() ? 0 : parts[1].split(",", -1).length;
                lines.append(parts[0])
                        .append(':')
                        .append(Math.min(place++ % 50, length))
                        .append('\n');
            }
        }
        return digest(lines.toString());
    }

    private static String digest(String text) throws NoSuchAlgorithmException {
        byte[] lines = text.getBytes(StandardCharsets.US_ASCII);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(lines));
    }
}
