package io.feedkit.testkit.fault;

/**
 * The death of a process, as its own code sees it: the call to the store does not return, nor does any later one. It is
 * an error of the virtual machine, so that no code under test takes it for a failure that it could handle.
 */
public final class ProcessCrash extends VirtualMachineError {

    private static final long serialVersionUID = 1L;

    ProcessCrash(String operation) {
        super("the process died at " + operation);
    }
}
