package io.feedkit.survival;

import io.feedkit.survival.chaos.ChaosCommand;
import io.feedkit.survival.copies.CopyFaults;
import io.feedkit.survival.copies.CopyKills;
import io.feedkit.survival.live.LiveCommand;
import io.feedkit.survival.outages.OutagesCommand;
import io.feedkit.survival.tiers.TierFaults;
import io.feedkit.survival.tiers.TierKills;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. */
@Command(
        name = "survival",
        mixinStandardHelpOptions = true,
        description = "Kills processes and servers, and checks the feeds.",
        subcommands = {
            KillMatrix.class,
            TroubleCommand.class,
            SoakCommand.class,
            ChaosCommand.class,
            LiveCommand.class,
            OutagesCommand.class,
            TierKills.class,
            TierFaults.class,
            CopyKills.class,
            CopyFaults.class
        })
public final class Main {

    private Main() {}

    /**
     * Runs a command and exits with its code.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
