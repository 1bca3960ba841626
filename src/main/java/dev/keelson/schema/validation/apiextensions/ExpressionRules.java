package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.Brackets;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.InvalidPathException;
import org.jspecify.annotations.Nullable;

/** The form of {@code x-kubernetes-validations}; the expressions are not compiled here. */
final class ExpressionRules {

  private ExpressionRules() {}

  static void validate(Value schema) {
    Paths paths = new Paths(schema.map());
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
      fieldPath(rule.get("fieldPath"), paths);
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

  private static void fieldPath(Value path, Paths paths) {
    if (!path.filled()) {
      return;
    }
    if (path.text().isBlank()) {
      path.invalid("fieldPath must be non-empty if specified");
    }
    if (hasLines(path.text())) {
      path.invalid("fieldPath must not contain line breaks");
    }
    if (!paths.leads(path.text())) {
      path.invalid("fieldPath must be a valid path");
    }
  }

  /** The paths from one schema on. */
  private static final class Paths {
    private final MapNode schema;

    /** Whether the schema can be read as a structural one; null until a path leads nowhere. */
    private @Nullable Boolean structural;

    Paths(MapNode schema) {
      this.schema = schema;
    }

    /** Whether a path leads to a field; every path of a schema that is not structural does. */
    boolean leads(String path) {
      try {
        SchemaPaths.Target _ = SchemaPaths.resolve(path, schema, Brackets.ALLOWED);
        return true;
      } catch (InvalidPathException e) {
        Boolean known = structural;
        if (known == null) {
          known = StructuralForm.problem(schema).isEmpty();
          structural = known;
        }
        return !known;
      }
    }
  }
}
