package flakesniff;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/** The order of methods in a class. */
public class MethodOrder implements MethodOrderer {
    @Override
    public void orderMethods(MethodOrdererContext context) {
        Told.order(context.getMethodDescriptors(), d -> Told.nameOf(context.getTestClass(), d.getMethod()), false);
    }
}
