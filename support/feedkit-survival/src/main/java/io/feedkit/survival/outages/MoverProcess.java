package io.feedkit.survival.outages;

import io.feedkit.spi.PostArchive;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;

/**
 * A process whose mover copies one batch to the archive, prints {@code copied}, and then waits to be killed: the rows
 * of these posts are still in the outbox.
 */
final class MoverProcess {

    static final String COPIED = "copied";

    private MoverProcess() {}

    /**
     * Moves posts.
     *
     * @param args as {@link ProductionShape}
     */
    public static void main(String[] args) {
        try (ProductionShape shape = new ProductionShape(args.clone(), "mover", 1, MoverProcess::stopping)) {
            System.out.println("moves posts of " + shape.store());
            LockSupport.park();
        }
    }

    private static PostArchive stopping(PostArchive archive) {
        return (PostArchive) Proxy.newProxyInstance(
                PostArchive.class.getClassLoader(), new Class<?>[] {PostArchive.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(archive, arguments);
                        if (method.getName().equals("store")) {
                            System.out.println(COPIED);
                            while (true) {
                                LockSupport.park();
                            }
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
