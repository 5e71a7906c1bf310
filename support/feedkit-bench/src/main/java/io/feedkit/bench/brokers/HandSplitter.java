package io.feedkit.bench.brokers;

import com.rabbitmq.client.Delivery;
import io.feedkit.bench.jdbc.BenchDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Turns each post into messages that name it and up to 1,000 of its author's followers. Used by one thread. */
final class HandSplitter implements AutoCloseable {

    private static final int PAGE = 1000;

    private final Connection connection;
    private final PreparedStatement followers;

    HandSplitter(BenchDatabase database) throws SQLException {
        connection = database.connect();
        followers = connection.prepareStatement(
                database.sql("SELECT reader FROM ${follow} WHERE author = ? AND reader > ? ORDER BY reader LIMIT ?"));
    }

    /** Splits posts that have arrived, and acknowledges them when the server has stored their parts. */
    void split(HandChannel channel, List<Delivery> posts, String queue)
            throws SQLException, IOException, InterruptedException, TimeoutException {
        for (Delivery post : posts) {
            List<String> lines = HandChannel.lines(post);
            List<String> page = page(lines.get(0), "");
            while (!page.isEmpty()) {
                List<String> part = new ArrayList<>(lines);
                part.addAll(page);
                channel.send(queue, part);
                page = page.size() < PAGE ? List.of() : page(lines.get(0), page.get(PAGE - 1));
            }
        }
        channel.confirm();
        channel.acknowledge(posts.get(posts.size() - 1));
    }

    private List<String> page(String author, String after) throws SQLException {
        followers.setString(1, author);
        followers.setString(2, after);
        followers.setInt(3, PAGE);
        List<String> page = new ArrayList<>(PAGE);
        try (ResultSet rows = followers.executeQuery()) {
            while (rows.next()) {
                page.add(rows.getString(1));
            }
        }
        return page;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
