package io.feedkit.examples.microblog.stream;

import io.feedkit.examples.microblog.account.Account;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A client's WebSocket, on which it subscribes to its stream and leaves it. */
final class SocketEndpoint extends Endpoint {

    private static final String USER = "user";

    private final Account me;
    private final String first;
    private final OpenStreams streams;
    private final JsonMapper json;
    private @Nullable SocketOutlet outlet;
    private @Nullable UserStream stream;

    private record Request(@Nullable String type, @Nullable String stream) {}

    /**
     * @param first the stream of the address; empty if the client subscribes by a message
     */
    SocketEndpoint(Account me, String first, OpenStreams streams, JsonMapper json) {
        this.me = me;
        this.first = first;
        this.streams = streams;
        this.json = json;
    }

    /** A configuration for one connection. Some clients send the token as subprotocol, which has to be answered. */
    static ServerEndpointConfig configuration(Supplier<SocketEndpoint> endpoint) {
        return ServerEndpointConfig.Builder.create(SocketEndpoint.class, "/api/v1/streaming")
                .configurator(new ServerEndpointConfig.Configurator() {
                    @Override
                    public <T> T getEndpointInstance(Class<T> type) {
                        return type.cast(endpoint.get());
                    }

                    @Override
                    public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
                        return requested.isEmpty() ? "" : requested.get(0);
                    }
                })
                .build();
    }

    @Override
    public synchronized void onOpen(Session session, EndpointConfig config) {
        SocketOutlet opened = new SocketOutlet(session, json);
        outlet = opened;
        session.addMessageHandler(String.class, new MessageHandler.Whole<String>() {
            @Override
            public void onMessage(String text) {
                received(text, opened);
            }
        });
        if (!first.isEmpty()) {
            subscribe(first, opened);
        }
    }

    private synchronized void received(String text, SocketOutlet to) {
        if (text.isEmpty()) {
            return; // some clients do so to keep the connection
        }
        try {
            Request request = json.readValue(text, Request.class);
            String name = request.stream() == null ? "" : request.stream();
            if ("subscribe".equals(request.type())) {
                subscribe(name, to);
            } else if ("unsubscribe".equals(request.type()) && name.equals(USER)) {
                // The connection stays for another subscription.
                Optional.ofNullable(stream).ifPresent(streams::leave);
                stream = null;
            }
        } catch (JacksonException e) {
            to.error("The message is not JSON");
        }
    }

    private void subscribe(String name, SocketOutlet to) {
        if (!name.equals(USER)) {
            to.error("Unknown stream type");
        } else if (stream == null) {
            stream = streams.open(me, to, Optional.empty(), false);
        }
    }

    @Override
    public synchronized void onClose(Session session, CloseReason reason) {
        end();
    }

    @Override
    public synchronized void onError(Session session, Throwable failure) {
        end();
    }

    private void end() {
        Optional.ofNullable(stream).ifPresent(streams::end);
        stream = null;
        Optional.ofNullable(outlet).ifPresent(SocketOutlet::close);
    }
}
