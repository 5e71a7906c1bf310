package io.feedkit;

/**
 * A transaction of the host that a publish can take part in. Each backend with transactions has its own kind; the
 * engine only passes it on.
 */
public interface PublishTransaction {}
