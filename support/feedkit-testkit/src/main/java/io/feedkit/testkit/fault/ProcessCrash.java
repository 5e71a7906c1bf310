package io.feedkit.testkit.fault;

/**
 * The death of a process, as its own code sees it: the call to the store does not return, and no later call does. It is
 * an error of the virtual machine, so that code under test does not handle it like other failures.
 */
public final class ProcessCrash extends VirtualMachineError {

    private static final long serialVersionUID = 1L;

    ProcessCrash(String operation) {
        super("the process died at " + operation);
    }
}
