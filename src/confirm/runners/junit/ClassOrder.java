package flakesniff;

import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/** The order of classes, of which JUnit itself promises nothing. */
public class ClassOrder implements ClassOrderer {
    @Override
    public void orderClasses(ClassOrdererContext context) {
        Told.order(context.getClassDescriptors(), d -> d.getTestClass().getName(), true);
    }
}
