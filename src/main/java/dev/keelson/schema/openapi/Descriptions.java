package dev.keelson.schema.openapi;

/** What documents say of types and fields. Safe for use by several threads. */
public interface Descriptions {

  /**
   * What is said of a type.
   *
   * @param messageName its full name, for example {@code io.k8s.api.core.v1.Pod}
   * @return plain text; empty if nothing is said
   */
  String describe(String messageName);

  /**
   * What is said of a field.
   *
   * @param messageName the full name of the type whose JSON object shows the field
   * @param jsonField the field's JSON name
   * @return plain text; empty if nothing is said
   */
  String describe(String messageName, String jsonField);
}
