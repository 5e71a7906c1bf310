package io.feedkit.bench.microblog;

import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Home pages over HTTP, against the same page as one SQL join, by the same application. */
final class HomePages implements Measurement {

    private static final int FOLLOWERS_A_MEMBER = 10_000;
    private static final int LEAST = 50;
    private static final int FOLLOWEES = 50;
    private static final int POSTS_EACH = 20;
    private static final int WINDOWS = 6;
    private static final List<Integer> CALLERS = List.of(1, 16);

    @Override
    public String name() {
        return "home";
    }

    @Override
    public Optional<String> lacks() {
        return MicroblogServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Members members = new Members(Math.max(LEAST, scale.followers() / FOLLOWERS_A_MEMBER));
        List<Figure> figures = new ArrayList<>();
        try (MicroblogServer server = MicroblogServer.start()) {
            members.create(server, Math.min(FOLLOWEES, members.count() - 1));
            MemberClient client = new MemberClient(server, members);
            new Callers(8, scale.window())
                    .forEach(
                            IntStream.range(0, members.count() * POSTS_EACH)
                                    .boxed()
                                    .toList(),
                            number -> client.post(number % members.count(), "post number " + number));
            for (int callers : CALLERS) {
                figures.add(figure(scale, client, members, callers));
            }
        }
        return figures;
    }

    private static Figure figure(Scale scale, MemberClient client, Members members, int callers) {
        return Figure.of(
                "home: pages over HTTP, " + callers + (callers == 1 ? " caller" : " callers")
                        + " (against one SQL join by hand)",
                "pages/s",
                Rounds.of(scale)
                        .medians(
                                () -> pages(scale, client, members, callers, "/api/v1/timelines/home"),
                                () -> pages(scale, client, members, callers, "/api/feedkit/by-hand")),
                Target.NONE);
    }

    private static double pages(Scale scale, MemberClient client, Members members, int callers, String path) {
        return new Callers(callers, scale.window().multipliedBy(WINDOWS)).perSecond(chance -> {
            int unused = client.get(chance.nextInt(members.count()), path);
        });
    }
}
