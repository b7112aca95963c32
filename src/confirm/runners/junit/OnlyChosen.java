package flakesniff;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips what was not chosen where a build tool can only choose by a method's name: overloads, and single invocations. With
 * -Dflakesniff.list, whole classes, so that tests are found and none is run.
 */
public class OnlyChosen implements ExecutionCondition {
    private static final Pattern INVOCATION = Pattern.compile("\\[test-template-invocation:#(\\d+)\\]$");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (System.getProperty("flakesniff.list") != null) {
            return ConditionEvaluationResult.disabled("flakesniff: not chosen");
        }
        if (Told.lines().isEmpty() || !context.getTestMethod().isPresent()) {
            return ConditionEvaluationResult.enabled("");
        }
        String name = Told.nameOf(context.getRequiredTestClass(), context.getRequiredTestMethod());
        Matcher invocation = INVOCATION.matcher(context.getUniqueId());
        boolean chosen = invocation.find()
            ? Told.lines().stream().anyMatch(l -> l.equals(name) || Told.isOf(l, name) && l.endsWith("[" + invocation.group(1) + "]"))
            : Told.lines().stream().anyMatch(l -> Told.isOf(l, name));
        return chosen ? ConditionEvaluationResult.enabled("") : ConditionEvaluationResult.disabled("flakesniff: not chosen");
    }
}
