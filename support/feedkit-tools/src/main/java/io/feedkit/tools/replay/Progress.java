package io.feedkit.tools.replay;

import java.io.PrintWriter;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress bars, each on its own line. */
final class Progress {

    private static final int WIDTH = 100;
    private static final int UPDATE_MILLIS = 250;

    private final PrintWriter out;

    Progress(PrintWriter out) {
        this.out = out;
    }

    /** Starts a bar. Closing it ends its line. */
    ProgressBar start(String task, long max) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(max)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .setConsumer(new DelegatingProgressBarConsumer(this::show, WIDTH) {
                    @Override
                    public void close() {
                        out.println();
                        out.flush();
                    }
                })
                .build();
    }

    private void show(String bar) {
        out.print("\r" + bar);
        out.flush();
    }
}
