package flakesniff;

import java.util.Optional;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The order of methods in a class. */
public class MethodOrder implements MethodOrderer {
    @Override
    public void orderMethods(MethodOrdererContext context) {
        Told.order(context.getMethodDescriptors(), d -> Told.nameOf(context.getTestClass(), d.getMethod()), false);
    }

    /** Else JUnit keeps the methods of an ordered class in one thread, also where all may run side by side. */
    @Override
    public Optional<ExecutionMode> getDefaultExecutionMode() {
        return Optional.empty();
    }
}
