package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.openapi.operation.Operation;
import dev.keelson.schema.openapi.operation.OperationId;
import dev.keelson.schema.openapi.operation.Parameter;
import dev.keelson.schema.openapi.operation.PathItem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the parts of a document of OpenAPI 3.0. */
final class OpenApi3Trees {

  private final SchemaTrees schemas;
  private final Map<Parameter, MapNode> parameters = new HashMap<>();

  OpenApi3Trees(SchemaTrees schemas) {
    this.schemas = schemas;
  }

  /** The entries of {@code paths}. */
  MapNode paths(List<PathItem> items) {
    Map<String, Node> paths = new TreeMap<>();
    items.forEach(item -> paths.put(item.path(), path(item)));
    return MapNode.copyOf(paths);
  }

  /** A document without paths and schemas. */
  static MapNode frame(String version) {
    MapNode components =
        MapNode.builder(2)
            .put("schemas", MapNode.EMPTY)
            .put("securitySchemes", DocumentInfo.security())
            .build();
    return MapNode.builder(4)
        .put("openapi", Node.text("3.0.0"))
        .put("info", DocumentInfo.of(version))
        .put("paths", MapNode.EMPTY)
        .put("components", components)
        .build();
  }

  private MapNode path(PathItem item) {
    MapNode.Builder path = MapNode.builder(8);
    for (Operation operation : item.operations()) {
      path.put(operation.method(), operation(item, operation));
    }
    putParameters(path, item.commonParameters());
    return path.build();
  }

  private MapNode operation(PathItem item, Operation operation) {
    OperationId id = OperationId.of(item.path(), operation.name());
    MapNode.Builder tree =
        MapNode.builder(8)
            .put("tags", Node.texts(List.of(id.tag())))
            .put("description", Node.text(operation.description()))
            .put("operationId", Node.text(id.id()));
    putParameters(tree, item.ownParameters(operation));
    Operation.Body body = operation.body();
    if (body != null) {
      MapNode.Builder request =
          MapNode.builder(2).put("content", content(body.mediaTypes(), body.schema()));
      if (body.required()) {
        request.put("required", Bool.TRUE);
      }
      tree.put("requestBody", request.build());
    }
    MapNode.Builder responses = MapNode.builder(4);
    operation
        .responses()
        .forEach(
            (code, schema) ->
                responses.put(
                    Integer.toString(code),
                    MapNode.builder(2)
                        .put("description", Node.text(DocumentInfo.meaning(code)))
                        .put("content", content(operation.produces(), schema))
                        .build()));
    responses.put("401", DocumentInfo.unauthorized());
    tree.put("responses", responses.build());
    DocumentInfo.putExtensions(tree, operation);
    return tree.build();
  }

  private MapNode content(List<String> mediaTypes, SchemaNode type) {
    MapNode schema = MapNode.of("schema", schemas.schema(type));
    Map<String, Node> content = new TreeMap<>();
    mediaTypes.forEach(mediaType -> content.put(mediaType, schema));
    return MapNode.copyOf(content);
  }

  private void putParameters(MapNode.Builder tree, List<Parameter> all) {
    if (!all.isEmpty()) {
      tree.put(
          "parameters",
          new Items(
              all.stream()
                  .<Node>map(
                      parameter -> parameters.computeIfAbsent(parameter, OpenApi3Trees::parameter))
                  .toList()));
    }
  }

  private static MapNode parameter(Parameter parameter) {
    MapNode.Builder tree = MapNode.builder(5);
    DocumentInfo.putParameter(tree, parameter);
    return tree.put(
            "schema",
            MapNode.builder(2)
                .put("type", Node.text(parameter.type()))
                .put("uniqueItems", Bool.TRUE)
                .build())
        .build();
  }
}
