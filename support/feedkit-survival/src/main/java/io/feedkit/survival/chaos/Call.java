package io.feedkit.survival.chaos;

/**
 * A call of a reader to an engine.
 *
 * @param engine the engine: a restarted process is another engine
 * @param reader the reader
 * @param what the request, for messages
 * @param start the time before the call, in milliseconds
 * @param end the time after it
 */
record Call(String engine, String reader, String what, long start, long end) {}
