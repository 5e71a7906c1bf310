package io.feedkit.testkit.internal.feed;

/**
 * The end of a process in the middle of a call: an error of the virtual machine. The engine does not catch it, and
 * undoes nothing.
 */
public final class Death extends VirtualMachineError {

    private static final long serialVersionUID = 1L;

    /** An action after which nothing else happens. */
    public static final Runnable NOW = () -> {
        throw new Death();
    };

    private Death() {
        super("this process has died");
    }
}
