package io.feedkit.testkit.fault;

/**
 * The death of a process, as its own code sees it: neither the call to the store nor any later call returns. It is an
 * error of the virtual machine, so that code under test does not handle it like other failures.
 *
 * @since 0.1.0
 */
public final class ProcessCrash extends VirtualMachineError {

    private static final long serialVersionUID = 1L;

    /** An action after which the process does nothing else. */
    public static final Runnable NOW = () -> {
        throw new ProcessCrash("a chosen moment");
    };

    ProcessCrash(String operation) {
        super("the process died at " + operation);
    }
}
