package dev.keelson.schema.openapi.operation;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * The descriptions of types and fields: plain text, may be empty. Both functions must be safe for
 * use by several threads; neither is called before a document is built.
 *
 * @param types by a message's full name, for example {@code io.k8s.api.core.v1.Pod}
 * @param fields by the full name of the message whose JSON object shows the field, and the field's
 *     JSON name
 */
public record Descriptions(UnaryOperator<String> types, BinaryOperator<String> fields) {

  /** What is said of a type. */
  public String describe(String messageName) {
    return types.apply(messageName);
  }

  /** What is said of a field. */
  public String describe(String messageName, String jsonField) {
    return fields.apply(messageName, jsonField);
  }
}
