package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.openapi.operation.MediaTypes;
import dev.keelson.schema.openapi.operation.Operation;
import dev.keelson.schema.openapi.operation.OperationId;
import dev.keelson.schema.openapi.operation.Parameter;
import dev.keelson.schema.openapi.operation.PathItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a document of Swagger 2.0. */
final class SwaggerTrees {

  private static final Items SCHEMES = Node.texts(List.of("https"));

  private final SchemaTrees schemas;
  private final SharedParameters shared;

  SwaggerTrees(SchemaTrees schemas, SharedParameters shared) {
    this.schemas = schemas;
    this.shared = shared;
  }

  /** The entries of {@code paths}. */
  MapNode paths(List<PathItem> items) {
    Map<String, Node> paths = new TreeMap<>();
    items.forEach(item -> paths.put(item.path(), path(item)));
    return MapNode.copyOf(paths);
  }

  /** A document without paths and definitions. */
  static MapNode frame(MapNode parameters, String version) {
    return MapNode.builder(7)
        .put("swagger", Node.text("2.0"))
        .put("info", DocumentInfo.of(version))
        .put("paths", MapNode.EMPTY)
        .put("definitions", MapNode.EMPTY)
        .put("parameters", parameters)
        .put("securityDefinitions", DocumentInfo.security())
        .put("security", new Items(List.of(MapNode.of(DocumentInfo.BEARER_TOKEN, Items.EMPTY))))
        .build();
  }

  private MapNode path(PathItem item) {
    MapNode.Builder path = MapNode.builder(8);
    for (Operation operation : item.operations()) {
      path.put(operation.method(), operation(item, operation));
    }
    List<Node> common = parameters(item.commonParameters(), null);
    if (!common.isEmpty()) {
      path.put("parameters", new Items(common));
    }
    return path.build();
  }

  private MapNode operation(PathItem item, Operation operation) {
    OperationId id = OperationId.of(item.path(), operation.name());
    Operation.Body body = operation.body();
    MapNode.Builder tree =
        MapNode.builder(11)
            .put("description", Node.text(operation.description()))
            .put("consumes", Node.texts(body == null ? MediaTypes.ANY : body.mediaTypes()))
            .put("produces", Node.texts(operation.produces()))
            .put("schemes", SCHEMES)
            .put("tags", Node.texts(List.of(id.tag())))
            .put("operationId", Node.text(id.id()));
    List<Node> own = parameters(item.ownParameters(operation), body);
    if (!own.isEmpty()) {
      tree.put("parameters", new Items(own));
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
                        .put("schema", schemas.schema(schema))
                        .build()));
    responses.put("401", DocumentInfo.unauthorized());
    tree.put("responses", responses.build());
    DocumentInfo.putExtensions(tree, operation);
    return tree.build();
  }

  private List<Node> parameters(List<Parameter> parameters, Operation.@Nullable Body body) {
    List<Node> all = new ArrayList<>();
    if (body != null) {
      MapNode.Builder tree =
          MapNode.builder(4).put("name", Node.text("body")).put("in", Node.text("body"));
      if (body.required()) {
        tree.put("required", Bool.TRUE);
      }
      all.add(tree.put("schema", schemas.schema(body.schema())).build());
    }
    for (Parameter parameter : parameters) {
      boolean once = parameter.inPath() && !parameter.name().equals("namespace");
      MapNode definition = parameter(parameter);
      MapNode reference = once ? null : shared.reference(parameter, definition);
      all.add(reference == null ? definition : reference);
    }
    return all;
  }

  private static MapNode parameter(Parameter parameter) {
    MapNode.Builder tree = MapNode.builder(6);
    DocumentInfo.putParameter(tree, parameter);
    return tree.put("type", Node.text(parameter.type())).put("uniqueItems", Bool.TRUE).build();
  }
}
