package io.feedkit.bench.scale;

import io.feedkit.bench.Suite;
import io.feedkit.bench.scale.followees.ManyFollowees;
import io.feedkit.bench.scale.outage.OutageCost;
import io.feedkit.bench.scale.register.MemoryRegister;
import io.feedkit.bench.scale.register.ServerRegister;
import java.util.List;

/** A pulled register of a million entries, against one of a hundred, and an inbox store that is down. */
public final class ScaleSuite {

    private ScaleSuite() {}

    /**
     * Lists the measurements. They start servers of their own.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "scale",
                "a large pulled register, readers who follow very many, and an inbox store that is down",
                List.of(
                        new MemoryRegister(),
                        ServerRegister.inPostgres(),
                        ServerRegister.inRedis(),
                        new ManyFollowees(),
                        new OutageCost()));
    }
}
