package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.resource.DeviceExpressions.Finding;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;

/**
 * Device selectors.
 *
 * @param expressions checks their CEL expressions
 */
record SelectorRules(DeviceExpressions expressions) {

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
    switch (expressions.check(text)) {
      case Finding.Accepted _ -> {
        // may be evaluated
      }
      // the compiler's message has several lines and is one cause
      case Finding.Wrong wrong -> expression.wrong(GoQuote.quote(text) + ": " + wrong.problem());
      case Finding.TooComplex _ -> expression.forbidden("too complex, exceeds cost limit");
    }
  }
}
