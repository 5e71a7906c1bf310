package io.feedkit.redis.internal.counter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Numbers in the form in which scripts take, store and return them: without leading zeros, the most significant byte
 * first. A number below zero has all eight bytes. Not thread-safe.
 */
final class CompactNumbers {

    private final byte[] bytes;
    private int place;

    CompactNumbers(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A number as scripts take it. */
    static byte[] of(long number) {
        int length = (Long.SIZE - Long.numberOfLeadingZeros(number) + Byte.SIZE - 1) / Byte.SIZE;
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (number >> (Byte.SIZE * (length - 1 - i)));
        }
        return bytes;
    }

    boolean hasNext() {
        return place < bytes.length;
    }

    /** The next byte. */
    int next() {
        return Byte.toUnsignedInt(bytes[place++]);
    }

    /** The number in the next bytes. */
    long number(int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number = number << Byte.SIZE | next();
        }
        return number;
    }

    /** The number in all remaining bytes. */
    long number() {
        return number(bytes.length - place);
    }

    /** A number behind a byte with its length plus one. The byte 0 means that there is none. */
    OptionalLong optional() {
        int length = next();
        return length == 0 ? OptionalLong.empty() : OptionalLong.of(number(length - 1));
    }

    /** The next bytes. */
    byte[] bytes(int length) {
        place += length;
        return Arrays.copyOfRange(bytes, place - length, place);
    }

    /** The remaining bytes as text. */
    String text() {
        String text = new String(bytes, place, bytes.length - place, StandardCharsets.US_ASCII);
        place = bytes.length;
        return text;
    }
}
