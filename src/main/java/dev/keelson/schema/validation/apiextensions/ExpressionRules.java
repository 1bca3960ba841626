package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.Brackets;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.InvalidPathException;

/** The form of {@code x-kubernetes-validations}; the expressions are not compiled here. */
final class ExpressionRules {

  private ExpressionRules() {}

  static void validate(Value schema) {
    for (Value rule : schema.get("x-kubernetes-validations")) {
      ruleAndMessage(rule);
      Value messageExpression = rule.get("messageExpression");
      if (messageExpression.filled() && messageExpression.text().isBlank()) {
        messageExpression.required("messageExpression must be non-empty if specified");
      }
      Value reason = rule.get("reason");
      if (reason.present() && !isReason(reason.text())) {
        reason.unsupported(
            "FieldValueRequired",
            "FieldValueForbidden",
            "FieldValueInvalid",
            "FieldValueDuplicate");
      }
      fieldPath(rule.get("fieldPath"), schema);
    }
  }

  private static void ruleAndMessage(Value rule) {
    Value expression = rule.get("rule");
    Value message = rule.get("message");
    boolean blankMessage = message.text().isBlank();
    if (expression.text().isBlank()) {
      expression.required("rule is not specified");
    } else if (message.filled() && blankMessage) {
      message.invalid("message must be non-empty if specified");
    } else if (hasLines(message.text().strip())) {
      message.invalid("message must not contain line breaks");
    } else if (hasLines(expression.text().strip()) && blankMessage) {
      message.required("message must be specified if rule contains line breaks");
    }
  }

  private static boolean hasLines(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }

  private static boolean isReason(String reason) {
    return switch (reason) {
      case "FieldValueRequired",
          "FieldValueForbidden",
          "FieldValueInvalid",
          "FieldValueDuplicate" ->
          true;
      default -> false;
    };
  }

  private static void fieldPath(Value path, Value schema) {
    if (!path.filled()) {
      return;
    }
    if (path.text().isBlank()) {
      path.invalid("fieldPath must be non-empty if specified");
    }
    if (hasLines(path.text())) {
      path.invalid("fieldPath must not contain line breaks");
    }
    if (!leads(path.text(), schema.map())) {
      path.invalid("fieldPath must be a valid path");
    }
  }

  /** A schema that is not structural has other causes. */
  private static boolean leads(String path, MapNode schema) {
    try {
      SchemaPaths.Target _ = SchemaPaths.resolve(path, schema, Brackets.ALLOWED);
      return true;
    } catch (InvalidPathException e) {
      return !StructuralForm.problem(schema).isEmpty();
    }
  }
}
