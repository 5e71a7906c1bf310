package io.feedkit.survival;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. */
@Command(
        name = "survival",
        mixinStandardHelpOptions = true,
        description = "Kills the processes of a fan-out through a broker.",
        subcommands = {KillMatrix.class, TroubleCommand.class, SoakCommand.class})
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
