package dev.keelson.schema.validation.apiextensions;

import dev.keelson.api.FieldCause;
import dev.keelson.schema.StructuralSchema;
import java.util.List;
import java.util.function.Predicate;

/**
 * Compiles the CEL rules of a schema. Implementations are safe for use by several threads.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/cel/">Common Expression Language in
 *     Kubernetes</a>
 */
@FunctionalInterface
public interface SchemaExpressions {

  /** A definition without expressions, or whose expressions are not checked. */
  SchemaExpressions NONE = request -> List.of();

  /**
   * What is wrong with the rules and what they cost too much, in Kubernetes' order: rules of a
   * place come after those below it ({@code additionalProperties}, then {@code properties} by name,
   * then {@code items}), and the causes of the whole schema's cost last.
   */
  List<FieldCause> check(Request request);

  /**
   * A schema whose rules are checked. It is structural, and its defaults are valid.
   *
   * @param schema the root
   * @param path of the root, for example {@code spec.validation.openAPIV3Schema}
   * @param unchanged whether the stored definition has the same schema for the version: costs of
   *     single expressions are not limited then
   * @param skipped whether the rules of the place at a path are not to be compiled, since the
   *     schema there or below has other causes
   */
  record Request(
      StructuralSchema schema, String path, boolean unchanged, Predicate<String> skipped) {}
}
