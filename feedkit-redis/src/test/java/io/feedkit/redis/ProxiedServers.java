package io.feedkit.redis;

import io.feedkit.testservers.FaultyProxy;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lettuce's threads, whose connections lead through a proxy before each server: also those to servers that sentinels or
 * members of a cluster name.
 */
public final class ProxiedServers implements AutoCloseable {

    private final Map<Integer, FaultyProxy> proxies = new ConcurrentHashMap<>();
    private final ClientResources resources = ClientResources.builder()
            .socketAddressResolver(MappingSocketAddressResolver.create(
                    (HostAndPort address) -> HostAndPort.of("127.0.0.1", before(address.getPort()))))
            .build();
    private boolean cut;

    private synchronized int before(int port) {
        return proxies.computeIfAbsent(port, this::proxy).port();
    }

    private FaultyProxy proxy(int port) {
        FaultyProxy proxy = FaultyProxy.before(port);
        if (cut) {
            proxy.refuse();
        }
        return proxy;
    }

    /** The threads, for the settings of a store or a bus. */
    public ClientResources resources() {
        return resources;
    }

    /** Ends all connections, and refuses new ones. */
    public synchronized void cut() {
        cut = true;
        proxies.values().forEach(FaultyProxy::refuse);
        proxies.values().forEach(FaultyProxy::resetAll);
    }

    /** Accepts connections again. */
    public synchronized void restore() {
        cut = false;
        proxies.values().forEach(FaultyProxy::pass);
    }

    /** Holds all data from the servers, and keeps the connections open. */
    public synchronized void holdReplies() {
        proxies.values().forEach(proxy -> proxy.blackHole(FaultyProxy.Direction.REPLIES));
    }

    @Override
    public void close() {
        resources.shutdown().awaitUninterruptibly();
        proxies.values().forEach(FaultyProxy::close);
    }
}
