package dev.keelson.schema.openapi.operation;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one method does on one path, in neither version of OpenAPI.
 *
 * @param method the HTTP method in lower case
 * @param name what it does, for example {@code listNamespacedPod}; the id adds the group version
 * @param description plain text
 * @param action the value of {@code x-kubernetes-action}; empty if it has none
 * @param kind the kind that it works on, or null
 * @param parameters of path and query, whatever their order
 * @param body what is sent, or null
 * @param produces media types of the answer
 * @param responses the shape of the answer by code, besides 401
 */
public record Operation(
    String method,
    String name,
    String description,
    String action,
    @Nullable GroupVersionKind kind,
    List<Parameter> parameters,
    @Nullable Body body,
    List<String> produces,
    Map<Integer, SchemaNode> responses) {

  /**
   * What is sent.
   *
   * @param mediaTypes what it may be written in
   * @param schema its shape
   * @param required whether it must be there
   */
  public record Body(List<String> mediaTypes, SchemaNode schema, boolean required) {}
}
