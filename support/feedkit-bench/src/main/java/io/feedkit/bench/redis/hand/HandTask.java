package io.feedkit.bench.redis.hand;

/**
 * A post in an entry of the stream.
 *
 * @param author who wrote it
 * @param id its id
 * @param time in milliseconds
 */
record HandTask(String author, String id, String time) {

    /** Parses the words of a text. */
    static HandTask of(String text) {
        int first = text.indexOf(' ');
        int second = text.indexOf(' ', first + 1);
        return new HandTask(text.substring(0, first), text.substring(first + 1, second), text.substring(second + 1));
    }

    String text() {
        return author + ' ' + id + ' ' + time;
    }
}
