package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * Device selectors.
 *
 * @param compiler returns the problem with a CEL expression, empty if there is none
 */
record SelectorRules(UnaryOperator<String> compiler) {

  private static final int MOST_SELECTORS = 32;
  private static final int LONGEST_EXPRESSION = 10 * 1024;

  /** Validates the list of selectors of a class or of a request. */
  void validate(Value selectors) {
    if (selectors.size() > MOST_SELECTORS) {
      selectors.tooMany(MOST_SELECTORS);
      return;
    }
    for (Value selector : selectors) {
      Value cel = selector.get("cel");
      if (cel.absent()) {
        cel.required();
      } else {
        expression(cel.get("expression").orEmpty());
      }
    }
  }

  private void expression(Value expression) {
    String text = expression.text();
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_EXPRESSION) {
      expression.tooLong(LONGEST_EXPRESSION);
      return;
    }
    String problem = compiler.apply(text);
    if (!problem.isEmpty()) {
      // the compiler's message has several lines and is one cause
      expression.wrong(GoQuote.quote(text) + ": " + problem);
    }
  }
}
