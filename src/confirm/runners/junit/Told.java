package flakesniff;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What this run was told (-Dflakesniff.chosen, -Dflakesniff.seed) and where it tells what it did (-Dflakesniff.order). */
final class Told {
    private static final List<String> CHOSEN = chosen();

    private Told() {}

    private static List<String> chosen() {
        String file = System.getProperty("flakesniff.chosen");
        try {
            return file == null ? Collections.<String>emptyList() : Files.readAllLines(Paths.get(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The name of a method in a report: shop.CartTest#adds, or shop.CartTest#adds(String,int) where it has parameters. */
    static String nameOf(Class<?> type, Method method) {
        String parameters = Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(","));
        return type.getName() + "#" + method.getName() + (parameters.isEmpty() ? "" : "(" + parameters + ")");
    }

    /** Whether a chosen line is this method, or one of its invocations: adds(String)[2], or rep()[1] where it has no parameters. */
    static boolean isOf(String line, String name) {
        return line.equals(name) || line.startsWith(name + "[") || line.startsWith(name + "()[");
    }

    static List<String> lines() {
        return CHOSEN;
    }

    /** Puts things into the chosen order, or shuffles them by the seed, and notes the order. The last mention of a thing counts. */
    static <T> void order(List<T> things, Function<T, String> name, boolean classes) {
        String seed = System.getProperty("flakesniff.seed");
        if (classes || seed != null) {
            things.sort((a, b) -> name.apply(a).compareTo(name.apply(b)));
        }
        if (seed != null) {
            Collections.shuffle(things, new Random(Long.parseLong(seed)));
        } else if (!CHOSEN.isEmpty()) {
            things.sort((a, b) -> Integer.compare(place(name.apply(a), classes), place(name.apply(b), classes)));
        }
        note(things.stream().map(name).collect(Collectors.toList()));
    }

    private static int place(String name, boolean classes) {
        int last = -1;
        for (int i = 0; i < CHOSEN.size(); i++) {
            String line = CHOSEN.get(i);
            if (classes ? line.startsWith(name + "#") || line.startsWith(name + "$") : isOf(line, name)) {
                last = i;
            }
        }
        return last;
    }

    private static synchronized void note(List<String> names) {
        String file = System.getProperty("flakesniff.order");
        if (file == null) {
            return;
        }
        Path path = Paths.get(file);
        try {
            Files.write(path, new ArrayList<>(names), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
