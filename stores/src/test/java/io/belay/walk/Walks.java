package io.belay.walk;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.belay.servers.Premise;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A debugger that notes each call of a method of Belay's while a {@link Walker} walks. */
final class Walks {
    private static final int COUNT = 5;

    private final Map<String, Walk> walks = new LinkedHashMap<>();
    /** Their names, for each of which the walker's JVM is asked. */
    private final Map<Long, String> threads = new HashMap<>();

    private @Nullable Walk present;

    private Walks() {}

    /** Runs the walker on a store with a lease, and with hand-overs that take too long at first; returns its walks by name. */
    static Map<String, Walk> of(String classPath, String store, Duration lease, int slowHandOvers) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments
                .get("main")
                .setValue(Walker.class.getName() + " " + store + " " + lease.toMillis() + " " + slowHandOvers);
        arguments.get("options").setValue("-cp \"" + classPath + "\" -Dorg.slf4j.simpleLogger.defaultLogLevel=off");
        VirtualMachine machine = connector.launch(arguments);
        Walks seen = new Walks();
        try (InputStream errors = machine.process().getErrorStream()) {
            seen.watch(machine);
            int code = machine.process().waitFor();
            Premise.check(code != Walker.LATE, "a lease lasts for longer than its walk");
            if (seen.walks.size() < COUNT || code != 0) {
                throw new IllegalStateException(
                        "the walker failed: " + new String(errors.readAllBytes(), StandardCharsets.UTF_8));
            }
        } finally {
            machine.process().destroyForcibly();
        }
        return seen.walks;
    }

    private void watch(VirtualMachine machine) throws InterruptedException {
        entries(machine, Walker.class.getName(), EventRequest.SUSPEND_EVENT_THREAD)
                .enable();
        // Nobody waits for these to be seen, so that a walk takes little longer than it does otherwise.
        MethodEntryRequest calls = entries(machine, "io.belay.*", EventRequest.SUSPEND_NONE);
        calls.addClassExclusionFilter(Walker.class.getName() + "*");
        machine.resume();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof MethodEntryEvent entry) {
                        entered(entry, calls);
                    }
                }
                events.resume();
            }
        } catch (VMDisconnectedException e) {
            // the walker has ended
        }
    }

    private static MethodEntryRequest entries(VirtualMachine machine, String types, int suspend) {
        MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
        request.addClassFilter(types);
        request.setSuspendPolicy(suspend);
        return request;
    }

    private void entered(MethodEntryEvent entry, MethodEntryRequest calls) {
        Location at = entry.location();
        String type = at.declaringType().name();
        String method = at.method().name();
        if (!type.equals(Walker.class.getName())) {
            Walk walk = present;
            if (walk != null) {
                ThreadReference thread = entry.thread();
                walk.add(threads.computeIfAbsent(thread.uniqueID(), id -> thread.name()), type, method);
            }
        } else if (method.equals("record")) {
            String name = argument(entry.thread());
            present = new Walk(name.equals("renewal"));
            walks.put(name, present);
            calls.enable();
        } else if (method.equals("end")) {
            present = null;
            calls.disable();
        }
    }

    private static String argument(ThreadReference thread) {
        try {
            return ((StringReference) thread.frame(0).getArgumentValues().get(0)).value();
        } catch (IncompatibleThreadStateException e) {
            throw new IllegalStateException(e);
        }
    }
}
