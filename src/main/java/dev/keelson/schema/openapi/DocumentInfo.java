package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.openapi.operation.Operation;
import dev.keelson.schema.openapi.operation.Parameter;

/** The parts that both versions of OpenAPI share. */
final class DocumentInfo {

  static final String BEARER_TOKEN = "BearerToken";

  private static final MapNode UNAUTHORIZED = MapNode.of("description", Node.text("Unauthorized"));

  private static final MapNode SECURITY =
      MapNode.of(
          BEARER_TOKEN,
          MapNode.builder(4)
              .put("description", Node.text("A bearer token, after the word Bearer."))
              .put("type", Node.text("apiKey"))
              .put("name", Node.text("authorization"))
              .put("in", Node.text("header"))
              .build());

  private DocumentInfo() {}

  static MapNode of(String version) {
    return MapNode.builder(2)
        .put("title", Node.text("Keelson"))
        .put("version", Node.text(version))
        .build();
  }

  static MapNode security() {
    return SECURITY;
  }

  static MapNode unauthorized() {
    return UNAUTHORIZED;
  }

  /** What a code of an answer means. */
  static String meaning(int code) {
    return switch (code) {
      case 200 -> "OK";
      case 201 -> "Created";
      case 202 -> "Accepted";
      default -> throw new IllegalArgumentException("no operation answers " + code);
    };
  }

  /** The head of a parameter; its type stands elsewhere in each version. */
  static void putParameter(MapNode.Builder tree, Parameter parameter) {
    tree.put("name", Node.text(parameter.name()))
        .put("in", Node.text(parameter.inPath() ? "path" : "query"));
    if (!parameter.description().isEmpty()) {
      tree.put("description", Node.text(parameter.description()));
    }
    if (parameter.inPath()) {
      tree.put("required", Bool.TRUE);
    }
  }

  static void putExtensions(MapNode.Builder tree, Operation operation) {
    GroupVersionKind kind = operation.kind();
    if (kind != null) {
      tree.put("x-kubernetes-action", Node.text(operation.action()))
          .put("x-kubernetes-group-version-kind", Kinds.node(kind));
    }
  }
}
